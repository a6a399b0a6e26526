import {
  askedType,
  type HttpResponse,
  header,
  mediaFor,
  mediaType,
  type ResponseViolation,
  responseFor,
  violationOf,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'

/** Whether a success has the one media type that its request asked for; null: it has, or the case is about something else. */
export const judgeMediaType = (
  { operation }: OperationModel,
  { obligation, request }: TestCase,
  response: HttpResponse,
): ResponseViolation | null => {
  const { subject } = obligation
  if (subject.kind !== 'extra' || subject.name !== askedType || response.status >= 300) return null
  const asked = header(request.headers, 'accept')
  const sent = header(response.headers, 'content-type')
  const [wanted] = mediaFor(responseFor(operation, response.status)?.media ?? [], asked)
  if (wanted === undefined || mediaType(sent) === null) return null
  const [got] = mediaFor(responseFor(operation, response.status)?.media ?? [], sent)
  if (got === undefined || got === wanted) return null
  return violationOf(obligation, {
    expected: `Content-Type ${wanted.type}`,
    actual: `Content-Type ${sent}`,
    title: `answered ${response.status} as ${sent} to a request for ${wanted.type} alone`,
  })
}
