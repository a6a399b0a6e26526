import { type ClientRequest, type IncomingMessage, request as sendHttp } from 'node:http'
import { request as sendHttps } from 'node:https'
import type { Headers, HttpResponse } from '../../spec/index.ts'
import { isListed, nearOnly } from './allowed.ts'

export type Outgoing = {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: Uint8Array | null
}

const timeoutMs = 10_000
/** Of a longer answer, the rest is not read. */
const maxAnswerBytes = 1024 * 1024

/** Sends one request without following redirects. Rejects with what went wrong. */
export const send = (
  { url, method, headers, body }: Outgoing,
  hosts: readonly string[],
  closing: AbortSignal,
): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    const { protocol, hostname } = new URL(url)
    const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)])
    const options = {
      method,
      headers: Object.fromEntries(headers),
      agent: false as const,
      signal,
      ...(isListed(hostname.replace(/^\[|\]$/g, ''), hosts) ? {} : { lookup: nearOnly }),
    }
    const failed = (error: Error): void =>
      reject(signal.aborted && !closing.aborted ? new Error(`no answer in ${timeoutMs / 1000} s`) : error)
    const answered = (response: IncomingMessage): void => {
      const chunks: Buffer[] = []
      let size = 0
      const end = (): void =>
        resolve({
          status: response.statusCode ?? 0,
          headers: pairs(response.rawHeaders),
          body: Buffer.concat(chunks),
        })
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= maxAnswerBytes) chunks.push(chunk)
        else {
          end()
          response.destroy()
        }
      })
      response.on('end', end)
      response.on('error', failed)
    }
    const sent: ClientRequest = (protocol === 'https:' ? sendHttps : sendHttp)(url, options, answered)
    sent.on('error', failed)
    sent.end(body ?? undefined)
  })

const pairs = (raw: readonly string[]): Headers => {
  const found: [string, string][] = []
  for (let index = 0; index < raw.length; index += 2)
    found.push([raw[index] as string, raw[index + 1] as string])
  return found
}
