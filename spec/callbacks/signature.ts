import { createHmac } from 'node:crypto'
import type { Scheme } from '../contract/operation.ts'
import { describeResponse } from '../http/describe-response.ts'
import { type Headers, header } from '../http/exchange.ts'
import { isArray, isObject, type Json, readJson, writeJson } from '../json/json.ts'

/** Whether a request that came has the secret of a security scheme: as it is, or in a signature. */

/** The secret of a security scheme; null: it is not known. */
export type SecretOfScheme = (scheme: string) => string | null

/**
 * What is wrong with the credentials of a request, as far as the secrets of its schemes are known: one clause for each; empty if those of one
 * alternative are right. `url`: what it was sent to.
 */
export const wrongSecrets = (
  security: readonly (readonly Scheme[])[],
  arrival: Arrival,
  url: string,
  secretOf: SecretOfScheme,
): readonly string[] => {
  const wrong = security.map(schemes =>
    schemes.flatMap(scheme => {
      const secret = secretOf(scheme.name)
      const place = placeOf(scheme)
      const value = place === null ? null : header(arrival.headers, place.toLowerCase())
      if (secret === null || place === null || value === null || isRight(value, secret, arrival, url))
        return []
      return [`${place} is neither the secret of ${scheme.name} nor a signature with it`]
    }),
  )
  return wrong.some(each => each.length === 0) ? [] : (wrong[0] ?? [])
}

const placeOf = (scheme: Scheme): string | null =>
  scheme.kind === 'bearer'
    ? 'Authorization'
    : scheme.kind === 'apiKey' && scheme.in === 'header'
      ? scheme.key
      : null

const algorithms = ['sha256', 'sha512', 'sha1'] as const

/** A header may have several signatures, each with its name: `sha256=…`, `t=…,v1=…`, `v1,… v1,…`. */
const isRight = (value: string, secret: string, arrival: Arrival, url: string): boolean => {
  const parts = value.split(/[\s,]+/)
  const named = parts.map(part => part.slice(part.indexOf('=') + 1))
  const given = new Set([value.replace(/^Bearer /i, ''), ...parts, ...named])
  if (given.has(secret)) return true
  return keysOf(secret).some(key =>
    signedTexts(value, arrival, url).some(text =>
      algorithms.some(algorithm => {
        const digest = createHmac(algorithm, key).update(text).digest()
        return (['hex', 'base64', 'base64url'] as const).some(encoding =>
          given.has(digest.toString(encoding)),
        )
      }),
    ),
  )
}

/** Standard Webhooks writes its keys in base64, with a prefix. */
const keysOf = (secret: string): readonly (string | Uint8Array)[] => [
  secret,
  ...(/^whsec_/.test(secret) ? [Buffer.from(secret.slice('whsec_'.length), 'base64')] : []),
]

/**
 * What is signed in practice: the body (GitHub), after a time stamp (Stripe, Slack) and an id (Standard Webhooks), or after the URL
 * (Square).
 */
const signedTexts = (value: string, { headers, body }: Arrival, url: string): readonly Uint8Array[] => {
  const content = Buffer.from(body ?? [])
  const valuesOf = (name: RegExp): readonly string[] =>
    headers.flatMap(([field, text]) => (name.test(field) ? [text] : []))
  const times = [...valuesOf(/timestamp/i), ...(/(?:^|,)t=(\d+)/.exec(value)?.slice(1) ?? [])]
  const before = [
    '',
    url,
    ...times.flatMap(time => [`${time}.`, `v0:${time}:`, ...valuesOf(/-id$/i).map(id => `${id}.${time}.`)]),
  ]
  return before.map(text => Buffer.concat([Buffer.from(text), content]))
}

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
