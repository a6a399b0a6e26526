import {
  type CallbackName,
  duration,
  namedScalars,
  type Obligation,
  type ReceivedCallback,
  redact,
} from '../../spec/index.ts'
import type { Chain, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { CaseSender } from '../send/case-sender.ts'
import { notSent, type Sent } from '../send/lost-connections.ts'
import type { Asked } from './ask-for-callback.ts'
import { createHearing, type Hearing, type Parts, type Ways } from './hearing.ts'
import type { Listener } from './listener.ts'
import { waysOfWebhooks } from './webhooks.ts'
import { waysToComeAgain } from './what-comes-again.ts'

/** What has to come: a callback, as it is declared, and about its own request. */

type Way = Ways<'sent'>['sent']

const waysToCome = (
  sender: CaseSender,
  { askAndWait, askForOne, known, text, problemOf }: Hearing,
  { listener, options: { secrets } }: Parts,
): Ways<'sent' | 'request' | 'credentials' | 'own'> => {
  const isSent: Way = async (testCase, callback) => {
    const before = listener.strays().length
    const asked = await askAndWait(testCase, callback)
    if ('missing' in asked || asked.came.length > 0)
      return 'missing' in asked ? asked : { asked, problem: null }
    const elsewhere = listener.strays().slice(before)
    const waited = duration(listener.waitMs)
    return {
      asked,
      problem: {
        expected: `the callback ${callback.name}, in ${waited}`,
        actual:
          elsewhere.length === 0
            ? `nothing came to its URL in ${waited}`
            : `nothing came to its URL in ${waited}, but ${elsewhere[0]} came meanwhile`,
        title: `sent no callback ${callback.name} after an accepted request`,
        waited: true,
      },
    }
  }

  const isAsDeclared =
    (part: 'request' | 'credentials'): Way =>
    async (testCase, callback) => {
      const asked = await askForOne(testCase, callback)
      if ('missing' in asked) return asked
      const wrong = asked.came.find(received => received[part].length > 0)
      if (wrong === undefined) return { asked, problem: null }
      return { asked, problem: problemOf(wrong, part) }
    }

  const isOwn: Way = async (testCase, callback) => {
    const first = await askForOne(testCase, callback)
    if ('missing' in first) return first
    const random = sender.validCase(testCase.obligation, 'random')
    const second = await askAndWait({ ...random, expectation: 'either' }, callback)
    if ('missing' in second) return second
    const [ofSecond, ofFirst] = [second, first].map(asked =>
      ofAnother(asked, asked.received(callback), known),
    )
    const found = isFound(ofSecond) ? ofSecond : ofFirst
    if (found === 'unknown' && ofSecond === 'unknown')
      return { missing: 'no value of the callback says which request it is about' }
    if (!isFound(found)) return { asked: second, before: first, problem: null }
    return {
      asked: second,
      before: first,
      problem: {
        expected: `values of the request that gave the URL of the callback ${callback.name}`,
        actual: `${text(found.received)}: ${redact(found.value, secrets)} is of another request`,
        title: `sent a callback ${callback.name} with values of another request`,
      },
    }
  }
  return {
    sent: isSent,
    request: isAsDeclared('request'),
    credentials: isAsDeclared('credentials'),
    own: isOwn,
  }
}

const isFound = (found: ReturnType<typeof ofAnother> | undefined): found is OfAnother =>
  typeof found === 'object' && found !== null

/** Which request a callback is about. */

/** What came for one request with a value of another. */
type OfAnother = { readonly received: ReceivedCallback; readonly value: string }

/**
 * What came for a request with a value that another request or its response has under the same name, and its own do not; if it is too long to
 * be so by chance. Null: it has values of its own request. `unknown`: no name in it is one of its request.
 */
const ofAnother = (
  asked: Asked,
  came: readonly ReceivedCallback[],
  others: readonly Asked[],
): OfAnother | null | 'unknown' => {
  const own = valuesOf(asked)
  const foreign = others.filter(other => other !== asked).map(valuesOf)
  let isTold = false
  for (const received of came)
    for (const [name, value] of namedScalars(received.arrival.body)) {
      const known = own.get(name)
      if (known === undefined) continue
      if (known.has(value)) isTold = true
      else if (isTelling(value) && foreign.some(values => values.get(name)?.has(value) === true))
        return { received, value: `${name}: ${value}` }
    }
  return isTold ? null : 'unknown'
}

/** `value`: as JSON. */
const isTelling = (value: string): boolean =>
  value.startsWith('"') ? value.length >= 6 : /^-?\d{4}/.test(value)

/** What a request and its response say, by the names of the properties. */
const valuesOf = ({ sent: { testCase, outcome } }: Asked): ReadonlyMap<string, ReadonlySet<string>> => {
  const all = [
    ...namedScalars(testCase.request.body),
    ...(outcome.kind === 'response' ? namedScalars(outcome.response.body) : []),
  ]
  return new Map(
    [...Map.groupBy(all, ([name]) => name)].map(([name, pairs]) => [
      name,
      new Set(pairs.map(([, value]) => value)),
    ]),
  )
}

/** Sends the cases about callbacks: each sends its requests, and waits for what comes. */

/** The same sender, which sends the cases about callbacks as well; `listener` is null if nobody listens. */
export const withCallbacks = (
  sender: CaseSender,
  model: OperationModel,
  obligations: readonly Obligation[],
  parts: Omit<Parts, 'listener'> & { readonly listener: Listener | null },
): CaseSender => {
  const { listener } = parts
  if (listener === null || !obligations.some(({ subject }) => subject.kind === 'callback')) return sender
  const send = createSend(sender, model, { ...parts, listener })
  return {
    ...sender,
    send: testCase => {
      const { subject } = testCase.obligation
      return subject.kind === 'callback'
        ? send(testCase, subject.callback, subject.name)
        : sender.send(testCase)
    },
  }
}

const createSend = (sender: CaseSender, model: OperationModel, parts: Parts) => {
  const { id } = model.operation
  const hearing = createHearing(model, sender, parts)
  const ways: Ways<CallbackName> = {
    ...waysToCome(sender, hearing, parts),
    ...waysToComeAgain(id, sender, hearing, parts),
  }
  const ofWebhooks = { ...ways, ...waysOfWebhooks(model, sender, hearing, parts) }
  return async (testCase: TestCase, called: string, name: CallbackName): Promise<Sent> => {
    const callback = hearing.callbacks.find(each => each.name === called)
    if (callback === undefined) return notSent(testCase, `the operation has no callback ${called}`)
    const shown = await (callback.isWebhook ? ofWebhooks : ways)[name](testCase, callback)
    if ('missing' in shown) return notSent(testCase, shown.missing)
    const { asked, before, problem, observed } = shown
    return {
      ...asked.sent,
      testCase: {
        ...asked.sent.testCase,
        // What came after one request tells of several requirements.
        obligation: testCase.obligation,
        callback: { problem, ...(observed === undefined ? {} : { observed }) },
        ...(before === undefined ? {} : { chain: chainOf(id, before, asked.sent.testCase) }),
      },
    }
  }
}

/** The chain of a case with the request before it. */
const chainOf = (
  operation: string,
  { sent: { testCase, outcome } }: Asked,
  { chain = { steps: [], values: [], exists: false } }: TestCase,
): Chain => {
  const { request } = testCase
  return { ...chain, steps: [...chain.steps, { operation, request, outcome, role: 'callback' }] }
}
