import type { Cause, Exchange, NewPlant, Parts, Reply, StoreResponse } from './model.ts'
import { silence } from './model.ts'

/** What a store does instead of responding as it should. */
export type Fault = (response: StoreResponse, exchange: Exchange) => Reply

export const withJson = (response: StoreResponse, status: number, value: unknown): StoreResponse => ({
  ...response,
  status,
  headers: { ...response.headers, 'content-type': 'application/json' },
  body: JSON.stringify(value),
})

export const withText = (
  response: StoreResponse,
  status: number,
  body: string,
  type = 'text/plain',
): StoreResponse => ({
  ...response,
  status,
  headers: { ...response.headers, 'content-type': type },
  body,
})

export const crash: Fault = response => withJson(response, 500, { error: 500, message: 'internal error' })

export const crashPage: Fault = response =>
  withText(response, 500, '<!doctype html><title>Error</title><pre>Internal Server Error</pre>', 'text/html')

export const reject: Fault = response => withJson(response, 400, { error: 7, message: 'rejected' })

export const unprocessable: Fault = response =>
  withJson(response, 422, { error: 422, message: 'unprocessable' })

export const hang: Fault = () => silence

export const reset: Fault = (_, exchange) => {
  exchange.request.socket.resetAndDestroy()
  return silence
}

export const hangUp: Fault = (_, exchange) => {
  exchange.request.socket.destroy()
  return silence
}

/** The fault applies to rejections of these causes. */
export const on = (causes: Cause | readonly Cause[], fault: Fault): Pick<Parts, 'respond'> => ({
  respond: (response, exchange) =>
    [causes].flat().includes(response.cause) ? fault(response, exchange) : response,
})

/** The fault applies to the exchanges that match. */
export const when = (
  matches: (exchange: Exchange, response: StoreResponse) => boolean,
  fault: Fault,
): Pick<Parts, 'respond'> => ({
  respond: (response, exchange) => (matches(exchange, response) ? fault(response, exchange) : response),
})

/** The fault applies to the valid plants that match. */
export const onPlant = (matches: (plant: NewPlant) => boolean, fault: Fault): Pick<Parts, 'respond'> => ({
  respond: (response, exchange) =>
    response.cause === 'none' && response.plant && matches(response.plant)
      ? fault(response, exchange)
      : response,
})

export const bodyText = (exchange: Exchange): string => exchange.bytes.toString('utf8')
