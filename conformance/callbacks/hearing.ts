/** Sends requests with URLs for callbacks, and waits for what comes. */
import {
  arrivalText,
  type Callback,
  type CallbackName,
  callbackProblem,
  callbackSuccess,
  type HttpResponse,
  type Obligation,
  type ReceivedCallback,
  redact,
  type SecretOfScheme,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { summary } from '../judge/observation-text.ts'
import type { RunOptions } from '../options/run-options.ts'
import type { Scope } from '../options/scope.ts'
import type { CaseSender } from '../send/case-sender.ts'
import { type Ask, type Asked, createAsk } from './ask-for-callback.ts'
import type { Answer, Listener } from './listener.ts'

/** What a session has of an operation. */
export type Sendable = {
  readonly model: OperationModel
  readonly valid: Obligation | undefined
  readonly sender: CaseSender
}

export type Parts = {
  readonly options: Pick<RunOptions, 'target' | 'contract' | 'secrets' | 'secretsOfSchemes' | 'signal'>
  readonly clock: { readonly end: () => number | null }
  readonly listener: Listener
  readonly scope: Pick<Scope, 'destructive' | 'acting'>
  /** All operations, by id. */
  readonly operations: ReadonlyMap<string, Sendable>
}

type Problem = NonNullable<NonNullable<TestCase['callback']>['problem']>

/** What a case showed, and the request before its own; or why it showed nothing. */
export type Shown =
  | {
      readonly asked: Pick<Asked, 'sent'>
      readonly before?: Asked
      readonly problem: Problem | null
      readonly observed?: string
    }
  | Missing
export type Missing = { readonly missing: string }

/** How the requirements of one kind are tested. */
export type Ways<Name extends CallbackName> = Readonly<
  Record<Name, (testCase: TestCase, callback: Callback) => Promise<Shown>>
>

type AndWait<A> = (testCase: TestCase, callback: Callback, answer?: Answer) => Promise<A | Missing>
type Came = Asked & { readonly came: readonly ReceivedCallback[] }

export type Hearing = {
  readonly callbacks: readonly Callback[]
  readonly ask: Ask
  readonly secretOf: SecretOfScheme
  /** A declared success. */
  readonly success: (callback: Callback) => HttpResponse
  /** Sends a request that has to be accepted, and waits until its callback has come. */
  readonly askAndWait: AndWait<Came>
  /** The same for whoever needs a callback to look at. */
  readonly askForOne: AndWait<Came>
  /** Of so many milliseconds, those that the time of the run allows to wait. */
  readonly allowed: (ms: number) => number
  /** Waits as long as the time of the run allows. */
  readonly wait: (asked: Asked, isEnough: () => boolean, ms: number) => Promise<void>
  /** How long to look for what should not come: some times as long as what came took. */
  readonly quietMs: () => number
  readonly hasCome: () => boolean
  /** The last requests that were accepted: a callback may be about another than the one that gave its URL. */
  readonly known: readonly Asked[]
  readonly text: (received: ReceivedCallback) => string
  /** How a callback is not as declared; `before`: a clause that says when it came. */
  readonly problemOf: (
    received: ReceivedCallback,
    part: 'request' | 'credentials',
    before?: string,
  ) => Problem
}

const mostKnown = 50
const shareOfTime = 0.1

const noneCame: Missing = { missing: 'the callback did not come' }

export const createHearing = (
  model: OperationModel,
  sender: CaseSender,
  { options, clock, listener }: Parts,
): Hearing => {
  const { contract, secrets, signal } = options
  const { callbacks, ask, secretOf } = createAsk(model, sender, listener, options)
  /** How long the slowest callback took so far; null: none has come. */
  let slowest: number | null = null
  let hasWaitedInVain = false
  const known: Asked[] = []
  const success = (callback: Callback): HttpResponse => callbackSuccess(contract, callback)
  /** So that other requests have their time as well, one wait never takes more than a part of what is left. */
  const allowed = (ms: number): number => {
    const end = clock.end()
    return end === null ? ms : Math.min(ms, shareOfTime * (end - performance.now()))
  }
  const wait: Hearing['wait'] = ({ line }, isEnough, ms) => line.wait(isEnough, allowed(ms))
  const quietMs = (): number =>
    Math.min(listener.waitMs, slowest === null ? listener.waitMs : 500 + 3 * slowest)

  const askAndWait: Hearing['askAndWait'] = async (testCase, callback, answer = () => success(callback)) => {
    const asked = await ask(testCase, callback, answer)
    if ('missing' in asked) return asked
    if (!asked.isAccepted)
      return {
        missing: `the request was not accepted (${summary(asked.sent.outcome)}), so no callback is due`,
      }
    known.push(asked)
    if (known.length > mostKnown) known.shift()
    const isShort = allowed(listener.waitMs) < listener.waitMs
    await wait(asked, () => asked.received(callback).length > 0, listener.waitMs)
    const came = asked.received(callback)
    const [first] = came
    if (first !== undefined) slowest = Math.max(slowest ?? 0, first.arrival.at - asked.at)
    else if (isShort || signal.aborted)
      return {
        missing:
          'the time of the run was too short to wait for the callback: see --max-time and --callback-wait',
      }
    else if (asked.line.arrivals().length > 0)
      return { missing: 'another callback of the operation came in its place' }
    hasWaitedInVain ||= first === undefined
    return { ...asked, came }
  }
  const askForOne: Hearing['askForOne'] = async (...of) => {
    if (slowest === null && hasWaitedInVain) return noneCame
    const asked = await askAndWait(...of)
    return 'came' in asked && asked.came.length === 0 ? noneCame : asked
  }
  const text: Hearing['text'] = ({ arrival }) => redact(arrivalText(arrival), secrets)
  const problemOf: Hearing['problemOf'] = (received, part, before) =>
    callbackProblem(received, part, secrets, before)
  return {
    ...{
      text,
      problemOf,
      callbacks,
      ask,
      secretOf,
      success,
      allowed,
      askAndWait,
      askForOne,
      wait,
      quietMs,
      known,
    },
    hasCome: () => slowest !== null,
  }
}
