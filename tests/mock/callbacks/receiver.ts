import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as readJson } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

type Received = {
  readonly url: string
  readonly type: string | undefined
  readonly body: unknown
  readonly headers: IncomingHttpHeaders
}

/** A server that takes callbacks. */
export const receiver = async (answer: (response: ServerResponse, request: IncomingMessage) => void) => {
  const received: Received[] = []
  const server = createServer((request, response) => {
    void readJson(request).then(body => {
      received.push({
        url: request.url ?? '',
        type: request.headers['content-type'],
        body,
        headers: request.headers,
      })
      answer(response, request)
    })
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port: (server.address() as AddressInfo).port,
  }
}

export const seen = (response: ServerResponse): void =>
  void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"seen":true}')
