import { type Contract, isObject, operationContext, readJson, writeJson } from '../../spec/index.ts'
import { type MockResponse, noBody } from '../engine/mock-response.ts'
import type { JudgedRequest } from '../engine/request.ts'
import { bytesOf } from '../engine/write-response.ts'

/** A success with the properties that the request sent without being declared, as a server that keeps whatever it gets. */
export const withEcho = (
  contract: Contract,
  { operation, body }: JudgedRequest,
  response: MockResponse,
): MockResponse => {
  const declared = operationContext(contract, operation).body?.root.properties ?? []
  const sent = isObject(body) ? Object.entries(body).filter(([name]) => !declared.includes(name)) : []
  if (sent.length === 0 || response.status >= 300 || response.stream !== undefined) return response
  const reading = response.body === noBody ? null : readJson(response.body)
  if (reading?.ok !== true || !isObject(reading.value)) return response
  return { ...response, body: bytesOf(writeJson({ ...Object.fromEntries(sent), ...reading.value })) }
}
