import type { Body, EditableRequest } from '../../messages.ts'

/** The outcome of a request that the page sent; `problem`: why there is no response. */
export type SendResult = {
  /** By which the request is found in the traffic. */
  readonly mark: string
  readonly status: number
  readonly body: Body | null
  readonly problem: string | null
}

let count = 0

/** Sends a request to the mock as an application would, and reads the whole response. */
export const send = async (
  method: string,
  {
    target,
    headers,
    body,
  }: Pick<EditableRequest, 'target' | 'headers'> & { readonly body: string | Blob | FormData | null },
  token: string,
  signal: AbortSignal,
): Promise<SendResult> => {
  count += 1
  const mark = `${Math.round(performance.timeOrigin)}-${count}`
  try {
    const response = await fetch(location.origin + fillToken(target, encodeURIComponent(token)), {
      method,
      headers: [
        ...headers
          .filter(([name]) => !(body instanceof FormData) || name.toLowerCase() !== 'content-type')
          .map(([name, value]): [string, string] => [name, fillToken(value, token)]),
        ['Plantstore-Mark', mark],
      ],
      // For a string, fetch would add a Content-Type; for a blob without a type it adds none.
      ...(body === null
        ? {}
        : { body: typeof body === 'string' ? new Blob([fillToken(body, token)]) : body }),
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'manual',
      signal,
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { mark, status: response.status, body: bodyOf(bytes), problem: null }
  } catch (error) {
    const problem = signal.aborted
      ? 'stopped before a response arrived'
      : `no response: ${(error as Error).message}`
    return { mark, status: 0, body: null, problem }
  }
}

const fillToken = (text: string, token: string): string =>
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

/** Headers as `Name: value` lines. */
export const writeHeaders = (headers: EditableRequest['headers']): string =>
  headers.map(([name, value]) => `${name}: ${value}`).join('\n')

export const readHeaders = (text: string): EditableRequest['headers'] =>
  text.split('\n').flatMap(line => {
    const colon = line.indexOf(':')
    return colon <= 0 ? [] : [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()] as const]
  })
