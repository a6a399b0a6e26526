import {
  canBeName,
  isNamingName,
  isObject,
  type Json,
  type Outcome,
  type Resource,
  writeJson,
} from '../../spec/index.ts'
import type { Chain, ChainStep, TestCase } from '../cases/case.ts'

/** Something that exists on the server. */
export type Instance = {
  readonly resource: Resource
  /** What a path names to ask for it, the outermost first. */
  readonly values: readonly Json[]
  /** The property of its representation that has the last of these values; null if none is known. */
  readonly property: string | null
  /** Whether that it is its name is a guess, by what such properties are usually called. */
  readonly isGuessed: boolean
  /** How it came to be, or was found; empty if somebody named it. */
  readonly steps: readonly ChainStep[]
  /** The body by which it was created, and the one that answered that; undefined if there was none. */
  readonly sent: Json | undefined
  readonly answered: Json | undefined
  /** Whether the run created it, and so may change and remove it. */
  readonly isOwn: boolean
}

/** What a request needs the resource for: to read it, to change it, or to take it away. */
export type Use = 'read' | 'change' | 'remove'

/** A case that asks for something that exists. */
export type Binding =
  | {
      readonly kind: 'bound'
      readonly testCase: TestCase
      /** Has to be called with what came of it, and how it was sent if that is not as it is here. */
      readonly done: (outcome: Outcome, sent?: TestCase) => void
      /** Has to be called with what came of the same request before it. */
      readonly doneBefore: (outcome: Outcome, sent: TestCase) => void
    }
  /** Nothing exists that it could ask for. */
  | { readonly kind: 'missing'; readonly reason: string }

/** By their name, by another property, or by a name that none of them has. */
export type AskedBy = 'name' | 'nothing' | { readonly property: string }

/** Names existing resources in the requests of one operation, at the moment of sending. */
export type Binder = {
  /** `isKnown`: whether the case has a value for this parameter of the path that the server has given. */
  readonly bind: (testCase: TestCase, isKnown: (parameter: string) => boolean) => Promise<Binding>
  /** Properties of what was acquired last by which the operation may ask for it as well, the likeliest first. */
  readonly otherNames: () => readonly string[]
  /** From now on the operation asks for resources in this way. */
  readonly askBy: (way: AskedBy) => void
  /** Whether the operation does something with a resource and, as far as the document tells, may leave it in any state. */
  readonly isAction: boolean
  /** From now on a resource that the operation was accepted for goes on to the next case: the server takes it again and again. */
  readonly setRepeatable: () => void
  /** Runs the chain of a case about what the server keeps; the last request and its outcome are those that decide. */
  readonly runChain: (testCase: TestCase) => Promise<ChainRun>
}

export type ChainRun =
  | { readonly kind: 'done'; readonly testCase: TestCase; readonly outcome: Outcome }
  | { readonly kind: 'missing'; readonly reason: string }

/** Properties that are tried as the name of a resource. */
const mostNames = 4

/** The scalars of a resource that are no part of its name, those that are usually names first, or only those. */
export const otherNamesOf = (instance: Instance, isReading: boolean): readonly string[] => {
  const known = instance.values.map(value => writeJson(value))
  const shown = shownBy(instance).filter(([, value]) => canBeName(value) && !known.includes(writeJson(value)))
  const keys = [...new Set(shown.map(([key]) => key))]
  // What changes or removes something by what is no name may find something else.
  const others = isReading ? keys.filter(key => !isNamingName(key)) : []
  return [...keys.filter(isNamingName), ...others].slice(0, mostNames)
}

/** What a path names to ask for a resource in a way; by its name if it has no such property. `unknown`: what nothing is called. */
export const valuesBy = (instance: Instance, way: AskedBy, unknown?: Json): readonly Json[] => {
  if (way === 'name') return instance.values
  const found = way === 'nothing' ? unknown : shownBy(instance).find(([key]) => key === way.property)?.[1]
  return found === undefined || !canBeName(found) ? instance.values : [...instance.values.slice(0, -1), found]
}

const shownBy = ({ answered, sent }: Instance): readonly (readonly [string, Json])[] =>
  [answered, sent].flatMap(value => (value !== undefined && isObject(value) ? Object.entries(value) : []))

export const chainOf = ({ steps, values }: Instance): Chain => ({ steps, values, exists: true })
