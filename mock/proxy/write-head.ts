import type { IncomingMessage } from 'node:http'
import type { Context } from '../engine/context.ts'
import { fieldsForClient } from './fields.ts'
import type { Passing } from './judge-exchange.ts'

const violationsHeader = 'Plantstore-Violations'

/** Writes the head of the server's response as it is, but for what belongs to the connection. */
export const writeHead = (
  { request, response, sent, forwarding, context, head }: Passing,
  incoming: IncomingMessage,
): void => {
  const fields = fieldsForClient(incoming, request.httpVersion === '1.0')
  const violations = forwarding.violationsHeader === true ? violationIds(context) : []
  if (violations.length > 0) fields.push(violationsHeader, violations.join(', '))
  if (isAnnouncedLast(incoming)) response.shouldKeepAlive = false
  // A client that waits for 100 may send the body all the same, or another request: nobody could tell which.
  if (head !== null || (request.headers.expect !== undefined && !sent.isWhole()))
    response.shouldKeepAlive = false
  // Node adds nothing of its own, unless the connection is to be closed.
  response.sendDate = false
  response.removeHeader('Transfer-Encoding')
  if (response.shouldKeepAlive && isFramed(incoming, request)) response.removeHeader('Connection')
  else response.shouldKeepAlive = false
  response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage ?? '', fields)
}

/** Whether the server says that it closes the connection after this response. */
const isAnnouncedLast = ({ headers: { connection = '' }, httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.0' ? !/\bkeep-alive\b/i.test(connection) : /\bclose\b/i.test(connection)

/** Whether a response has an end of its own; otherwise that is the end of the connection. */
const isFramed = (
  { headers, statusCode }: IncomingMessage,
  { method, httpVersion }: IncomingMessage,
): boolean =>
  headers['content-length'] !== undefined ||
  (headers['transfer-encoding'] !== undefined && httpVersion !== '1.0') ||
  method === 'HEAD' ||
  statusCode === 204 ||
  statusCode === 304

const isPrintable = (text: string): boolean => /^[\x20-\x7e]+$/.test(text)

/** The ids of what an exchange breaks, of many the first ones. */
const violationIds = ({ judged, forwarded }: Context): readonly string[] =>
  [...(judged?.violations ?? []), ...(forwarded?.violations ?? [])]
    .map(({ id }) => id)
    .filter(isPrintable)
    .slice(0, 10)
