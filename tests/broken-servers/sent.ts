import type { Sent, Witness } from './model.ts'

/** Written by hand, and known to the stores and their tests alone. Mixed case, so that letter case matters. */
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

/** A request whose body is sent as it stands. */
export const raw = (body: string | Buffer, headers: Sent['headers'] = jsonHeaders): Sent => ({
  method: 'POST',
  path: '/plants',
  headers,
  body,
  chunked: false,
})

/** A valid plant with some properties changed; undefined leaves one out. */
export const plant = (changes: Readonly<Record<string, unknown>> = {}, headers?: Sent['headers']): Sent =>
  raw(JSON.stringify({ id: freshId(), name: 'Monstera', tag: 'indoor', ...changes }), headers)

/** A valid plant whose id is written as given. */
export const plantWithId = (id: string): Sent => raw(`{"id":${id},"name":"Monstera","tag":"indoor"}`)

/** A valid plant under another Authorization; undefined sends none. */
export const underAuthorization = (authorization: string | string[] | undefined): Sent =>
  plant({}, { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) })

/** A valid plant under another Content-Type; undefined sends none. */
export const underContentType = (type: string | undefined): Sent =>
  plant(
    {},
    { authorization: jsonHeaders.authorization, ...(type === undefined ? {} : { 'content-type': type }) },
  )

export const times = (count: number, make: (index: number) => Sent): readonly Sent[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** One after the other, on one connection. */
export const inTurn = (...sends: readonly Sent[]): Witness => ({ sends, together: 1 })

/** Several in flight, each on its own connection. */
export const together = (count: number, sends: readonly Sent[]): Witness => ({ sends, together: count })
