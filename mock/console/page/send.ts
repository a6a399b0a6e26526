import type { Body, Written } from '../shape.ts'

/** What came back; `problem`: nothing did, and why. */
export type Sent = {
  /** What the request carried to be found again among the others. */
  readonly mark: string
  readonly status: number
  readonly body: Body | null
  readonly problem: string | null
}

let count = 0

/** Sends a request to the mock as an application would, and reads the whole answer. */
export const send = async (
  method: string,
  written: Written,
  token: string,
  signal: AbortSignal,
): Promise<Sent> => {
  count += 1
  const mark = `${Math.round(performance.timeOrigin)}-${count}`
  try {
    const response = await fetch(location.origin + fill(written.target, encodeURIComponent(token)), {
      method,
      headers: [
        ...written.headers.map(([name, value]): [string, string] => [name, fill(value, token)]),
        ['Plantstore-Mark', mark],
      ],
      // A blob without a type leaves the content type to the headers: text would bring its own.
      ...(written.body === null ? {} : { body: new Blob([fill(written.body, token)]) }),
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'manual',
      signal,
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { mark, status: response.status, body: bodyOf(bytes), problem: null }
  } catch (error) {
    const problem = signal.aborted
      ? 'stopped before an answer came'
      : `no answer: ${(error as Error).message}`
    return { mark, status: 0, body: null, problem }
  }
}

const fill = (text: string, token: string): string =>
  text.replaceAll('{{token:basic}}', base64(token)).replaceAll('{{token}}', token)

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

const bodyOf = (bytes: Uint8Array): Body => {
  const size = bytes.length
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { size, kept: size, text, base64: null }
  } catch {
    return { size, kept: size, text: null, base64: btoa(String.fromCharCode(...bytes.subarray(0, 1024))) }
  }
}

/** `Name: value` lines. */
export const writeFields = (fields: Written['headers']): string =>
  fields.map(([name, value]) => `${name}: ${value}`).join('\n')

export const readFields = (text: string): Written['headers'] =>
  text.split('\n').flatMap(line => {
    const at = line.indexOf(':')
    return at <= 0 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const]
  })
