import {
  basePathOf,
  type HttpRequest,
  header,
  type Operation,
  type Outcome,
  serversOf,
} from '../../spec/index.ts'
import { isUndeclaredPage } from '../judge/expected-status.ts'
import { summary } from '../judge/observation-text.ts'
import { type RunOptions, secretOf } from '../options/run-options.ts'
import { createTransport } from '../send/transport/index.ts'
import { answerOf, isTheSame } from './api-answer.ts'

/** The way to the server at the base URL of a run. */
export type Way = {
  readonly options: RunOptions
  readonly send: (request: HttpRequest) => Promise<Outcome>
  /** Why a request is not to be sent; null if it may be. */
  readonly refusal: (request: HttpRequest) => string | null
}

/** A request that tells whether the API is at a base URL: the GET of an operation, or of its path if it has another method. */
export type Telling = { readonly operation: Operation; readonly request: HttpRequest }

/** Below these paths APIs commonly are. */
const usual = ['/api', '/api/v1', '/v1', '/api/v2', '/v2', '/api/v3', '/v3', '/rest', '/api/rest', '/rest/v1']

const mostTold = 3

/**
 * Why the API of the document is not at the base URL of a run, and where it is, found by GET alone; null: it is there, or nothing tells.
 * `telling`: some requests, the plainest first.
 */
export const baseUrlProblem = async (way: Way, telling: readonly Telling[]): Promise<string | null> => {
  const { target } = way.options
  const told: { readonly telling: Telling; readonly outcome: Outcome }[] = []
  for (const each of telling) {
    if (told.length === mostTold) break
    if (way.refusal(each.request) !== null) continue
    const outcome = await way.send(each.request)
    if (answer(each, outcome) !== 'missing') return null
    told.push({ telling: each, outcome })
  }
  const [first] = told
  if (first === undefined) return null
  const { operation, request } = first.telling
  const base = target.href.replace(/\/$/, '')
  const other = await baseWith(
    way,
    told.map(each => each.telling),
  )
  if (other !== null) {
    const there = other.isKeptOut ? 'but asks for credentials' : 'but'
    return `the server does not have the paths of the document at ${base} (GET ${pathOf(request)}: ${summary(first.outcome)}), ${there} at ${other.base}: try ${other.base}`
  }
  if (!isSuccess(first.outcome) || !isUndeclaredPage(operation, first.outcome)) return null
  const nowhere = nowhereFrom(request)
  return way.refusal(nowhere) === null &&
    isTheSame([request, first.outcome], [nowhere, await way.send(nowhere)])
    ? `the server answers every path with the same page (${summary(first.outcome)}), as a web app does: what is the base URL of the API?`
    : null
}

const isSuccess = (outcome: Outcome): boolean =>
  outcome.kind === 'response' && outcome.response.status >= 200 && outcome.response.status < 300

/** Where the API is; `isKeptOut`: where it may be, as the server asks for credentials there for any path, and not at the base URL. */
type Other = { readonly base: string; readonly isKeptOut: boolean }

/** The first other base URL at which the server has one of these; else the first at which it may; null if there is none. */
const baseWith = async (way: Way, telling: readonly Telling[]): Promise<Other | null> => {
  const all = candidates(way.options)
  const found = await Promise.all(all.map(base => isAt(way, base, telling)))
  const baseOf = (answer: At): string | undefined => all[found.indexOf(answer)]
  const [there, keptOut] = [baseOf('there'), baseOf('kept out')]
  if (there !== undefined) return { base: there, isKeptOut: false }
  return keptOut === undefined ? null : { base: keptOut, isKeptOut: true }
}

const candidates = ({ contract, target }: RunOptions): readonly string[] => {
  const base = target.href.replace(/\/$/, '')
  const declared = (serversOf(contract.document) ?? []).map(basePathOf)
  const all = [
    ...declared.map(path => target.origin + path),
    ...declared.filter(path => path !== '').map(path => base + path),
    ...usual.map(path => base + path),
    ...usual.map(path => target.origin + path),
    target.origin,
  ]
  return [...new Set(all)].filter(each => each !== base)
}

type At = 'there' | 'kept out' | 'elsewhere'

const isAt = async ({ options, refusal }: Way, base: string, telling: readonly Telling[]): Promise<At> => {
  // What is left out at the base URL is left out below a guessed one, under both of its paths.
  const path = new URL(base).pathname.replace(/\/$/, '')
  const gate = (request: HttpRequest): string | null =>
    refusal(request) ?? refusal({ ...request, target: path + request.target })
  const timeoutMs = Math.min(options.timeoutMs, mostMs)
  const transport = createTransport({
    ...options,
    timeoutMs,
    target: new URL(base),
    token: secretOf(options),
    gate,
  })
  let at: At = 'elsewhere'
  try {
    for (const each of telling.slice(0, 2)) {
      const nowhere = nowhereFrom(each.request)
      if ((gate(each.request) ?? gate(nowhere)) !== null) continue
      const outcome = await transport.send(each.request)
      const found = answer(each, outcome)
      if (found === 'missing' || outcome.kind === 'failure' || outcome.response.status >= 500) continue
      // A server may answer any path alike, below some prefix as well.
      if (!isTheSame([each.request, outcome], [nowhere, await transport.send(nowhere)])) return 'there'
      if (outcome.response.status === 401 || outcome.response.status === 403) at = 'kept out'
    }
    return at
  } finally {
    await transport.close()
  }
}

/** Milliseconds for an answer to a guess. */
const mostMs = 1500

/** A 405 shows the path of an operation with another method. */
const answer = ({ operation }: Telling, outcome: Outcome) =>
  operation.method !== 'GET' && outcome.kind === 'response' && outcome.response.status === 405
    ? 'there'
    : answerOf(operation, outcome)

const pathOf = ({ target }: HttpRequest): string => target.split('?')[0] ?? target

/** The same request of a path that no document has. */
export const nowhereFrom = (request: HttpRequest): HttpRequest => ({
  ...request,
  method: 'GET',
  target: '/plantstore-no-such-path',
  body: null,
})

/** Header fields of errors that a proxy made itself (RFC 9209, Squid). */
const ofProxies = ['proxy-status', 'x-squid-error']

/** Why an error is that of the proxy of the run and not of the server; null: it does not look like one. */
export const proxyProblem = (
  { proxy, target }: RunOptions,
  operation: Operation,
  outcome: Outcome,
): string | null => {
  if (proxy === null || outcome.kind === 'failure' || outcome.response.status < 400) return null
  const { headers } = outcome.response
  const isOwn =
    ofProxies.some(name => header(headers, name) !== null) ||
    (header(headers, 'via') !== null && isUndeclaredPage(operation, outcome))
  return isOwn
    ? `the proxy ${proxy.origin} answers in place of the server (${summary(outcome)}): does it let requests to ${target.host} through (--proxy, HTTP_PROXY, NO_PROXY)?`
    : null
}
