/** A control is a failed case without what it tests: only if the server accepts that, what it tests is to blame. */
import {
  isArray,
  isOfBody,
  type Json,
  placeOf,
  placesOf,
  placeVariants,
  plainValue,
  sameJson,
  setAt,
  step,
  type ValueLocation,
  valueAt,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { isTaken } from '../judge/expected-status.ts'
import type { Incident } from '../judge/run-stats.ts'
import type { Sent } from '../send/lost-connections.ts'
import { valueIn, withValues } from './differences.ts'
import type { ConfirmOptions } from './resend-options.ts'

/** The pointer to the value of the body that a case is about; null if it is not about a single one. */
const testedPlace = ({ obligation: { subject } }: TestCase): string | null => {
  if (subject.kind !== 'value' && subject.kind !== 'keyword') return null
  const { location } = subject
  if (!isOfBody(location) || location.place.includes('*')) return null
  const place =
    subject.kind === 'keyword' && subject.keyword === 'required'
      ? step(location.place, subject.detail)
      : location.place
  return place === '' ? null : place
}

/** The value that a case is about, in a body of its kind; undefined if there is none. */
export const testedValue = (testCase: TestCase, body: Json | undefined): Json | undefined => {
  const place = testedPlace(testCase)
  return place === null ? undefined : (valueAt(body, place) as Json | undefined)
}

/** The same request with its body and credentials written as usual. */
export const writtenPlainly = (spec: RequestSpec, { body }: OperationModel): RequestSpec => ({
  ...spec,
  encoding: { kind: 'json' },
  contentType: body?.media.type ?? null,
  chunked: false,
  queryEscapes: false,
  credentials: null,
  extra: [],
  malformedHttp: null,
})

/**
 * The request with a good value in the place of the tested one, or sent plainly if it is about how it is sent. `accepted`: a request that
 * the server accepted, whose value is known to be good; null if there is none.
 */
export const controlOf = (
  testCase: TestCase,
  model: OperationModel,
  accepted: RequestSpec | null = null,
): RequestSpec | null => {
  const { spec, obligation } = testCase
  const place = testedPlace(testCase)
  const root = model.body?.root
  if (place !== null && root !== undefined && spec.body !== undefined) {
    const schema = placeOf(root, place)
    if (schema === null) return null
    const name = model.identity?.name
    const good = accepted === null ? undefined : (valueAt(accepted.body, place) as Json | undefined)
    const body = setAt(spec.body, place, good ?? plainValue(schema))
    const isRenewed = name !== undefined && place === step('', name)
    return { ...spec, body, renewable: spec.renewable || isRenewed, derivedFrom: null }
  }
  switch (obligation.subject.kind) {
    case 'malformed':
    case 'part':
    case 'layout':
    case 'framing':
    case 'query-escapes':
    case 'size':
    case 'media':
    case 'credentials':
    case 'extra':
      return writtenPlainly(spec, model)
    case 'protocol':
      return obligation.subject.isOrdinary ? writtenPlainly(spec, model) : null
    case 'value':
      return parameterControl(testCase, model, accepted)
    // Without what came before it on its connection.
    case 'stability':
      return testCase.precondition === 'none' ? null : spec
    default:
      return null
  }
}

/** The request with a good value of the parameter that its case is about. */
const parameterControl = (
  { spec, obligation: { subject } }: TestCase,
  model: OperationModel,
  accepted: RequestSpec | null,
): RequestSpec | null => {
  if (subject.kind !== 'value' || isOfBody(subject.location)) return null
  const { location } = subject
  const good = accepted === null ? undefined : valueIn(accepted, location)
  // What has to be compared with a name that nothing need have is another such name.
  const isName = location.in === 'path' && typeof good === 'string'
  const value = isName ? `${good}q` : (good ?? plainOf(location, model))
  return value === null || valueIn(spec, location) === undefined
    ? null
    : withValues(spec, [{ location, value }])
}

/** A plain value of what stands at a place; null if nothing is declared there. */
export const plainOf = (location: ValueLocation, model: OperationModel): Json | null => {
  const root = model.body?.root
  const ofBody = root === undefined ? null : placeOf(root, location.place)
  const place = isOfBody(location)
    ? ofBody
    : model.parameters.find(({ parameter: { name } }) => name === location.name)?.root
  // Of the kind that plain requests have, and not of letters alone: these are a kind of texts themselves.
  if (place == null) return null
  const value = plainValue(place, null, 'q7z9')
  const [item] = place.children
  // A list without items leaves no trace in a query or a form.
  return isArray(value) && value.length === 0 && item !== undefined ? [plainValue(item, null, 'q7z9')] : value
}

/** Plain values of each alternative of what stands at a place of a body; of a parameter, the plain one. */
export const plainValuesOf = (location: ValueLocation, model: OperationModel): readonly Json[] => {
  const root = model.body?.root
  const place = root === undefined || !isOfBody(location) ? null : placeOf(root, location.place)
  const values = place === null ? [] : placeVariants(place).map(each => plainValue(each, null, 'q7z9'))
  const plain = plainOf(location, model)
  const all = [...(plain === null ? [] : [plain]), ...values]
  return all.filter((value, index) => all.findIndex(other => sameJson(other, value)) === index)
}

/** The request with a plain value of the alternative that its case is about; null if it is about none. */
export const branchControl = (
  { spec, obligation: { subject } }: TestCase,
  model: OperationModel,
): RequestSpec | null => {
  if (subject.kind !== 'branch' || (subject.keyword !== 'oneOf' && subject.keyword !== 'anyOf')) return null
  const { location, schema } = subject
  if (location.place.includes('*') || !isOfBody(location) || spec.body === undefined) return null
  const value = plainValue(placesOf(model.contract.requests.document, schema))
  return { ...spec, body: setAt(spec.body, location.place, value) }
}

/** Whether the values of an obligation are about how long they are. */
export const isAboutLength = ({ name }: { readonly name: string }): boolean => /^long|length/i.test(name)

const letters = 'abcdefghijklmnopqrstuvwxyz'

/**
 * The request with a text of plain letters in place of the tested one, as long as that: if it is rejected alike, what the tested text is
 * made of is not to blame. Null if the case is about no text, about how long it is, or about plain letters themselves.
 */
export const asLongControl = ({ spec, obligation: { subject }, number }: TestCase): RequestSpec | null => {
  if (subject.kind !== 'value' || isAboutLength(subject) || subject.name === 'ascii') return null
  const { location } = subject
  const text = location.place.includes('*') ? undefined : valueIn(spec, location)
  if (typeof text !== 'string' || text === '') return null
  // Other letters in each case, as a server may take each text only once.
  const value = Array.from([...text], (_, index) => letters[(number + index * (number % 25 || 1)) % 26]).join(
    '',
  )
  return withValues(spec, [{ location, value }])
}

/** Whether the control of a failed case is accepted, or it needs none: a success where a rejection is required fails by itself. */
export const isControlAccepted = async (
  { testCase, outcome }: Incident,
  options: ConfirmOptions,
): Promise<boolean> => {
  const { operation } = options.model
  const isAccepted = outcome.kind === 'response' && isTaken(operation, outcome.response.status, false)
  if (testCase.expectation === 'reject' && isAccepted) return true
  const spec = controlOf(testCase, options.model)
  const control = spec === null ? null : options.sender.validVariant(testCase, spec)
  if (control === null) return true
  options.budget.left -= 1
  return wasAccepted(options.model, await options.sender.send(control))
}

/** Whether a request was sent and accepted. */
export const wasAccepted = ({ operation }: OperationModel, { testCase, outcome, missing }: Sent): boolean =>
  missing === undefined &&
  outcome.kind === 'response' &&
  isTaken(operation, outcome.response.status, testCase.chain?.exists === true)
