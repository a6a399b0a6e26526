import { deriveSeed } from '../../generator/index.ts'
import {
  createsByName,
  headerParameter,
  type Json,
  keyHeaderOf,
  needsCondition,
  resourcesOf,
  type Subject,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { RandomValues } from '../cases/random-values.ts'
import { rawRequestOf, renderRequest } from '../cases/render.ts'
import type { Attempt } from './lost-connections.ts'

/**
 * Headers whose values nobody can plan: a key stands for one request, and If-Match has to hold. Both are given when a request is sent, unless
 * it is about them.
 */
export type GivenHeaders = {
  readonly given: (testCase: TestCase) => TestCase
  /** Sends a case with the ETag of the resource that its path names, if it has to have one; and with a star if the server takes that for another. */
  readonly sendConditioned: (
    testCase: TestCase,
    send: (testCase: TestCase) => Promise<Attempt>,
  ) => Promise<Attempt>
  /** The spec with a key that no request had; undefined if the operation takes none, or no value of its schema is known. */
  readonly withNewKey: (spec: RequestSpec) => RequestSpec | undefined
}

export type GivenHeadersOptions = {
  readonly model: OperationModel
  /** Tells the keys of this run from those of earlier ones. */
  readonly salt: number
  readonly values: RandomValues
  /** The ETag of what has these names now, the outermost first; null if none is known. */
  readonly tagOf: (values: readonly Json[]) => Promise<string | null>
}

export const createGivenHeaders = ({ model, salt, values, tagOf }: GivenHeadersOptions): GivenHeaders => {
  const { contract, operation } = model
  const key = keyHeaderOf(contract, operation)?.name
  const names = resourcesOf(contract).namesIn(operation)
  const condition = conditionOf(model)
  /** Those that were asked for: any other value is made up. */
  const tags = new Set<string>()
  const newKey = (name: string): Json | undefined => {
    const parameter = model.parameters.find(each => each.parameter.name === name)
    const number = counts.get(model) ?? 0
    counts.set(model, number + 1)
    const isValid = (value: Json | undefined): boolean =>
      value !== undefined && parameter?.isValid(value) === true
    const base = deriveSeed(salt, operation.id)
    const fitting = keysOf(base, number).find(isValid)
    if (fitting !== undefined) return fitting
    const random = Array.from({ length: mostTried }, (_, at) =>
      values.parameter(name, base + number * mostTried + at),
    )
    return random.find(isValid)
  }
  const withNewKey: GivenHeaders['withNewKey'] = spec => {
    const value = key === undefined ? undefined : newKey(key)
    return key === undefined || value === undefined
      ? undefined
      : { ...spec, parameters: { ...spec.parameters, [key]: value } }
  }
  const isAbout = ({ obligation: { subject }, spec }: TestCase, name: string): boolean =>
    isOfHeaders(subject) ||
    ('location' in subject && isSameHeader(subject.location.name, name)) ||
    spec.path !== operation.path ||
    spec.method !== operation.method
  const written = (testCase: TestCase, spec: RequestSpec): TestCase => {
    const request = renderRequest(operation, spec)
    const raw = testCase.request.raw === undefined ? null : rawRequestOf(request, spec)
    return { ...testCase, spec, request: raw === null ? request : { ...request, raw } }
  }
  const withTag = async (testCase: TestCase): Promise<TestCase> => {
    const { spec, obligation } = testCase
    const { subject } = obligation
    const isOfName = 'location' in subject && subject.location.in === 'path'
    if (condition === null || isAbout(testCase, ifMatch) || isOfName) return testCase
    if (!condition.isDue(spec)) return testCase
    const tag = await tagOf(names.flatMap(({ parameter }) => spec.parameters[parameter] ?? []))
    if (tag === null || tag.startsWith('W/')) return testCase
    tags.add(tag)
    return written(testCase, condition.given(spec, tag))
  }
  return {
    withNewKey,
    given: testCase => {
      const { spec } = testCase
      const hasKey = key !== undefined && spec.parameters[key] !== undefined && !isAbout(testCase, key)
      const keyed = hasKey ? (withNewKey(spec) ?? spec) : spec
      const isFree = condition !== null && !isAbout(testCase, ifMatch) && !tags.has(condition.in(spec) ?? '')
      const next = isFree ? condition.given(keyed, '*') : keyed
      return next === spec ? testCase : written(testCase, next)
    },
    sendConditioned: async (testCase, send) => {
      const tagged = await withTag(testCase)
      const attempt = await send(tagged)
      const { outcome } = attempt
      const isUnmet = tagged !== testCase && outcome.kind === 'response' && outcome.response.status === 412
      return isUnmet ? send(testCase) : attempt
    },
  }
}

const mostTried = 20

/** How many keys an operation has had: its requests are made by several senders, one after the other. */
const counts = new WeakMap<OperationModel, number>()

/** A key in the forms that schemas ask for most. */
const keysOf = (base: number, number: number): readonly string[] => {
  const uuid = `${base.toString(16).padStart(8, '0')}-0000-4000-b000-${number.toString(16).padStart(12, '0')}`
  return [uuid, `"${uuid}"`, uuid.replaceAll('-', ''), `k${base.toString(36)}x${number}`]
}

const ifMatch = 'If-Match'

/** Whether an obligation is about keys or conditions: then its chain says which. */
const isOfHeaders = (subject: Subject): boolean =>
  subject.kind === 'state' && /^(?:key|if)-/.test(subject.name)

type Condition = {
  readonly in: (spec: RequestSpec) => string | null
  /** Whether a request has a condition, or needs one. */
  readonly isDue: (spec: RequestSpec) => boolean
  /** The spec with this condition, if it is due and the document allows it. */
  readonly given: (spec: RequestSpec, value: string) => RequestSpec
}

/** What an operation may require of a resource that exists; null if it declares no conditions, or creates resources by their names. */
const conditionOf = ({ contract, operation, parameters }: OperationModel): Condition | null => {
  const graph = resourcesOf(contract)
  const created = graph.createdBy(operation)
  const isItem = graph.namesIn(operation).length > 0
  if (!isItem || (created !== null && createsByName(created, operation))) return null
  const declared = headerParameter(operation, ifMatch)
  const isNeeded = needsCondition(operation)
  if (declared === undefined && !isNeeded) return null
  const isValid = parameters.find(({ parameter }) => parameter === declared)?.isValid
  const valueIn = ({ parameters: given, extra }: RequestSpec): Json | undefined =>
    declared === undefined
      ? extra.find(({ in: part, name }) => part === 'header' && isSameHeader(name, ifMatch))?.value
      : given[declared.name]
  const isDue = (spec: RequestSpec): boolean => isNeeded || valueIn(spec) !== undefined
  return {
    isDue,
    in: spec => {
      const value = valueIn(spec)
      return typeof value === 'string' ? value : null
    },
    given: (spec, value) =>
      isDue(spec) && isValid?.(value) !== false ? withHeader(operation, spec, ifMatch, value) : spec,
  }
}

const isSameHeader = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

/** The request with this header, as the parameter that it is, or beside those that are declared. */
export const withHeader = (
  operation: OperationModel['operation'],
  spec: RequestSpec,
  name: string,
  value: string,
): RequestSpec => {
  const parameter = headerParameter(operation, name)
  if (parameter !== undefined) return { ...spec, parameters: { ...spec.parameters, [parameter.name]: value } }
  const others = spec.extra.filter(field => field.in !== 'header' || !isSameHeader(field.name, name))
  return { ...spec, extra: [...others, { in: 'header', name, value }] }
}
