import type { Exchange, Parts, StoreResponse } from '../store/model.ts'

export const bytesOf = ({ body }: StoreResponse) => Buffer.from(body)
export const lengthOf = (response: StoreResponse) => bytesOf(response).length

/** The head of a response, written by hand. */
export const head = ({ status }: StoreResponse, ...lines: readonly string[]) =>
  `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Bad Request'}\r\n${['Content-Type: application/json', ...lines].join('\r\n')}\r\n\r\n`

/** Writes to the socket: node:http would not send such bytes. */
export const raw =
  (
    make: (response: StoreResponse, exchange: Exchange) => string | Buffer,
    then: 'end' | 'stay' = 'end',
  ): Parts['send'] =>
  (response, _, exchange) => {
    const bytes = make(response, exchange)
    if (then === 'end') exchange.request.socket.end(bytes)
    else exchange.request.socket.write(bytes)
  }
