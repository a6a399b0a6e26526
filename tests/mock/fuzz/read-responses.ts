import type { HttpResponse } from '../../../spec/index.ts'

export type ReadResponse = HttpResponse & { readonly closes: boolean }

/** The final responses in some bytes; `problem`: how they break RFC 9112; `rest`: the length of an incomplete response. */
export type ReadResponses = {
  readonly responses: readonly ReadResponse[]
  readonly problem: string | null
  readonly rest: number
}

const statusLine = /^HTTP\/1\.1 [1-5]\d\d [\t\x20-\x7e]*$/
const fieldLine =
  /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*((?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?)[ \t]*$/

/** Reads responses strictly by RFC 9112. `isHead`: whether the request of a response was a HEAD; null: unknown. */
export const readResponses = (bytes: Buffer, isHead: (index: number) => boolean | null): ReadResponses => {
  const responses: ReadResponse[] = []
  let at = 0
  const result = (problem: string | null): ReadResponses => ({ responses, problem, rest: bytes.length - at })
  while (at < bytes.length) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    if (headEnd < 0) return result(null)
    const [first = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n')
    if (!statusLine.test(first)) return result(`not a status line: ${first.slice(0, 100)}`)
    const status = Number(first.slice(9, 12))
    const headers: (readonly [string, string])[] = []
    for (const line of lines) {
      const [, name, value] = fieldLine.exec(line) ?? []
      if (name === undefined || value === undefined) return result(`not a field line: ${line.slice(0, 100)}`)
      headers.push([name, value])
    }
    at = headEnd + 4
    if (status < 200) {
      if (status !== 100 || headers.length > 0) return result(`an interim ${status}`)
      continue
    }
    const of = (name: string): readonly string[] =>
      headers.filter(([field]) => field.toLowerCase() === name).map(([, value]) => value)
    if (of('date').length !== 1) return result('not exactly one Date')
    if (of('transfer-encoding').length > 0) return result('an unnecessary Transfer-Encoding')
    const lengths = of('content-length')
    const bodiless = status === 204 || status === 304
    if (bodiless ? lengths.length > 0 : lengths.length !== 1 || !/^\d+$/.test(lengths[0] ?? ''))
      return result(`Content-Length ${lengths.join()} of a ${status}`)
    const head =
      isHead(responses.length) ?? (at === bytes.length || bytes.toString('latin1', at, at + 7) === 'HTTP/1.')
    const closes = of('connection').some(value => /\bclose\b/i.test(value))
    const length = bodiless ? 0 : Number(lengths[0])
    // The response to an unreadable HEAD has a body: the mock does not know that it was one.
    const size = head && !(closes && bytes.length === at + length) ? 0 : length
    if (bytes.length < at + size) {
      at = headEnd
      return result(null)
    }
    responses.push({ status, headers, body: bytes.subarray(at, at + size), closes })
    at += size
  }
  return result(null)
}
