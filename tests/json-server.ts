import { createServer, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { listen } from './listen.ts'
import { hasJsonType, strictJson } from './strict-json.ts'

/** A request to a small server of a test, and the way to answer it. */
export type Asked = {
  readonly method: string
  /** The parts of the path, decoded. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
  /** What it sends, if that is a JSON object under that media type. */
  readonly sent: Readonly<Record<string, unknown>> | null
  readonly answer: (status: number, body?: unknown) => void
  /** For what `answer` does not say. */
  readonly response: ServerResponse
}

/** Starts a server of JSON that ends with the test. Gives its URL. */
export const startJsonServer = async (handle: (asked: Asked) => void): Promise<string> => {
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray().catch(() => []))
    const sent = hasJsonType(request) ? strictJson(bytes) : null
    const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent)
    handle({
      method: request.method ?? '',
      path: (request.url?.split('?')[0] ?? '').split('/').slice(1).map(decoded),
      query: new URLSearchParams(request.url?.split('?')[1] ?? ''),
      response,
      sent: isObject ? (sent as Readonly<Record<string, unknown>>) : null,
      answer: (status, body) => {
        response.writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' })
        response.end(body === undefined ? undefined : JSON.stringify(body))
      },
    })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return url
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
