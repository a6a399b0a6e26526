/** What is wrong with a request that came to the listener. */
import {
  type Callback,
  type Contract,
  createRequestJudge,
  describeResponse,
  type Exchange,
  type HttpResponse,
  isArray,
  isObject,
  isSameName,
  type Json,
  placesOf,
  plainName,
  plainValue,
  readJson,
  resolved,
  writeJson,
} from '../../spec/index.ts'
import type { Arrival } from './listener.ts'
import { type SecretOfScheme, wrongSecrets } from './signature.ts'

/** A request that came, as one of these callbacks. */
export type Received = {
  readonly arrival: Arrival
  readonly callback: Callback
  /** What it breaks, in words: of its credentials, and of everything else. */
  readonly credentials: readonly string[]
  readonly request: readonly string[]
  /** The names of the properties that its body may have. */
  readonly declared: readonly string[]
}

/** Judges what came to the line of this URL for a request: as each of the callbacks, the one that it breaks least first. */
export type CallbackJudge = (arrival: Arrival, line: string, exchange: Exchange) => readonly Received[]

export const createCallbackJudge = (
  contract: Contract,
  callbacks: readonly Callback[],
  secretOf: SecretOfScheme,
): CallbackJudge => {
  const judges = callbacks.map(callback => {
    const judge = createRequestJudge(contract, callback.operation)
    const schema = callback.operation.body?.media.find(({ format }) => format.kind === 'json')?.schema
    const declared = schema == null ? [] : placesOf(contract.requests.document, schema).properties
    return (arrival: Arrival, line: string, exchange: Exchange): Received => {
      const { method } = callback.operation
      const { target, headers, body } = arrival
      const { violations } = judge({ target, headers, body, path: {} }, null)
      const ofCredentials = violations.filter(({ part }) => part === 'credentials')
      return {
        arrival,
        callback,
        declared,
        credentials: callback.hasSecurity
          ? [
              ...ofCredentials.map(({ message }) => message),
              ...wrongSecrets(callback.operation.security, arrival, line + target, secretOf),
            ]
          : [],
        request: [
          ...(arrival.method === method ? [] : [`the method is ${arrival.method} and not ${method}`]),
          ...placeProblems(target, expectedTarget(callback, line, exchange)),
          ...violations.filter(({ part }) => part !== 'credentials').map(({ message }) => message),
        ],
      }
    }
  })
  return (...seen) =>
    judges.map(judge => judge(...seen)).toSorted((left, right) => weightOf(left) - weightOf(right))
}

/** How much of the declaration it breaks, below 1 if it only breaks what is said of credentials. */
export const weightOf = ({ request, credentials }: Received): number =>
  request.length + credentials.length / 100

/** Where a callback has to go to, from the URL of the line on; null: the request did not give it one of the line. */
export const expectedTarget = ({ url }: Callback, line: string, exchange: Exchange): string | null => {
  const to = resolved(url, { exchange, values: {} })
  return to?.startsWith(`${line}/`) === true ? to.slice(line.length) : null
}

const placeProblems = (target: string, wanted: string | null): readonly string[] => {
  if (wanted === null) return ['no URL was given for it']
  const [expected, given] = [wanted, target].map(text => new URL(`http://listener${text}`)) as [URL, URL]
  const missing = [...expected.searchParams].filter(
    ([name, value]) => !given.searchParams.getAll(name).includes(value),
  )
  return [
    ...(given.pathname === expected.pathname
      ? []
      : [`the path is ${given.pathname} and not ${expected.pathname}, after the URL of the listener`]),
    ...missing.map(([name, value]) => `the query lacks ${name}=${value}`),
  ]
}

/** `POST /0/paid application/json {"id":7}` */
export const arrivalText = ({ method, target, headers, body }: Arrival): string =>
  `${method} ${target}${describeResponse({ status: 0, headers, body: body ?? new Uint8Array() }).slice(1)}`

/** A declared success of a callback: the first one, with a body if it has one. */
export const successOf = ({ requests: { document } }: Contract, { operation }: Callback): HttpResponse => {
  const declared = operation.responses.find(({ status }) => /^2/.test(status))
  const status = Number(declared?.status.replace('XX', '00') ?? 204)
  const media = declared?.media.find(({ format }) => format.kind === 'json')
  if (media === undefined) return { status, headers: [], body: new Uint8Array() }
  const body = media.schema === null ? {} : plainValue(placesOf(document, media.schema))
  return {
    status,
    headers: [['Content-Type', media.type]],
    body: new TextEncoder().encode(writeJson(body)),
  }
}

/** The names and values of all scalars in a body of JSON, as texts. */
export const scalarsOf = (body: Uint8Array | null): readonly (readonly [name: string, value: string])[] => {
  const reading = body === null ? null : readJson(body)
  return reading?.ok === true ? scalarsIn('', reading.value) : []
}

const scalarsIn = (name: string, value: Json): readonly (readonly [name: string, value: string])[] => {
  if (isArray(value)) return value.flatMap(item => scalarsIn(name, item))
  if (isObject(value)) return Object.entries(value).flatMap(([key, inner]) => scalarsIn(key, inner))
  return value === null ? [] : [[name, writeJson(value)]]
}

/**
 * Which webhook came, of one that was judged as each of them: the one that it names, the only one that it may be, or the one whose properties it
 * has. Null: it may be another one, which the document does not declare.
 */
export const meant = (all: readonly Received[]): Received | null => {
  const [least, ...others] = all
  if (least === undefined || others.length === 0) return least ?? null
  const named = all.find(({ arrival, callback }) =>
    namesIn(arrival).some(name => isSameName(name, callback.name)),
  )
  if (named !== undefined || weightOf(least) < 1) return named ?? least
  const [most, next] = all
    .map(received => ({ received, share: shareOf(received) }))
    .toSorted((a, b) => b.share - a.share)
  return most !== undefined && most.share >= 0.5 && most.share > (next?.share ?? 0) ? most.received : null
}

const saysWhat = /event|topic|type|action|hook|kind|trigger/i

/** What headers and body say that it is about. */
const namesIn = ({ headers, body }: Received['arrival']): readonly string[] =>
  [...headers, ...scalarsOf(body)].flatMap(([name, value]) => (saysWhat.test(name) ? [plainName(value)] : []))

/** Of the properties that a body may have, how many it has. */
const shareOf = ({ arrival: { body }, declared }: Received): number => {
  const names = new Set(scalarsOf(body).map(([name]) => name))
  return declared.length === 0 ? 0 : declared.filter(name => names.has(name)).length / declared.length
}
