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
  type Json,
  placesOf,
  plainValue,
  readJson,
  resolved,
  writeJson,
} from '../../spec/index.ts'
import type { Arrival } from './listener.ts'

/** A request that came, as one of these callbacks. */
export type Received = {
  readonly arrival: Arrival
  readonly callback: Callback
  /** What it breaks, in words: of its credentials, and of everything else. */
  readonly credentials: readonly string[]
  readonly request: readonly string[]
}

/** Judges what came to the line of this URL for a request. */
export type CallbackJudge = (arrival: Arrival, line: string, exchange: Exchange) => Received

export const createCallbackJudge = (contract: Contract, callbacks: readonly Callback[]): CallbackJudge => {
  const judges = callbacks.map(callback => {
    const judge = createRequestJudge(contract, callback.operation)
    return (arrival: Arrival, line: string, exchange: Exchange): Received => {
      const { method } = callback.operation
      const { target, headers, body } = arrival
      const { violations } = judge({ target, headers, body, path: {} }, null)
      const ofCredentials = violations.filter(({ part }) => part === 'credentials')
      return {
        arrival,
        callback,
        credentials: callback.hasSecurity ? ofCredentials.map(({ message }) => message) : [],
        request: [
          ...(arrival.method === method ? [] : [`the method is ${arrival.method} and not ${method}`]),
          ...placeProblems(target, expectedTarget(callback, line, exchange)),
          ...violations.filter(({ part }) => part !== 'credentials').map(({ message }) => message),
        ],
      }
    }
  })
  return (...seen) =>
    judges
      .map(judge => judge(...seen))
      // Several may go to one URL: it is the one that it breaks least.
      .reduce((least, other) => (weightOf(other) < weightOf(least) ? other : least))
}

const weightOf = ({ request, credentials }: Received): number => request.length + credentials.length / 100

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
