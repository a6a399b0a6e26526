/** Sends the cases about callbacks: each sends its requests, and waits for what comes. */
import type { CallbackName, Obligation } from '../../spec/index.ts'
import type { Chain, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import type { CaseSender } from '../send/case-sender.ts'
import { notSent, type Sent } from '../send/lost-connections.ts'
import type { Asked } from './ask-for-callback.ts'
import { createHearing, type Parts, type Ways } from './hearing.ts'
import type { Listener } from './listener.ts'
import { waysOfWebhooks } from './webhooks.ts'
import { waysToCome } from './what-comes.ts'
import { waysToComeAgain } from './what-comes-again.ts'

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
