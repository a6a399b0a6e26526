/** Sends a request with URLs of the listener, and hears what comes to them. */
import {
  type Callback,
  callbackTarget,
  createCallbackJudge,
  type Exchange,
  type ReceivedCallback,
  type SecretOfScheme,
  secretName,
  sentBy,
  setAt,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { exchangeOf } from '../flows/step-outcome.ts'
import { hasDone } from '../judge/expected-status.ts'
import { summary } from '../judge/observation-text.ts'
import type { RunOptions } from '../options/run-options.ts'
import type { CaseSender } from '../send/case-sender.ts'
import type { Sent } from '../send/lost-connections.ts'
import type { Answer, Line, Listener } from './listener.ts'

/** A request that was sent. */
export type Asked = {
  readonly sent: Sent
  readonly line: Line
  readonly isAccepted: boolean
  /** When it was sent, on the clock of `performance.now`. */
  readonly at: number
  readonly exchange: Exchange
  /** What has come so far for a callback. */
  readonly received: (callback: Callback) => readonly ReceivedCallback[]
}

export type Ask = (testCase: TestCase, wanted: Callback, answer: Answer) => Promise<Asked | NotAsked>
/** `sent`: the request, if it was sent and got no response. */
export type NotAsked = { readonly missing: string; readonly sent?: Sent }

export const createAsk = (
  model: OperationModel,
  sender: CaseSender,
  listener: Listener,
  { target, secretsOfSchemes }: Pick<RunOptions, 'target' | 'secretsOfSchemes'>,
): { readonly callbacks: readonly Callback[]; readonly ask: Ask; readonly secretOf: SecretOfScheme } => {
  const callbacks = sentBy(model.contract, model.operation)
  const secretOf: SecretOfScheme = scheme => secretsOfSchemes.get(secretName(scheme))?.value() ?? null
  const judge = createCallbackJudge(
    model.contract,
    callbacks.filter(({ isWebhook }) => !isWebhook),
    secretOf,
  )
  const places = callbacks.map(placeOf)

  /** The request with a URL of the line in each place; null if it has no place for that of the wanted callback. */
  const placed = (spec: RequestSpec, wanted: CallbackPlace, line: Line): RequestSpec | null => {
    const known = [...new Map(places.flatMap(keyed))]
    let whole: RequestSpec | null = spec
    for (const [index, [key, place]] of known.entries()) {
      const next = withCallbackUrl(model, whole, place, `${line.url}/${index}`)
      if (next === null && key === keyOf(wanted)) return null
      whole = next ?? whole
    }
    return whole
  }

  const caseFor = (testCase: TestCase, wanted: CallbackPlace, line: Line): TestCase | null => {
    const { obligation, spec } = testCase
    const given = placed(spec, wanted, line)
    const plain = given === null ? null : sender.variantOf(testCase, given)
    if (plain !== null || isOfRejection(testCase)) return plain
    const full = placed(sender.validCase(obligation, 'full').spec, wanted, line)
    return full === null ? null : sender.variantOf(testCase, full)
  }

  const ask: Ask = async (testCase, wanted, answer) => {
    const place = places[callbacks.indexOf(wanted)] as ReturnType<typeof placeOf>
    if ('reason' in place) return { missing: place.reason }
    const line = listener.open(answer)
    const planned = caseFor(testCase, place, line)
    if (planned === null)
      return { missing: `no such request has a place for the URL ${line.url}: see --public-url` }
    const at = performance.now()
    const sent = await sender.send(planned)
    if (sent.missing !== undefined) return { missing: sent.missing }
    const exchange = exchangeOf(target, sent.testCase, sent.outcome)
    if (exchange === null) return { missing: `the request got no response: ${summary(sent.outcome)}`, sent }
    if (!isOfRejection(testCase) && callbackTarget(wanted, line.url, exchange) === null)
      return { missing: `${wanted.url} is not the URL of the listener in the request that was sent` }
    return {
      ...{ sent, line, at, exchange, isAccepted: hasDone(model.operation, sent.outcome) },
      received: callback => receivedOf(line, exchange).filter(each => each.callback === callback),
    }
  }
  const receivedOf = (line: Line, exchange: Exchange): readonly ReceivedCallback[] =>
    // Several may go to one URL: it is the one that it breaks least.
    line.arrivals().flatMap(arrival => judge(arrival, line.url, exchange).slice(0, 1))
  return { callbacks, ask, secretOf }
}

const keyOf = (place: CallbackPlace): string => JSON.stringify(place)

const keyed = (
  place: CallbackPlace | { readonly reason: string },
): readonly (readonly [string, CallbackPlace])[] => ('reason' in place ? [] : [[keyOf(place), place]])

const isOfRejection = ({ obligation: { subject } }: TestCase): boolean =>
  subject.kind === 'callback' && subject.name === 'rejected'

/** Where a request says which URL its callbacks go to. */

type CallbackPlace =
  | { readonly in: 'body'; readonly pointer: string }
  | { readonly in: 'query' | 'header'; readonly name: string }

/** The place that an expression takes the URL from, or why no client decides what it is. */
const placeOf = ({ url }: Callback): CallbackPlace | { readonly reason: string } => {
  const [, embedded, alone] = /^(?:\{(\$[^{}]+)\}|(\$.+$))/s.exec(url) ?? []
  const expression = embedded ?? alone
  if (expression === undefined) return { reason: `it is sent to ${url}, which no request decides` }
  const [, pointer, part, name = ''] =
    /^\$request\.(?:body(#.*)?|(query|header)\.(.+))$/s.exec(expression) ?? []
  if (part === 'query' || part === 'header') return { in: part, name }
  if (!expression.startsWith('$request.body'))
    return { reason: `its URL is ${expression}, which is not for the client to choose` }
  return { in: 'body', pointer: decodeURIComponent((pointer ?? '').slice(1)) }
}

/** The request with another URL for callbacks; null if it has no such place. */
const withCallbackUrl = (
  { parameters }: OperationModel,
  spec: RequestSpec,
  place: CallbackPlace,
  url: string,
): RequestSpec | null => {
  if (place.in === 'body')
    return spec.body === undefined ? null : { ...spec, body: setAt(spec.body, place.pointer, url) }
  const is = (name: string): boolean =>
    place.in === 'header' ? name.toLowerCase() === place.name.toLowerCase() : name === place.name
  const declared = parameters.find(({ parameter }) => parameter.in === place.in && is(parameter.name))
  if (declared === undefined) return null
  return { ...spec, parameters: { ...spec.parameters, [declared.parameter.name]: url } }
}
