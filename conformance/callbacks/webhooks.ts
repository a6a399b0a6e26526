/** What comes to the URL that a request has given for webhooks, while other requests change what they may be about. */
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Arrival,
  type Callback,
  createCallbackJudge,
  isObject,
  itemPlace,
  type Json,
  meantWebhook,
  type Operation,
  plainName,
  type ReceivedCallback,
  type SchemaPlace,
  setAt,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import { isReading, type OperationModel } from '../cases/operation-model.ts'
import { summary } from '../judge/observation-text.ts'
import type { CaseSender } from '../send/case-sender.ts'
import type { Asked } from './ask-for-callback.ts'
import type { Hearing, Missing, Parts, Sendable, Ways } from './hearing.ts'

type Way = Ways<'sent'>['sent']

/** What came, and after a request of which operation. */
type Heard = {
  /** As the webhook that it is; null: it is none of them, as far as it shows. */
  readonly received: ReceivedCallback | null
  /** As the webhook that it breaks least. */
  readonly least: ReceivedCallback
  readonly after: string
}

type All = {
  /** The request that gave the URL. */
  readonly asked: Asked
  readonly heard: readonly Heard[]
  /** Requests that may have been followed by a webhook. */
  readonly changes: number
}

/** Requests that change something, at most. */
const mostChanges = 60
/** Of each webhook, so many are enough. */
const enough = 2
/** Milliseconds in which most webhooks come, so that it is known which request they come after. */
const soonMs = 50
/** Milliseconds between looks at what has come. */
const everyMs = 5

export const waysOfWebhooks = (
  model: OperationModel,
  sender: CaseSender,
  { callbacks, ask, secretOf, success, allowed, text, problemOf }: Hearing,
  { listener, options: { contract, signal }, scope, operations }: Parts,
): Ways<'sent' | 'request' | 'credentials'> => {
  const webhooks = callbacks.filter(({ isWebhook }) => isWebhook)
  const judge = createCallbackJudge(contract, webhooks, secretOf)

  /** Gives a URL for all events that the request may name. */
  const subscribe = async (testCase: TestCase, wanted: Callback): Promise<readonly Asked[] | Missing> => {
    const subscribed: Asked[] = []
    let missing: Missing | null = null
    for (const spec of [...withEvents(model, testCase.spec, webhooks), testCase.spec]) {
      // The plain request is for a server that does not know the events.
      if (spec === testCase.spec && subscribed.length > 0) break
      const given = sender.variantOf(testCase, spec)
      const asked = given === null ? null : await ask(given, wanted, () => success(wanted))
      if (asked === null) continue
      if ('missing' in asked) missing ??= asked
      else if (asked.isAccepted) subscribed.push(asked)
      else
        missing ??= {
          missing: `the request that gives the URL was rejected (${summary(asked.sent.outcome)})`,
        }
    }
    return subscribed.length > 0
      ? subscribed
      : (missing ?? { missing: 'no request can give a URL for webhooks' })
  }

  const hear = async (testCase: TestCase, wanted: Callback): Promise<All | Missing> => {
    const subscribed = await subscribe(testCase, wanted)
    if ('missing' in subscribed) return subscribed
    const heard = new Map<Arrival, Heard>()
    /** What has come since, after a request of this operation. */
    const note = (after: string): void => {
      for (const { line, exchange } of subscribed)
        for (const arrival of line.arrivals()) {
          const all = heard.has(arrival) ? [] : judge(arrival, line.url, exchange)
          const [least] = all
          if (least !== undefined) heard.set(arrival, { received: meantWebhook(all), least, after })
        }
    }
    const isEnough = (): boolean => {
      const ofAll = [...heard.values()].map(({ received }) => received?.callback)
      return webhooks.every(webhook => ofAll.filter(each => each === webhook).length >= enough)
    }
    const waitFor = async (after: string, isIt: () => boolean, ms: number): Promise<void> => {
      const end = performance.now() + allowed(ms)
      for (note(after); !isIt() && !signal.aborted && performance.now() < end; note(after))
        await delay(everyMs)
    }
    const all = changing(operations, scope, model.operation)
    let changes = 0
    for (const kind of ['plain', 'full'] as const)
      for (const { model: of, sender: send, valid } of all) {
        if (signal.aborted || changes >= mostChanges || valid === undefined || isEnough()) break
        const before = heard.size
        const { missing } = await send.send(send.validCase(valid, kind))
        if (missing !== undefined) continue
        changes += 1
        await waitFor(of.operation.id, () => heard.size > before, Math.min(listener.waitMs, soonMs))
      }
    await waitFor('the last of them', isEnough, listener.waitMs)
    return { asked: subscribed[0] as Asked, heard: [...heard.values()], changes }
  }

  let last: Promise<All | Missing> | null = null
  const told = new Set<string>()
  /** What came is told once for each requirement. Whoever asks again wants to hear it again. */
  const heardFor = (testCase: TestCase, webhook: Callback): Promise<All | Missing> => {
    const { id } = testCase.obligation
    if (last === null || told.has(id)) {
      last = hear(testCase, webhook)
      told.clear()
    }
    told.add(id)
    return last
  }

  const isSent: Way = async (testCase, webhook) => {
    const all = await heardFor(testCase, webhook)
    if ('missing' in all) return all
    const own = all.heard.filter(({ received }) => received?.callback === webhook)
    const [first] = own
    const other = all.heard.find(({ received }) => received === null)
    const observed =
      first === undefined
        ? `did not come after ${all.changes} ${all.changes === 1 ? 'request that changes' : 'requests that change'} something${other === undefined ? '' : `; an undeclared request came: ${text(other.least)}`}`
        : `came ${own.length === 1 ? 'once' : `${own.length} times`}, first after ${first.after}`
    return { asked: all.asked, problem: null, observed }
  }

  const isAsDeclared =
    (part: 'request' | 'credentials'): Way =>
    async (testCase, webhook) => {
      const all = await heardFor(testCase, webhook)
      if ('missing' in all) return all
      const own = all.heard.flatMap(({ received, after }) =>
        received?.callback === webhook ? [{ received, after }] : [],
      )
      if (own.length === 0) return { missing: 'the webhook did not come' }
      const wrong = own.find(({ received }) => received[part].length > 0)
      if (wrong === undefined) return { asked: all.asked, problem: null }
      return { asked: all.asked, problem: problemOf(wrong.received, part, `after ${wrong.after}: `) }
    }

  return { sent: isSent, request: isAsDeclared('request'), credentials: isAsDeclared('credentials') }
}

/** The operations whose requests change what webhooks may be about, and not who hears of them; those that create something first. */
const changing = (
  operations: Parts['operations'],
  scope: Parts['scope'],
  { path }: Operation,
): readonly Sendable[] =>
  [...operations.values()]
    .filter(
      ({ model }) =>
        !isReading(model) &&
        !model.operation.path.startsWith(path) &&
        !scope.destructive.has(model.operation.id) &&
        !scope.acting.has(model.operation.id),
    )
    .toSorted((left, right) => turnOf(left) - turnOf(right))

const turnOf = ({ model }: Sendable): number =>
  model.operation.method === 'POST' ? 0 : model.operation.method === 'DELETE' ? 2 : 1

const eventNames = /(?:event|topic|trigger)(?:type|name)?s?$|^types?$/
const switches = /^(?:is)?(?:active|enabled)$/

/** So many events are asked for one by one, at most. */
const mostEvents = 10

/** The request with all events that it can ask for, or one for each; as it is if it does not ask for any. */
const withEvents = (
  { body: declared }: OperationModel,
  spec: RequestSpec,
  webhooks: readonly Callback[],
): readonly RequestSpec[] => {
  const { body } = spec
  if (declared === null || body === undefined || !isObject(body)) return []
  const { children } = declared.root
  const nameOf = ({ pattern }: SchemaPlace): string => plainName(pattern.slice(1))
  const active = children
    .filter(place => switches.test(nameOf(place)) && place.types?.includes('boolean') === true)
    .reduce<Json>((changed, { pattern }) => setAt(changed, pattern, true), body)
  const place = children.find(
    each =>
      eventNames.test(nameOf(each)) &&
      each.types?.some(type => type === 'array' || type === 'string') === true,
  )
  if (place === undefined) return [{ ...spec, body: active }]
  const list = place.types?.includes('array') === true ? itemPlace(place) : null
  const listed = (list ?? place).keywords.find(({ keyword }) => keyword === 'enum')?.value
  const names = Array.isArray(listed) ? (listed as readonly Json[]) : webhooks.map(({ name }) => name)
  const bodies =
    place.types?.includes('array') === true
      ? [setAt(active, place.pattern, [...names])]
      : names.slice(0, mostEvents).map(name => setAt(active, place.pattern, name))
  return bodies.map(each => ({ ...spec, body: each }))
}
