import {
  isNumber,
  isObject,
  isOfBody,
  type Json,
  type JsonObject,
  numberText,
  type Obligation,
  type PathName,
  propertyFor,
  type ResourceGraph,
  rawNumber,
  setAt,
  step,
  typeOf,
} from '../../spec/index.ts'
import type { Chain, RequestSpec, TestCase } from '../cases/case.ts'
import { expectationOf } from '../cases/expectation.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { Use } from './instance.ts'

/** The place in the request that an obligation is about; null if it is about no single one. */
const locationOf = ({ subject }: Obligation) => ('location' in subject ? subject.location : null)

/**
 * How many of the names in a path a case leaves to us, from the left. It is about the next one itself: a value of the parameter that
 * has to be accepted or rejected whether or not anything has this name.
 */
export const freeNames = (names: readonly PathName[], { obligation }: TestCase): number => {
  const location = locationOf(obligation)
  const index = location?.in === 'path' ? names.findIndex(({ parameter }) => parameter === location.name) : -1
  return index < 0 ? names.length : index
}

/** Whether a case goes to the path of its operation, with its method. */
export const isOfOperation = ({ operation }: OperationModel, { spec }: TestCase): boolean =>
  spec.method === operation.method && spec.path === operation.path

/**
 * The request with these values in its path, and with the last one in its body as well, if that has the name of the resource: a server
 * may refuse to let a resource have two.
 */
export const specWith = (
  model: OperationModel,
  spec: RequestSpec,
  names: readonly PathName[],
  values: readonly Json[],
  property: string | null,
  obligation: Obligation | null,
): RequestSpec => {
  const bound = names.slice(0, values.length)
  const parameters = {
    ...spec.parameters,
    ...Object.fromEntries(
      bound.map(({ parameter }, index) => [parameter, fitting(model, parameter, values[index] as Json)]),
    ),
  }
  const last = bound.at(-1)
  const isItem = last !== undefined && model.operation.path.endsWith(`{${last.parameter}}`)
  const value = values.at(-1)
  if (!isItem || value === undefined) return { ...spec, parameters }
  const key = property ?? propertyFor(spec.body ?? null, last.resource.names.slice(0, 2))
  const about = obligation === null ? null : locationOf(obligation)
  const isTested = about !== null && isOfBody(about) && key !== null && isWithin(about.place, step('', key))
  if (key === null || isTested || !isObject(spec.body) || !Object.hasOwn(spec.body, key))
    return { ...spec, parameters }
  return { ...spec, parameters, body: withName(model, spec.body, key, value), renewable: false }
}

/** A place with a star for each index: items of a list are alike. */
export const withStars = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*')

/** Whether a place is another one or below it; both are pointers. */
export const isWithin = (place: string, other: string): boolean =>
  place === other || place.startsWith(`${other}/`)

/** The body with this name, in a form in which it violates nothing that it did not before; as it was, if there is none. */
export const withName = (model: OperationModel, body: JsonObject, key: string, value: Json): Json => {
  const wasValid = model.isValidBody(body)
  const type = typeOf(body[key] as Json)
  const named = (name: Json): Json => setAt(body, step('', key), name)
  const fits = (name: Json): boolean => (wasValid ? model.isValidBody(named(name)) : typeOf(name) === type)
  const name = [value, ...otherSpellings(value)].find(fits)
  return name === undefined ? body : named(name)
}

/** The value in the form that a parameter allows: what a Location gives is text. */
const fitting = ({ parameters }: OperationModel, name: string, value: Json): Json => {
  const parameter = parameters.find(model => model.parameter.in === 'path' && model.parameter.name === name)
  return [value, ...otherSpellings(value)].find(candidate => parameter?.isValid(candidate) !== false) ?? value
}

export const otherSpellings = (value: Json): readonly Json[] => {
  if (isNumber(value)) return [numberText(value)]
  return typeof value === 'string' && /^-?(0|[1-9]\d*)$/.test(value) ? [rawNumber(value)] : []
}

/** Whether the document rules out the last of these values in the path. */
export const isInvalidName = (
  { parameters }: OperationModel,
  names: readonly PathName[],
  values: readonly Json[],
): boolean => {
  const [value, name] = [values.at(-1), names[values.length - 1]?.parameter]
  const model = parameters.find(({ parameter }) => parameter.in === 'path' && parameter.name === name)
  return value !== undefined && model?.isValid(value) === false
}

/** The case with another spec; null if it then tests something else. */
export const caseWith = (
  model: OperationModel,
  testCase: TestCase,
  spec: RequestSpec,
  chain: Chain | undefined,
  token: string,
): TestCase | null => {
  const expected = expectationOf(model, testCase.obligation, spec, token)
  if (expected?.expectation !== testCase.expectation) return null
  return { ...testCase, spec, ...expected, ...(chain === undefined ? {} : { chain }) }
}

/** What an operation does to the resource that its path names. */
export const useOf = ({ operation }: OperationModel, graph: ResourceGraph, isItem: boolean): Use => {
  const { method } = operation
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE') return 'read'
  // It adds something below the resource.
  if (!isItem && method === 'POST' && graph.createdBy(operation) !== null) return 'read'
  return method === 'DELETE' && isItem ? 'remove' : 'change'
}
