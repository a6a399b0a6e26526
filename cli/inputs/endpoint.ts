import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { AccessOptions } from '../../conformance/index.ts'
import { environmentProxy } from './access.ts'
import { isLoopback } from './loopback.ts'

/** What an endpoint may answer. */
const mostBytes = 1024 * 1024

type Fetch = (
  url: string,
  options: {
    readonly headers: Record<string, string>
    readonly body: URLSearchParams | Uint8Array | null
    /** Default: POST. */
    readonly method?: string
    readonly signal?: AbortSignal | undefined
  },
) => Promise<Response>

/**
 * Sends to an endpoint for tokens or time stamps as requests go to the server: through the proxy, and with its certificates to trust. The
 * certificate of the endpoint is always verified, and a redirect is not followed. `fetch` itself cannot be told of certificates.
 */
export const endpointFetch = (endpoint: URL, { ca, proxy }: AccessOptions): Fetch => {
  const through = isLoopback(endpoint) ? undefined : (proxy ?? environmentProxy(endpoint))
  const href = through === undefined ? undefined : new URL(through).href
  const options = {
    ...(href === undefined ? {} : { proxyEnv: { HTTP_PROXY: href, HTTPS_PROXY: href } }),
    ...(ca === undefined ? {} : { ca }),
  }
  const isSecure = endpoint.protocol === 'https:'
  return (url, { headers, body, method = 'POST', signal }) =>
    new Promise((resolve, reject) => {
      const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options)
      const outgoing = (isSecure ? httpsRequest : httpRequest)(
        url,
        { method, headers, agent, ...(signal === undefined ? {} : { signal }) },
        async incoming => {
          try {
            const chunks: Buffer[] = []
            let bytes = 0
            for await (const chunk of incoming as AsyncIterable<Buffer>) {
              bytes += chunk.length
              if (bytes > mostBytes) throw new Error('its answer has more than 1 MiB')
              chunks.push(chunk)
            }
            const { statusCode = 500, headersDistinct } = incoming
            const pairs = Object.entries(headersDistinct).flatMap(([name, values]) =>
              (values ?? []).map(value => [name, value] as [string, string]),
            )
            const hasBody = ![204, 205, 304].includes(statusCode)
            resolve(
              new Response(hasBody ? Buffer.concat(chunks) : null, { status: statusCode, headers: pairs }),
            )
          } catch (error) {
            reject(error)
          }
        },
      )
      outgoing.once('error', error => reject(signal?.aborted === true ? signal.reason : error))
      outgoing.end(body instanceof URLSearchParams ? body.toString() : body)
    })
}
