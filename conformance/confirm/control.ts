/** A control is a failed case without what it tests: only if the server accepts that, what it tests is to blame. */
import { isOfBody, type Json, placeOf, plainValue, setAt, step, valueAt } from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { isTaken } from '../judge/expected-status.ts'
import type { Incident } from '../judge/run-stats.ts'
import type { Sent } from '../send/lost-connections.ts'
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
})

/** The request with a good value in the place of the tested one, or sent plainly if it is about how it is sent. */
export const controlOf = (testCase: TestCase, model: OperationModel): RequestSpec | null => {
  const { spec, obligation } = testCase
  const place = testedPlace(testCase)
  const root = model.body?.root
  if (place !== null && root !== undefined && spec.body !== undefined) {
    const schema = placeOf(root, place)
    if (schema === null) return null
    const name = model.identity?.name
    const body = setAt(spec.body, place, plainValue(schema))
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
    default:
      return null
  }
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
  isTaken(operation, outcome.response.status, testCase.chain?.isThere === true)
