import type { HttpRequest, Obligation, Outcome } from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { renderRequest } from '../cases/render.ts'
import type { Binder } from '../things/thing.ts'
import type { Attempt, Sent } from './lost-connections.ts'

/** Sends cases that name something that exists; each attempt may name another thing, as the one before may have removed it. */
export type BoundSend = {
  readonly send: (testCase: TestCase) => Promise<Attempt>
  readonly sendChain: (testCase: TestCase) => Promise<Sent>
  /** A valid request that goes before a case, with the names of what exists in its path. */
  readonly opening: (spec: RequestSpec) => Promise<Opening>
}

/** `done` has to be called with what came of it. `valid`: the same as a case of its own; null if it is no valid request. */
export type Opening = {
  readonly request: HttpRequest
  readonly valid: TestCase | null
  readonly done: (outcome: Outcome) => void
}

/** A request that nobody has to know of. */
export const openingOf = (request: HttpRequest, valid: TestCase | null = null): Opening => ({
  request,
  valid,
  done: () => {},
})

/** `valid`: the obligation that any valid request is accepted. Without a binder cases are sent as they are. */
export const createBoundSend = (
  model: OperationModel,
  valid: Obligation | undefined,
  binder: Binder | null,
  sendNow: (testCase: TestCase) => Promise<Attempt>,
): BoundSend => {
  const validCase = (obligation: Obligation, spec: RequestSpec, request: HttpRequest): TestCase => ({
    number: 0,
    obligation,
    expectation: 'accept',
    cause: null,
    spec,
    request,
    precondition: 'none',
  })
  if (binder === null)
    return {
      send: sendNow,
      sendChain: async testCase => notSent(testCase, 'nothing is known of what the server keeps'),
      opening: async spec => {
        const request = renderRequest(model.operation, spec)
        return openingOf(request, valid === undefined ? null : validCase(valid, spec, request))
      },
    }
  return {
    send: async planned => {
      const binding = await binder.bind(planned)
      if (binding.kind === 'missing') return { ...notSent(planned, binding.reason), isClosable: false }
      const attempt = await sendNow(binding.testCase)
      binding.done(attempt.outcome)
      return attempt
    },
    sendChain: async planned => {
      const run = await binder.runChain(planned)
      return run.kind === 'missing' ? notSent(planned, run.reason) : { ...run, lost: null }
    },
    opening: async spec => {
      const request = renderRequest(model.operation, spec)
      if (valid === undefined) return openingOf(request)
      const binding = await binder.bind(validCase(valid, spec, request))
      return binding.kind === 'bound'
        ? { request: binding.testCase.request, valid: binding.testCase, done: binding.done }
        : openingOf(request)
    },
  }
}

const notSent = (testCase: TestCase, reason: string): Sent => {
  const outcome: Outcome = { kind: 'failure', failure: 'unreachable', status: null, detail: reason, ms: 0 }
  return { testCase, outcome, lost: null, missing: reason }
}
