import {
  canBeName,
  isElsewhere,
  isNamingName,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
  type Outcome,
  outerNamesIn,
  type Resource,
  readJson,
  resourcesOf,
  unwrapped,
  valueAt,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { hasDone } from '../judge/expected-status.ts'
import type { CreatedNames } from '../options/run-options.ts'
import type { NameHistory } from '../pool/name-history.ts'
import type { Sent } from '../send/lost-connections.ts'
import { type Maker, sendNamed } from './creator.ts'

/**
 * Which property of a creation names what it created: the one that the user has named, or, if no property has one of the usual names or nothing
 * is found by it, what the path was found to take.
 */
export type LearnedNames = {
  /** The pointer that the user has named for what an operation creates; undefined if there is none. */
  readonly said: (creator: Operation) => string | undefined
  /** The name of what this request created by what was said or learned; undefined if neither gives one. */
  readonly nameOf: (resource: Resource, creator: Operation, sent: Sent) => LearnedName | undefined
  /** Asks for what was created by one scalar after the other, once for each kind of resource. */
  readonly learn: (resource: Resource, creator: Operation, sent: Sent) => Promise<void>
}

/** `property`: that has it in the resource; null if a pointer of the user does. `isSent`: the request has it. */
export type LearnedName = { readonly value: Json; readonly property: string | null; readonly isSent: boolean }

type Property = { readonly part: 'response' | 'request'; readonly key: string }

/** Properties that are tried. */
export const mostTried = 6

export const createLearnedNames = (
  makerOf: (operation: string) => Maker,
  createdNames: CreatedNames,
  wasThereBefore: NameHistory['wasThereBefore'],
): LearnedNames => {
  const known = new Map<string, Promise<Property | null>>()
  const settled = new Map<string, Property | null>()

  const isFound = async ({ read }: Resource, values: readonly Json[]): Promise<boolean> => {
    if (read === null) return false
    const outcome = (await sendNamed(makerOf(read.id), values))?.outcome
    return outcome !== undefined && hasDone(read, outcome)
  }

  /** What a request names and somebody has shown before may be what something new is made from. */
  const isKnown = ({ part }: Property, name: Json, { testCase }: Sent): boolean =>
    part === 'request' && wasThereBefore(name, null, testCase.obligation.operation)

  const search = async (resource: Resource, sent: Sent, outer: readonly Json[]): Promise<Property | null> => {
    // A server that finds whatever it is asked for shows nothing.
    if (resource.read === null || (await isFound(resource, [...outer, madeUp]))) return null
    for (const property of propertiesOf(sent).slice(0, mostTried)) {
      const name = valueIn(property, sent)
      if (name === undefined || isKnown(property, name, sent)) continue
      if (await isFound(resource, [...outer, name])) return property
    }
    return null
  }

  return {
    said: ({ id }) => createdNames[id],
    nameOf: ({ shape }, { id }, sent) => {
      const said = createdNames[id]
      const property = settled.get(shape) ?? null
      const value =
        said !== undefined ? nameAt(said, sent) : property === null ? undefined : valueIn(property, sent)
      return value === undefined
        ? undefined
        : {
            value,
            property: property?.key ?? null,
            isSent: said === undefined && property?.part === 'request',
          }
    },
    learn: async (resource, creator, sent) => {
      if (createdNames[creator.id] !== undefined) return
      const { shape } = resource
      const found =
        known.get(shape) ??
        search(resource, sent, outerNames(resource, makerOf(creator.id).model, sent) ?? [])
      known.set(shape, found)
      settled.set(shape, await found)
    },
  }
}

const madeUp = 'qz0x7made-up'

/** Those that are usually names first; the response before the request. */
const propertiesOf = (sent: Sent): readonly Property[] =>
  (['response', 'request'] as const)
    .flatMap(part => Object.keys(objectIn(part, sent)).map(key => ({ part, key })))
    .toSorted((one, other) => Number(isNamingName(other.key)) - Number(isNamingName(one.key)))

/** The properties of an object that may be its name, those that usually are first. */
export const namesFirst = (value: Json): readonly (readonly [key: string, name: Json])[] =>
  Object.entries(isObject(value) ? value : {})
    .filter(([, member]) => canBeName(member))
    .toSorted(([one], [other]) => Number(isNamingName(other)) - Number(isNamingName(one)))

const objectIn = (part: Property['part'], { testCase, outcome }: Sent): { readonly [key: string]: Json } => {
  const reading = outcome.kind === 'response' && part === 'response' ? readJson(outcome.response.body) : null
  const value = part === 'request' ? testCase.spec.body : reading?.ok === true ? reading.value : undefined
  return value !== undefined && isObject(value) ? possibleNames(value) : {}
}

/** The members of an object that may be its name; those of the only object in it, if it has none itself. */
const possibleNames = (value: JsonObject): JsonObject => {
  const members = Object.entries(value)
  const scalars = members.filter(([, member]) => canBeName(member))
  const [inner, ...others] = members.map(([, member]) => member).filter(isObject)
  return scalars.length === 0 && inner !== undefined && others.length === 0
    ? possibleNames(inner)
    : Object.fromEntries(scalars)
}

/** The scalar at a pointer into the response, or else into the request. */
const nameAt = (pointer: string, { testCase, outcome }: Sent): Json | undefined => {
  const reading = outcome.kind === 'response' ? readJson(outcome.response.body) : null
  return [reading?.ok === true ? reading.value : undefined, testCase.spec.body]
    .map(value => valueAt(value, pointer) as Json | undefined)
    .find(value => value !== undefined && canBeName(value))
}

const valueIn = ({ part, key }: Property, sent: Sent): Json | undefined => objectIn(part, sent)[key]

/** The names of what is around a resource that a request has made or listed; null if nobody says them. `shown`: the resource. */
export const outerNames = (
  resource: Resource,
  model: OperationModel,
  { testCase, outcome }: Pick<Sent, 'testCase' | 'outcome'>,
  shown: Json | undefined = bodyOf(outcome),
): readonly Json[] | null => {
  if (!isElsewhere(resource, model.operation)) return valuesInPath(model, testCase)
  const item = shown === undefined ? undefined : (unwrapped(shown, resource.names) ?? shown)
  const isInPath = (parameter: string): boolean => model.operation.path.includes(`{${parameter}}`)
  return outerNamesIn(resource, item, name => (isInPath(name) ? testCase.spec.parameters[name] : undefined))
}

const bodyOf = (outcome: Outcome): Json | undefined => {
  const reading = outcome.kind === 'response' ? readJson(outcome.response.body) : null
  return reading?.ok === true ? reading.value : undefined
}

/** What the path of a request names, the outermost first: what is around a resource may have a name that was made up. */
export const valuesInPath = (
  { contract, operation }: OperationModel,
  { chain, spec }: TestCase,
): readonly Json[] =>
  resourcesOf(contract)
    .namesIn(operation)
    .flatMap(({ parameter }, index) => chain?.values[index] ?? spec.parameters[parameter] ?? [])
