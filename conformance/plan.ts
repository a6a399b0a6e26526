import type { Obligation } from '../spec/index.ts'
import type { Case } from './case.ts'
import { expect } from './expect.ts'
import { type Maker, type MakerContext, makerOf } from './makers/index.ts'

export type Plan = {
  readonly cases: readonly Case[]
  /** Obligations without a case, and why. */
  readonly untested: ReadonlyMap<string, string>
}

type Row = { readonly obligation: Obligation; readonly context: MakerContext; readonly maker: Maker }

export type PlanOptions = {
  readonly obligations: readonly Obligation[]
  readonly contextOf: (operation: string) => MakerContext
  readonly cases: number
  readonly token: string
}

/**
 * The cases of a run in the order in which they are sent: each obligation once, then what is left of the finite ones,
 * then random depth up to the number of cases. It follows from the contract and the seed alone.
 */
export const plan = ({ obligations, contextOf, cases: budget, token }: PlanOptions): Plan => {
  const untested = new Map<string, string>()
  const rows: Row[] = []
  for (const obligation of obligations) {
    const context = contextOf(obligation.operation)
    const maker = makerOf(context, obligation)
    if (maker === null) continue
    if ('untested' in maker) untested.set(obligation.id, maker.untested)
    else rows.push({ obligation, context, maker })
  }
  const cases: Case[] = []
  const next = new Map<Row, number>(rows.map(row => [row, 0]))
  const draw = (row: Row): boolean => {
    const { obligation, context, maker } = row
    for (let tries = 0; tries < 20; tries++) {
      const index = next.get(row) ?? 0
      if (index >= maker.size) return false
      next.set(row, index + 1)
      const number = cases.length
      const draft = maker.make(index, number)
      const expected = draft === null ? null : expect(context.model, obligation, draft, token)
      if (draft !== null && expected !== null) {
        cases.push({ number, obligation, draft, lane: maker.lane, ...expected })
        return true
      }
    }
    return false
  }
  const late = (row: Row): boolean =>
    row.obligation.subject.kind === 'load' && row.obligation.subject.name === 'drift'
  const reserved = rows.filter(late).reduce((sum, { maker }) => sum + maker.size, 0)
  const limit = Math.max(0, budget - reserved)
  spread(
    rows.filter(row => !late(row)),
    limit,
    cases,
    draw,
    untested,
  )
  // What tells of drift comes last.
  for (const row of rows.filter(late)) while (cases.length < budget && draw(row));
  return { cases, untested }
}

const spread = (
  rows: readonly Row[],
  limit: number,
  cases: readonly Case[],
  draw: (row: Row) => boolean,
  untested: Map<string, string>,
): void => {
  let open = rows
  // The first round touches every obligation; after it, those with a fixed number of cases are finished.
  for (let round = 0; open.length > 0 && cases.length < limit; round++) {
    open = open.filter(row => {
      if (cases.length >= limit) {
        if (round === 0)
          untested.set(row.obligation.id, `the run had ${limit} cases, too few to reach it: raise --cases`)
        return true
      }
      if (round > 0 && row.maker.size === Number.POSITIVE_INFINITY && round > 4) return true
      const drawn = draw(row)
      if (!drawn && round === 0)
        untested.set(row.obligation.id, 'no case could be made that breaks this obligation alone')
      return drawn
    })
    if (open.every(({ maker }) => maker.size === Number.POSITIVE_INFINITY) && round > 4) break
  }
  const endless = open.filter(({ maker }) => maker.size === Number.POSITIVE_INFINITY)
  const turns = endless.flatMap(row => Array.from({ length: row.maker.weight }, () => row))
  for (let alive = turns; alive.length > 0 && cases.length < limit; )
    alive = alive.filter(row => cases.length < limit && draw(row))
}
