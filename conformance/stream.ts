import { createHash } from 'node:crypto'
import { type ExchangeEvent, type Outcome, recordOutcome, recordRequest, type Secret } from '../spec/index.ts'
import { type Case, caseId } from './case.ts'
import type { Plan } from './plan.ts'

/** Digest of the requests of a plan, in order: equal for the same contract, seed and budget, at any concurrency. */
export const createDigest = () => {
  const hash = createHash('sha256')
  return {
    add: ({ request, lane }: Case): void => {
      hash.update(
        JSON.stringify([
          request.method,
          request.target,
          request.headers,
          request.chunked,
          lane,
          request.body?.length ?? null,
          ...(request.raw === undefined ? [] : [request.raw]),
        ]),
      )
      if (request.body !== null) hash.update(request.body)
    },
    end: (): string => hash.digest('hex'),
  }
}

/** Bytes of a body that are written down; findings keep their requests whole. */
const bodyLimit = 4096

export const exchangeEvent = (
  asked: Case,
  outcome: Outcome,
  broken: readonly string[],
  tokens: readonly Secret[],
): ExchangeEvent => ({
  type: 'exchange',
  id: caseId(asked.number),
  obligation: asked.obligation.id,
  expected: asked.expected,
  request: recordRequest(asked.request, bodyLimit),
  outcome: recordOutcome(outcome, tokens, bodyLimit),
  broken,
})

/** Hands things on in the order of their numbers, whatever order they come in. */
export const inOrder = <T>(emit: (item: T) => void): ((number: number, item: T | null) => void) => {
  const waiting = new Map<number, T | null>()
  let next = 0
  return (number, item) => {
    waiting.set(number, item)
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next)
      if (ready !== null) emit(ready)
      next += 1
    }
  }
}

/** The plan, with each of its cases added to a digest as it is taken. */
export const withDigest = (plan: Plan, digest: ReturnType<typeof createDigest>): Plan => ({
  ...plan,
  next: () => {
    const asked = plan.next()
    if (asked !== null) digest.add(asked)
    return asked
  },
})
