import { createHash } from 'node:crypto'
import { type ExchangeEvent, type Outcome, recordOutcome, recordRequest, type Secret } from '../spec/index.ts'
import { type Case, caseId } from './case.ts'
import { type Cell, cellOf } from './cell.ts'

/** The planned requests of a cell as one number. */
export type CellDigest = { readonly cell: string; readonly digest: string }

/** Digests of the requests of a plan, in order, for each cell: equal for the same contract, seed and budget, at any concurrency. */
export const createDigests = (cells: readonly Cell[]) => {
  const hashes = new Map(cells.map(({ name }) => [name, createHash('sha256')]))
  return {
    add: ({ obligation, request, lane }: Case): void => {
      const hash = hashes.get(cellOf(obligation))
      if (hash === undefined) return
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
    end: (): readonly CellDigest[] =>
      [...hashes].map(([cell, hash]) => ({ cell, digest: hash.digest('hex') })),
  }
}

/** The digest of a whole plan from those of its cells, whoever sent them; they stand in the order of the contract. */
export const digestOf = (cells: readonly CellDigest[]): string =>
  createHash('sha256')
    .update(JSON.stringify(cells.map(({ cell, digest }) => [cell, digest])))
    .digest('hex')

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
