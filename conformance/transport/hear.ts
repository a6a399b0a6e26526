import { type Answer, type Headers, header } from '../../spec/index.ts'

/** What was read from a connection: final answers and the statuses of interim ones; `problem`: it is not HTTP. */
export type Heard = {
  readonly answers: readonly Answer[]
  readonly interim: readonly number[]
  readonly problem: string | null
}

type Body = { readonly body: Uint8Array; readonly end: number }

/**
 * Reads the answers that follow each other in some bytes (RFC 9112 6.3), to GET and POST. No HTTP client does: each
 * reads one answer to one request of its own. `closed`: no more bytes will come.
 */
export const hear = (bytes: Buffer, closed: boolean): Heard => {
  const answers: Answer[] = []
  const interim: number[] = []
  let at = 0
  while (at < bytes.length) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    if (headEnd < 0) break
    const [first = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n')
    const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(first)?.[1] ?? 0)
    if (status === 0) return { answers, interim, problem: `not an answer: ${first.slice(0, 80)}` }
    const headers = lines.map(fieldOf)
    if (status < 200) {
      interim.push(status)
      at = headEnd + 4
      continue
    }
    const read = bodyOf(bytes, headEnd + 4, status, headers, closed)
    if (read === null) break
    answers.push({ status, headers, body: read.body })
    at = read.end
  }
  const isHttp = bytes.length === 0 || bytes.toString('latin1', 0, 5) === 'HTTP/'.slice(0, bytes.length)
  return { answers, interim, problem: isHttp ? null : `not an answer: ${bytes.toString('latin1', 0, 80)}` }
}

const fieldOf = (line: string): readonly [string, string] => {
  const at = line.indexOf(':')
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).trim()]
}

/** Null: its end has not come yet. */
const bodyOf = (
  bytes: Buffer,
  at: number,
  status: number,
  headers: Headers,
  closed: boolean,
): Body | null => {
  if (status === 204 || status === 304) return { body: new Uint8Array(), end: at }
  if (/chunked\s*$/i.test(header(headers, 'transfer-encoding') ?? '')) return chunksOf(bytes, at)
  const length = header(headers, 'content-length')
  if (length === null) return closed ? { body: bytes.subarray(at), end: bytes.length } : null
  const end = at + Number(length)
  return bytes.length >= end ? { body: bytes.subarray(at, end), end } : null
}

const chunksOf = (bytes: Buffer, start: number): Body | null => {
  const parts: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (Number.isNaN(size)) return null
    const from = lineEnd + 2
    if (size === 0) {
      // Trailers end as header fields do.
      const end = bytes.indexOf('\r\n\r\n', lineEnd)
      return end < 0 ? null : { body: Buffer.concat(parts), end: end + 4 }
    }
    if (bytes.length < from + size + 2) return null
    parts.push(bytes.subarray(from, from + size))
    at = from + size + 2
  }
}
