import type { SentRequest, Witness } from './model.ts'

/** Only the stores and their tests know it. It is in mixed case, so that letter case matters. */
export const storeToken = 'Tulip-7f3aC9-Garden'

export const jsonHeaders = {
  'content-type': 'application/json',
  authorization: `Bearer ${storeToken}`,
} as const

let lastId = 100_000

const freshId = (): number => {
  lastId += 1
  return lastId
}

/** A request with exactly this body. */
export const raw = (body: string | Buffer, headers: SentRequest['headers'] = jsonHeaders): SentRequest => ({
  method: 'POST',
  path: '/plants',
  headers,
  body,
  chunked: false,
})

/** A valid plant with these changes; undefined removes a property. */
export const plant = (
  changes: Readonly<Record<string, unknown>> = {},
  headers?: SentRequest['headers'],
): SentRequest => raw(JSON.stringify({ id: freshId(), name: 'Monstera', tag: 'indoor', ...changes }), headers)

/** A valid plant with the id in exactly this form. */
export const plantWithId = (id: string): SentRequest => raw(`{"id":${id},"name":"Monstera","tag":"indoor"}`)

/** A valid plant with this Authorization; undefined sends none. */
export const underAuthorization = (authorization: string | string[] | undefined): SentRequest =>
  plant({}, { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) })

/** A valid plant with this Content-Type; undefined sends none. */
export const underContentType = (type: string | undefined): SentRequest =>
  plant(
    {},
    { authorization: jsonHeaders.authorization, ...(type === undefined ? {} : { 'content-type': type }) },
  )

export const times = (count: number, make: (index: number) => SentRequest): readonly SentRequest[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** One request after the other, on one connection. */
export const inTurn = (...requests: readonly SentRequest[]): Witness => ({ requests, inFlight: 1 })

/** `count` requests in flight, each on its own connection. */
export const together = (count: number, requests: readonly SentRequest[]): Witness => ({
  requests,
  inFlight: count,
})
