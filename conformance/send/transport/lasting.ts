import type { Outcome } from '../../../spec/index.ts'

/**
 * What a server answers with 503 however long it is waited for: it is in a mode in which it serves some operations only, and not too busy. Told
 * by the body, whatever operation was asked.
 */
export type Lasting = {
  readonly is: (outcome: Outcome) => boolean
  /** A request got this 503 all the time, until it was given up. */
  readonly noteGivenUp: (outcome: Outcome) => void
  /** A request that had got this 503 was served in the end. */
  readonly noteServed: (before: Outcome) => void
}

/** So many requests in a row that were given up with the same answer. */
const mostGivenUp = 6

export const createLasting = (): Lasting => {
  const givenUp = new Map<string, number>()
  return {
    is: outcome => givenUp.size > 0 && (givenUp.get(textOf(outcome)) ?? 0) >= mostGivenUp,
    noteGivenUp: outcome => {
      const text = textOf(outcome)
      givenUp.set(text, (givenUp.get(text) ?? 0) + 1)
    },
    noteServed: before => void givenUp.delete(textOf(before)),
  }
}

/** Bytes of a body that tell it from others. */
const mostBytes = 200

const textOf = (outcome: Outcome): string =>
  outcome.kind === 'response' && outcome.response.status === 503
    ? `503 ${Buffer.from(outcome.response.body.subarray(0, mostBytes)).toString('latin1')}`
    : ''
