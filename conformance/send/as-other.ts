import { asOtherUser, type Headers, type HttpRequest } from '../../spec/index.ts'
import type { Transport } from './transport/index.ts'

/** The request with the token of the other user in the place of the token. */
export const asOther = (request: HttpRequest): HttpRequest => ({
  ...request,
  target: asOtherUser(request.target),
  headers: request.headers.map(([name, value]) => [name, asOtherUser(value)] as const) as Headers,
})

/** The same transport for whoever sends as the other user: its requests are made like all others, and get its token here. */
export const asOtherTransport = (transport: Transport): Transport => ({
  ...transport,
  send: (request, onSend) => transport.send(asOther(request), onSend),
  sendInRow: requests => transport.sendInRow(requests.map(asOther)),
})
