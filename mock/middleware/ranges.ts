import { header, type Operation, responseFor } from '../../spec/index.ts'
import { type MockResponse, noBody, withHeader } from '../engine/compiled-response.ts'
import type { Middleware } from '../engine/context.ts'
import { chain } from '../engine/maybe-promise.ts'
import type { MockRequest } from '../engine/request.ts'

/**
 * Sends the part of a download that a request asks for (RFC 9110, 14): of files, and where the operation declares a 206. One
 * range of bytes; anything else gets the whole body, as servers may.
 */
export const ranges: Middleware = (context, next) =>
  chain(next(context), response => {
    const operation = context.judged?.operation
    const isWhole = response.status === 200 && response.stream === undefined && response.body.length > 0
    if (operation === undefined || !isWhole || !isDownload(operation, response)) return response
    const offered = withHeader(response, 'Accept-Ranges', 'bytes')
    const { length } = response.body
    const range = rangeOf(context.request, length)
    if (range === null) return offered
    // A failure has to be declared; a server may also ignore what it cannot satisfy.
    if (range === 'unsatisfiable')
      return responseFor(operation, 416) === null
        ? offered
        : { status: 416, headers: [['Content-Range', `bytes */${length}`]], body: noBody }
    const [first, last] = range
    const part = { ...offered, status: 206, body: response.body.subarray(first, last + 1) }
    return withHeader(part, 'Content-Range', `bytes ${first}-${last}/${length}`)
  })

const isDownload = (operation: Operation, { headers }: MockResponse): boolean =>
  operation.responses.some(({ status }) => status === '206') ||
  files.test(header(headers, 'content-type') ?? '')

const files = /^\s*(?:(?:image|audio|video|font)\/|application\/(?:octet-stream|pdf|zip|gzip)\s*(?:;|$))/i

/** The first and the last byte that are asked for; null: the whole body is. */
const rangeOf = (
  { method, headers }: MockRequest,
  length: number,
): readonly [first: number, last: number] | 'unsatisfiable' | null => {
  const [, from = '', to = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header(headers, 'range') ?? '') ?? []
  // The mock sends no validators, so nothing that If-Range names is what it has.
  if (method !== 'GET' || from + to === '' || header(headers, 'if-range') !== null) return null
  if (from === '') return Number(to) === 0 ? 'unsatisfiable' : [Math.max(0, length - Number(to)), length - 1]
  if (to !== '' && Number(to) < Number(from)) return null
  return Number(from) >= length
    ? 'unsatisfiable'
    : [Number(from), to === '' ? length - 1 : Math.min(Number(to), length - 1)]
}
