import {
  errorCodes,
  header,
  type Json,
  needsCondition,
  readingLevel,
  writeJson,
  writingLevel,
} from '../../spec/index.ts'
import { digest } from '../chance/hash.ts'
import { type MockResponse, noBody, withHeader } from '../engine/compiled-response.ts'
import { failWith } from '../engine/reject.ts'
import type { Kind } from './kinds.ts'
import { findInstance, type KeptRequest } from './stored-collections.ts'

/** The ETag of what is kept. */
export const tagOf = (instance: Json): string => `"${digest(writeJson(instance)).slice(0, 16)}"`

/** The response to a request whose condition does not hold, or that needs one (RFC 9110 13, RFC 6585 3); null: it is to be done. */
export const unmetCondition = async (request: KeptRequest, kind: Kind): Promise<MockResponse | null> => {
  const { stateContext, client, judged, plan, values } = request
  const { operation } = judged
  const { read } = kind.resource
  const isRead = plan.role === 'read'
  if (read === null || !['read', 'replace', 'change', 'remove'].includes(plan.role)) return null
  if ((isRead ? readingLevel(read) : writingLevel(operation, read)) === null) return null
  const stored = await findInstance(stateContext, client, kind, values)
  // What is not there is answered as such; nothing can be said against making it.
  if (stored === undefined) return null
  const tag = tagOf(stored.instance)
  const { headers } = judged.request
  if (isRead) {
    const asked = header(headers, 'if-none-match')
    return asked !== null && names(asked, tag, true)
      ? { status: 304, headers: [['ETag', tag]], body: noBody }
      : null
  }
  const { engine } = stateContext.resourceContext
  const asked = header(headers, 'if-match')
  if (asked === null)
    return needsCondition(operation)
      ? failWith(
          engine,
          operation,
          428,
          reasonOf('the request needs If-Match with the ETag of what it changes'),
        )
      : null
  return names(asked, tag, false)
    ? null
    : failWith(engine, operation, 412, reasonOf(`the ETag is ${tag}, and not ${asked.slice(0, 100)}`))
}

const reasonOf = (message: string) => ({ code: errorCodes.conditionFailed, messages: [message] })

/** Whether a list of ETags has this one, or stands for all; If-None-Match takes weak ones as well. */
const names = (list: string, tag: string, isWeak: boolean): boolean =>
  list.trim() === '*' ||
  (list.match(/(?:W\/)?"[^"]*"/g) ?? []).some(each => (isWeak ? each.replace(/^W\//, '') : each) === tag)

/** A response of an operation that reads by conditions, with the ETag of what it shows, whether the document declares the header or only 304. */
export const withTag = (
  response: MockResponse,
  { plan, judged }: KeptRequest,
  instance: Json,
): MockResponse =>
  plan.role === 'read' && readingLevel(judged.operation) !== null
    ? withHeader(response, 'ETag', tagOf(instance))
    : response
