import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../mock/index.ts'
import { type HttpResponse, type Json, loadContract, plantStoreDocument, readJson } from '../../spec/index.ts'

// Read once: that takes longer than most tests.
const plantStore = await loadContract({ from: fileURLToPath(plantStoreDocument) })

/** A mock that closes with its test, of the plant store by default. A warning fails the test unless the options handle it. */
export const startMock = async (options: MockOptions = {}): Promise<Mock> => {
  const mock = await createMock({
    ...(options.documents === undefined ? { contract: plantStore } : {}),
    warn: message => {
      throw new Error(`unexpected warning: ${message}`)
    },
    ...options,
  })
  onTestFinished(mock.close)
  return mock
}

type TestRequest = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** Sends a request and returns the response. */
export const send = async (
  mock: Mock,
  { method, path, headers = {}, body }: TestRequest,
): Promise<HttpResponse> => {
  const response = await fetch(mock.url + path, {
    method,
    headers,
    signal: AbortSignal.timeout(10_000),
    ...(body === undefined ? {} : { body: body as NonNullable<RequestInit['body']> }),
  })
  return { status: response.status, headers: [...response.headers], body: await response.bytes() }
}

/** The JSON of a response, without loss. */
export const jsonOf = ({ body }: HttpResponse): Json => {
  const reading = readJson(body)
  if (!reading.ok) throw new Error(reading.problem)
  return reading.value
}

/** Writes bytes to a socket of the mock. Returns what it receives until the mock closes the socket, or `enough` is true. */
export const exchange = (
  mock: Mock,
  bytes: string | Uint8Array,
  { enough = () => false, end = false }: { enough?: (text: string) => boolean; end?: boolean } = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(mock.url).port), '127.0.0.1')
    let text = ''
    const done = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(text)
    }
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no end of the response in 8 s; so far: ${JSON.stringify(text.slice(0, 300))}`))
    }, 8000)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (enough(text)) done()
    })
    socket.on('close', done)
    socket.on('error', error => {
      if (text === '') {
        clearTimeout(timer)
        reject(error)
      }
    })
    if (end) socket.end(bytes)
    else socket.write(bytes)
  })

/** The head of a raw HTTP message. */
export const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`

/** A raw request to create a plant, with its length unless it is chunked. */
export const rawPlant = (body: string, ...lines: readonly string[]): string =>
  head(
    'POST /plants HTTP/1.1',
    'Host: a',
    'Authorization: Bearer a',
    'Content-Type: application/json',
    ...(lines.some(line => line.startsWith('Transfer-Encoding')) ? [] : [`Content-Length: ${body.length}`]),
    ...lines,
  ) + body

export const bearer = { Authorization: 'Bearer any' }
export const json = { 'Content-Type': 'application/json' }

export const postPlant = (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) => ({
  method: 'POST',
  path: '/plants',
  headers: { ...bearer, ...json, ...headers },
  body,
})
