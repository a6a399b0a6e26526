import {
  canBeName,
  isArray,
  isNamingName,
  isObject,
  type Json,
  type Outcome,
  plainName,
  propertyIn,
  type Resource,
  readJson,
  sameJson,
  writeJson,
} from '../../spec/index.ts'
import type { Chain, ChainStep, TestCase } from '../cases/case.ts'
import { nameText } from './is-named.ts'

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
  /** What it was called before an update gave it the name that it has, by the response; absent if it was not renamed. */
  readonly renamedFrom?: readonly Json[]
  /** Whether it was created for the sake of other requests, which may need it to the end. */
  readonly isHelp?: true
  /** The operations that created something in it for those who ask for it; absent if it is as it was created. */
  readonly contents?: readonly string[]
}

/**
 * How a resource is made: with what is required; with all that is optional as well; or with what is required, after which each of these
 * operations creates something in it.
 */
export type InstanceKind = 'plain' | 'rich' | { readonly contents: readonly string[] }

/** What a request needs the resource for: to read it, to change it, or to take it away. */
export type Use = 'read' | 'change' | 'remove'

/** A case that asks for something that exists. */
export type Binding =
  | {
      readonly kind: 'bound'
      readonly testCase: TestCase
      /** Whether it names what another case may have renamed or removed by now. */
      readonly mayBeGone: () => boolean
      /** Has to be called with what came of it, and how it was sent if that is not as it is here. */
      readonly done: (outcome: Outcome, sent?: TestCase) => void
      /** Has to be called with what came of the same request before it. */
      readonly doneBefore: (outcome: Outcome, sent: TestCase) => void
    }
  /** Nothing exists that it could ask for. */
  | { readonly kind: 'missing'; readonly reason: string }

/** By their name, by another property, or by a name that none of them has. */
export type AskedBy = 'name' | 'nothing' | { readonly property: string }

/** How the requests of an operation ask for a resource. `isRepeatable`: the server takes an action again and again for the same one. */
export type Asking = { by: AskedBy; kind: InstanceKind; isRepeatable: boolean }

/** How an operation asks, as far as a run has found out: its later sessions ask in the same way. */
export const askingOf = (run: object, operation: string): Asking => {
  const known = askings.get(run) ?? new Map<string, Asking>()
  const asking = known.get(operation) ?? { by: 'name', kind: 'plain', isRepeatable: false }
  askings.set(run, known.set(operation, asking))
  return asking
}

const askings = new WeakMap<object, Map<string, Asking>>()

/** Names existing resources in the requests of one operation, at the moment of sending. */
export type Binder = {
  /** `isKnown`: whether the case has a value for this parameter of the path that the server has given. */
  readonly bind: (testCase: TestCase, isKnown: (parameter: string) => boolean) => Promise<Binding>
  /** Properties of what was acquired last by which the operation may ask for it as well, the likeliest first. */
  readonly otherNames: () => readonly string[]
  /** From now on the operation asks for resources in this way. */
  readonly askBy: (way: AskedBy) => void
  /** Whether from now on the operation asks for resources of this kind; false if the run did not create what was acquired last. */
  readonly askForKind: (kind: InstanceKind) => boolean
  /** Whether the operation does something with a resource and, as far as the document tells, may leave it in any state. */
  readonly isAction: boolean
  /** From now on a resource that the operation was accepted for goes on to the next case: the server takes it again and again. */
  readonly setRepeatable: () => void
  /** Has to be called with every request that is sent without being bound, and its outcome: it may have created or removed something; `since`: when it was sent. */
  readonly note: (testCase: TestCase, outcome: Outcome, since?: number) => void
  /** Runs the chain of a case about what the server keeps; the last request and its outcome are those that decide. */
  readonly runChain: (testCase: TestCase) => Promise<ChainRun>
}

export type ChainRun =
  | { readonly kind: 'done'; readonly testCase: TestCase; readonly outcome: Outcome }
  /** `isUnproven`: the other user is not accepted. */
  | { readonly kind: 'missing'; readonly reason: string; readonly isUnproven?: true }

const nothingToDo = (): void => {}

/** The binder of an operation whose requests neither name what exists, nor create or list what others name. */
export const unbound: Binder = {
  bind: async testCase => ({
    ...{ kind: 'bound', testCase, mayBeGone: () => false },
    ...{ done: nothingToDo, doneBefore: nothingToDo },
  }),
  note: nothingToDo,
  otherNames: () => [],
  askBy: nothingToDo,
  askForKind: () => false,
  isAction: false,
  setRepeatable: nothingToDo,
  runChain: async () => ({ kind: 'missing', reason: 'it is not known what the server stores' }),
}

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

/** What an update did to the name of a resource: nothing, it gave it another one, or nobody can say. */
export type NameAfter = 'kept' | 'unknown' | { readonly name: Json }

/**
 * What an accepted update that sent this did to the name of a resource. A server may make names from what is sent: then they change with that. If the
 * response does not show the resource, nobody knows.
 */
export const nameAfter = (instance: Instance, sent: Json | undefined, outcome: Outcome): NameAfter => {
  if (!changesName(instance, sent)) return 'kept'
  const reading = outcome.kind === 'response' ? readJson(outcome.response.body) : null
  const shown = reading?.ok === true ? propertyIn(instance.resource, reading.value) : undefined
  if (shown === undefined) return 'unknown'
  return nameText(shown) === nameText(instance.values.at(-1) as Json) ? 'kept' : { name: shown }
}

/** What names a resource after the last step that a case is about; null if nobody can say. */
export const valuesAfter = (instance: Instance, steps: readonly ChainStep[]): readonly Json[] | null => {
  const last = steps.findLast(({ role }) => role === 'subject')
  const after = last === undefined ? 'kept' : nameAfter(instance, last.sent, last.outcome)
  if (typeof after === 'object') return [...instance.values.slice(0, -1), after.name]
  return after === 'kept' ? instance.values : null
}

/**
 * Whether an update sends something else in place of a text that the name of the resource has in it, or of a property that the server showed to
 * be the name.
 */
const changesName = ({ values, sent: before, answered }: Instance, sent: Json | undefined): boolean => {
  const name = values.at(-1) ?? ''
  const letters = lettersOf(nameText(name))
  if (letters === '' || sent === undefined || !isObject(sent)) return false
  const isOther = (key: string, value: Json): boolean =>
    Object.entries(sent).some(([other, given]) => isKeyOf(other, key) && !sameJson(given, value))
  const isPart = (value: Json): boolean => {
    const part = typeof value === 'string' ? lettersOf(value) : ''
    return part !== '' && letters.includes(part)
  }
  const entriesOf = (value: Json | undefined): readonly (readonly [string, Json])[] =>
    value !== undefined && isObject(value) ? Object.entries(value) : []
  return (
    entriesOf(before).some(([key, value]) => isPart(value) && isOther(key, value)) ||
    entriesOf(answered).some(
      ([key, value]) => typeof value === 'string' && value === name && isOther(key, value),
    )
  )
}

/** Whether a property of an update is about the one that a resource has: `new_name` is about `name`. */
const isKeyOf = (other: string, key: string): boolean =>
  other === key || /^(?:new|next|target|to)(.+)$/.exec(plainName(other))?.[1] === plainName(key)

const lettersOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

const shownBy = ({ answered, sent }: Instance): readonly (readonly [string, Json])[] =>
  [answered, sent].flatMap(value => (value !== undefined && isObject(value) ? Object.entries(value) : []))

export const chainOf = ({ steps, values }: Instance): Chain => ({ steps, values, exists: true })

/** Tells apart resources of different kinds, and how they were made. */
export const kindKey = ({ shape }: Resource, kind: InstanceKind | ''): string =>
  `${shape} ${typeof kind === 'string' ? kind : kind.contents.join(' ')}`

/** Of a kind of resources and names: what was created may be a number where its path has a text. */
export const keyOf = ({ shape }: Resource, values: readonly Json[]): string =>
  `${shape} ${values.map(nameText).join(' ')}`

/** The names of others that a resource may belong to or speak of. */
export const namesIn = ({ values, sent, answered }: Instance): readonly string[] =>
  [...values.slice(0, -1), ...scalarsIn(sent), ...scalarsIn(answered)].map(nameText)

const deepest = 4

/** Texts and numbers at any place of a value, as far as names of others stand there. */
const scalarsIn = (value: Json | undefined, depth = 0): readonly Json[] => {
  if (value === undefined || depth > deepest) return []
  if (isArray(value)) return value.flatMap(item => scalarsIn(item, depth + 1))
  if (isObject(value)) return Object.values(value).flatMap(member => scalarsIn(member, depth + 1))
  return canBeName(value) ? [value] : []
}
