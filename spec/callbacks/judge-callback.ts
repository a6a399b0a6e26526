/** What is wrong with a request that a server sent to a URL of its client. */
import type { Callback } from '../contract/callbacks.ts'
import type { Contract } from '../contract/contract.ts'
import { type Exchange, resolved } from '../flows/expression.ts'
import { redact, type Secret } from '../http/credential-placeholders.ts'
import type { HttpResponse } from '../http/exchange.ts'
import { writeJson } from '../json/json.ts'
import { createRequestJudge } from '../judge/request.ts'
import { isSameName, plainName } from '../resources/names.ts'
import { placesOf } from '../schema/locations.ts'
import { plainValue } from '../schema/simplest-value.ts'
import { type Arrival, arrivalText, namedScalars, type SecretOfScheme, wrongSecrets } from './signature.ts'

/** A request that came, as one of these callbacks. */
export type ReceivedCallback = {
  readonly arrival: Arrival
  readonly callback: Callback
  /** What it breaks, in words: of its credentials, and of everything else. */
  readonly credentials: readonly string[]
  readonly request: readonly string[]
  /** The names of the properties that its body may have. */
  readonly declared: readonly string[]
}

/** Judges what came to the line of this URL for a request: as each of the callbacks, the one that it breaks least first. */
export type CallbackJudge = (
  arrival: Arrival,
  line: string,
  exchange: Exchange,
) => readonly ReceivedCallback[]

export const createCallbackJudge = (
  contract: Contract,
  callbacks: readonly Callback[],
  secretOf: SecretOfScheme,
): CallbackJudge => {
  const judges = callbacks.map(callback => {
    const judge = createRequestJudge(contract, callback.operation)
    const schema = callback.operation.body?.media.find(({ format }) => format.kind === 'json')?.schema
    const declared = schema == null ? [] : placesOf(contract.requests.document, schema).properties
    return (arrival: Arrival, line: string, exchange: Exchange): ReceivedCallback => {
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
          ...placeProblems(target, callbackTarget(callback, line, exchange)),
          ...violations.filter(({ part }) => part !== 'credentials').map(({ message }) => message),
        ],
      }
    }
  })
  return (...seen) =>
    judges
      .map(judge => judge(...seen))
      .toSorted((left, right) => callbackWeight(left) - callbackWeight(right))
}

/** How much of the declaration it breaks, below 1 if it only breaks what is said of credentials. */
export const callbackWeight = ({ request, credentials }: ReceivedCallback): number =>
  request.length + credentials.length / 100

/** Where a callback has to go to, from the URL of the line on; null: the request did not give it one of the line. */
export const callbackTarget = ({ url }: Callback, line: string, exchange: Exchange): string | null => {
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

/** A declared success of a callback: the first one, with a body if it has one. */
export const callbackSuccess = (
  { requests: { document } }: Contract,
  { operation }: Callback,
): HttpResponse => {
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

/**
 * Which webhook came, of one that was judged as each of them: the one that it names, the only one that it may be, or the one whose properties it
 * has. Null: it may be another one, which the document does not declare.
 */
export const meantWebhook = (all: readonly ReceivedCallback[]): ReceivedCallback | null => {
  const [least, ...others] = all
  if (least === undefined || others.length === 0) return least ?? null
  const named = all.find(({ arrival, callback }) =>
    namesIn(arrival).some(name => isSameName(name, callback.name)),
  )
  if (named !== undefined || callbackWeight(least) < 1) return named ?? least
  const [most, next] = all
    .map(received => ({ received, share: shareOf(received) }))
    .toSorted((a, b) => b.share - a.share)
  return most !== undefined && most.share >= 0.5 && most.share > (next?.share ?? 0) ? most.received : null
}

const saysWhat = /event|topic|type|action|hook|kind|trigger/i

/** What headers and body say that it is about. */
const namesIn = ({ headers, body }: Arrival): readonly string[] =>
  [...headers, ...namedScalars(body)].flatMap(([name, value]) =>
    saysWhat.test(name) ? [plainName(value)] : [],
  )

/** Of the properties that a body may have, how many it has. */
const shareOf = ({ arrival: { body }, declared }: ReceivedCallback): number => {
  const names = new Set(namedScalars(body).map(([name]) => name))
  return declared.length === 0 ? 0 : declared.filter(name => names.has(name)).length / declared.length
}

/** How a callback is not as declared, in words; `before`: a clause that says when it came. */
export const callbackProblem = (
  received: ReceivedCallback,
  part: 'request' | 'credentials',
  secrets: readonly Secret[],
  before = '',
): { readonly expected: string; readonly actual: string; readonly title: string } => {
  const { name, operation, isWebhook } = received.callback
  const called = `${isWebhook ? 'webhook' : 'callback'} ${name}`
  const problems = received[part].slice(0, 3).map(problem => redact(problem, secrets))
  return {
    expected: `${operation.method} as the ${called} is declared`,
    actual: `${before}${redact(arrivalText(received.arrival), secrets)}: ${problems.join('; ')}`,
    title: `sent a ${called} that is not as declared: ${problems[0]}`,
  }
}
