import { describeResponse } from '../http/describe-response.ts'
import type { Headers } from '../http/exchange.ts'
import { isArray, isObject, type Json, readJson, writeJson } from '../json/json.ts'

/** A request that a server sent to a URL of its client, from that URL on: `/3/hook?x=1`. */
export type Arrival = {
  readonly method: string
  readonly target: string
  readonly headers: Headers
  readonly body: Uint8Array | null
  /** On the clock of `performance.now`. */
  readonly at: number
}

/** `POST /0/paid application/json {"id":7}` */
export const arrivalText = ({ method, target, headers, body }: Arrival): string =>
  `${method} ${target}${describeResponse({ status: 0, headers, body: body ?? new Uint8Array() }).slice(1)}`

type Named = readonly (readonly [name: string, value: string])[]

/** The names and values of all scalars in a body of JSON, as texts. */
export const namedScalars = (body: Uint8Array | null): Named => {
  const reading = body === null ? null : readJson(body)
  return reading?.ok === true ? scalarsIn('', reading.value) : []
}

const scalarsIn = (name: string, value: Json): Named => {
  if (isArray(value)) return value.flatMap(item => scalarsIn(name, item))
  if (isObject(value)) return Object.entries(value).flatMap(([key, inner]) => scalarsIn(key, inner))
  return value === null ? [] : [[name, writeJson(value)]]
}
