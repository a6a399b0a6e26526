import type { Answer } from '../../../spec/index.ts'

export type ReadAnswer = Answer & { readonly closes: boolean }

/** The final answers among some bytes; `problem`: what breaks RFC 9112; `rest`: bytes of an answer that is not whole. */
export type ReadAnswers = {
  readonly answers: readonly ReadAnswer[]
  readonly problem: string | null
  readonly rest: number
}

const statusLine = /^HTTP\/1\.1 [1-5]\d\d [\t\x20-\x7e]*$/
const fieldLine =
  /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*((?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?)[ \t]*$/

/** Reads answers to the letter of RFC 9112. `isHead`: whether the request of an answer was a HEAD; null: not known. */
export const readAnswers = (bytes: Buffer, isHead: (index: number) => boolean | null): ReadAnswers => {
  const answers: ReadAnswer[] = []
  let at = 0
  const result = (problem: string | null): ReadAnswers => ({ answers, problem, rest: bytes.length - at })
  while (at < bytes.length) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    if (headEnd < 0) return result(null)
    const [first = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n')
    if (!statusLine.test(first)) return result(`no status line: ${first.slice(0, 100)}`)
    const status = Number(first.slice(9, 12))
    const headers: (readonly [string, string])[] = []
    for (const line of lines) {
      const [, name, value] = fieldLine.exec(line) ?? []
      if (name === undefined || value === undefined) return result(`no field line: ${line.slice(0, 100)}`)
      headers.push([name, value])
    }
    at = headEnd + 4
    if (status < 200) {
      if (status !== 100 || headers.length > 0) return result(`an interim ${status}`)
      continue
    }
    const of = (name: string): readonly string[] =>
      headers.filter(([own]) => own.toLowerCase() === name).map(([, value]) => value)
    if (of('date').length !== 1) return result('not one Date')
    if (of('transfer-encoding').length > 0) return result('a Transfer-Encoding that nobody needs')
    const lengths = of('content-length')
    const bodiless = status === 204 || status === 304
    if (bodiless ? lengths.length > 0 : lengths.length !== 1 || !/^\d+$/.test(lengths[0] ?? ''))
      return result(`Content-Length ${lengths.join()} of a ${status}`)
    const head =
      isHead(answers.length) ?? (at === bytes.length || bytes.toString('latin1', at, at + 7) === 'HTTP/1.')
    const closes = of('connection').some(value => /\bclose\b/i.test(value))
    const length = bodiless ? 0 : Number(lengths[0])
    // A HEAD that could not be read is refused without knowing that it was one.
    const size = head && !(closes && bytes.length === at + length) ? 0 : length
    if (bytes.length < at + size) {
      at = headEnd
      return result(null)
    }
    answers.push({ status, headers, body: bytes.subarray(at, at + size), closes })
    at += size
  }
  return result(null)
}
