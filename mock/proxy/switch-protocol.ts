import type { Duplex } from 'node:stream'
import type { MockResponse } from '../engine/mock-response.ts'
import { delivered } from './answers.ts'
import type { Switched } from './ask.ts'
import { pairsOf } from './fields.ts'
import { judgeSent } from './judge-exchange.ts'
import { nothing, type Passing } from './passing.ts'

/** Passes on that the server speaks another protocol, such as WebSocket, and then all bytes of both sides, unjudged. */
export const switchProtocol = (
  { engine, context, request, response, sent, head }: Passing,
  { incoming, socket: server, head: first }: Switched,
): MockResponse => {
  const { socket: client } = request
  const { rawHeaders, statusCode = 101, statusMessage = '' } = incoming
  const headers = pairsOf(rawHeaders)
  response.detachSocket(client)
  const lines = [
    `HTTP/1.1 ${statusCode} ${statusMessage}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  client.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  client.setTimeout(0)
  if (first.length > 0) client.write(first)
  if (head !== null && head.length > 0) server.write(head)
  join(client, server)
  join(server, client)
  judgeSent(engine, context, sent)
  return delivered(context, {
    ...nothing,
    response: { status: statusCode, headers, body: new Uint8Array() },
    unjudged: 'it is another protocol from here on',
  })
}

const join = (from: Duplex, to: Duplex): void => {
  from.pipe(to)
  from.on('error', () => to.destroy())
  // One that has ended has said so to the other side, which may still have something to say.
  from.on('close', () => from.readableEnded || to.destroy())
}
