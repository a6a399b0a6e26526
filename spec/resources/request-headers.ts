/** Headers that a document declares for requests whose meaning HTTP or its drafts define: keys of repeated requests, and conditions. */
import type { Contract, Operation, Parameter } from '../contract/contract.ts'
import { asNode, follow } from '../json/follow-refs.ts'
import type { Level } from '../obligations/obligation.ts'

/** Whether a parameter has the key of a request, by which a server knows its repetitions. A request id is one if its description says so. */
export const isKeyHeader = (
  { requests: { document } }: Pick<Contract, 'requests'>,
  { in: part, name, pointer }: Parameter,
): boolean => {
  if (part !== 'header') return false
  if (/^(?:x-)?idempotency-key$/i.test(name)) return true
  if (!/^x-request-id$/i.test(name)) return false
  const { description } = asNode(follow(document, pointer).node)
  return typeof description === 'string' && /idempoten/i.test(description)
}

/** The parameter that has the key of a request; null if an operation takes no keys. */
export const keyHeaderOf = (
  contract: Pick<Contract, 'requests'>,
  { parameters }: Operation,
): Parameter | null => parameters.find(parameter => isKeyHeader(contract, parameter)) ?? null

/** The parameter for this header, in any letter case; undefined if an operation declares none. */
export const headerParameter = ({ parameters }: Operation, name: string): Parameter | undefined =>
  parameters.find(each => each.in === 'header' && each.name.toLowerCase() === name.toLowerCase())

const declares = ({ responses }: Operation, status: string): boolean =>
  responses.some(response => response.status === status)

const givesTag = ({ responses }: Operation): boolean =>
  responses.some(
    ({ status, headers }) => /^2/.test(status) && headers.some(({ name }) => /^etag$/i.test(name)),
  )

/** How surely an operation that reads heeds If-None-Match: not at all (null) if the document declares no ETags. */
export const readingLevel = (read: Operation): Level | null => {
  if (declares(read, '304') || headerParameter(read, 'If-None-Match') !== undefined) return 'MUST'
  return givesTag(read) ? 'SHOULD' : null
}

/** How surely an operation that writes what another reads heeds If-Match: a 412 alone may be about other conditions than those of HTTP. */
export const writingLevel = (write: Operation, read: Operation): Level | null => {
  if (headerParameter(write, 'If-Match') !== undefined || declares(write, '428')) return 'MUST'
  if (!declares(write, '412')) return null
  return givesTag(read) ? 'MUST' : 'SHOULD'
}

/** Whether an operation refuses requests without If-Match. */
export const needsCondition = (operation: Operation): boolean =>
  headerParameter(operation, 'If-Match')?.required === true || declares(operation, '428')
