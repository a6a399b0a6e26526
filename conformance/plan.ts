import type { Obligation } from '../spec/index.ts'
import type { Case } from './case.ts'
import { expect } from './expect.ts'
import { type Maker, type MakerContext, makerOf } from './makers/index.ts'

/** The cases of a run, made one at a time, when they are about to be sent. */
export type Plan = {
  /** The most cases that there can be. */
  readonly most: number
  /** The next case; null where there is none left. The order follows from contract, seed and budget alone. */
  readonly next: () => Case | null
  /** Leaves out all that is left but what has to come last. */
  readonly hurry: () => void
  /** Obligations without a case, and why; those behind the last `next` are not in it. */
  readonly untested: ReadonlyMap<string, string>
}

type Row = {
  readonly obligation: Obligation
  readonly context: MakerContext
  readonly maker: Maker
  next: number
}

export type PlanOptions = {
  readonly obligations: readonly Obligation[]
  readonly contextOf: (operation: string) => MakerContext
  readonly cases: number
  readonly token: string
}

/** After these rounds only what has a fixed number of cases is finished before the rest is explored. */
const evenRounds = 5
/** So many drafts in a row that are not what they were meant to be end an obligation's cases. */
const attempts = 20

const tooFew = 'too few to reach it: raise --cases'

/** Whether what is untested would be tested in a run of more cases. */
export const isTooFew = (because: string): boolean => because.endsWith(tooFew)

/** Each obligation once, then what is left of the finite ones, then random depth up to the number of cases. */
export const plan = ({ obligations, contextOf, cases: budget, token }: PlanOptions): Plan => {
  const untested = new Map<string, string>()
  const rows: Row[] = []
  for (const obligation of obligations) {
    const context = contextOf(obligation.operation)
    const maker = makerOf(context, obligation)
    if (maker === null) continue
    if ('untested' in maker) untested.set(obligation.id, maker.untested)
    else rows.push({ obligation, context, maker, next: 0 })
  }
  // What may bring a server down comes after all that it would keep from being told; what tells of drift comes last.
  const last = [...rows.filter(isWire), ...rows.filter(isDrift)]
  const main = rows.filter(row => !last.includes(row))
  const limit = Math.max(0, budget - Math.min(sizeOf(last), Math.ceil(budget / 2)))
  let number = 0
  let hurried = false
  const draw = (row: Row): Case | null => {
    const { obligation, context, maker } = row
    for (let tries = 0; tries < attempts && row.next < maker.size; tries++) {
      const draft = maker.make(row.next++, number)
      const expected = draft === null ? null : expect(context.model, obligation, draft, token)
      if (draft !== null && expected !== null)
        return { number: number++, obligation, draft, lane: maker.lane, ...expected }
    }
    return null
  }
  const isFull = (): boolean => hurried || number >= limit
  function* cases(): Generator<Case> {
    yield* spread(main, { draw, isFull, isHurried: () => hurried, limit, untested })
    for (const row of last)
      while (number < budget) {
        const drawn = draw(row)
        if (drawn === null) break
        yield drawn
      }
  }
  const sequence = cases()
  return {
    most: Math.min(budget, sizeOf(rows)),
    next: () => sequence.next().value ?? null,
    hurry: () => {
      hurried = true
    },
    untested,
  }
}

const sizeOf = (rows: readonly Row[]): number => rows.reduce((sum, { maker }) => sum + maker.size, 0)

const isWire = ({ obligation }: Row): boolean => obligation.family === 'wire'

const isDrift = ({ obligation: { subject } }: Row): boolean =>
  subject.kind === 'load' && subject.name === 'drift'

const isEndless = ({ maker }: Row): boolean => maker.size === Number.POSITIVE_INFINITY

/** Of endless rows what is known to be telling comes first, and the rest when all others are through. */
const isResting = (row: Row, round: number): boolean =>
  isEndless(row) && round >= Math.max(evenRounds, row.maker.telling ?? 0)

type Spread = {
  readonly draw: (row: Row) => Case | null
  readonly isFull: () => boolean
  readonly isHurried: () => boolean
  readonly limit: number
  readonly untested: Map<string, string>
}

function* spread(
  rows: readonly Row[],
  { draw, isFull, isHurried, limit, untested }: Spread,
): Generator<Case> {
  let open = rows
  for (let round = 0; open.length > 0 && !isFull(); round++) {
    const left: Row[] = []
    for (const row of open) {
      if (isResting(row, round)) {
        left.push(row)
        continue
      }
      if (isFull()) {
        if (round === 0 && !isHurried())
          untested.set(row.obligation.id, `the run had ${limit} cases, ${tooFew}`)
        continue
      }
      const drawn = draw(row)
      if (drawn !== null) {
        left.push(row)
        yield drawn
      } else if (round === 0)
        untested.set(row.obligation.id, 'no case could be made that breaks this obligation alone')
    }
    open = left
    if (open.every(row => isResting(row, round + 1))) break
  }
  let turns = open.filter(isEndless).flatMap(row => Array.from({ length: row.maker.weight }, () => row))
  while (turns.length > 0 && !isFull()) {
    const dry = new Set<Row>()
    for (const row of turns) {
      if (isFull()) return
      const drawn = dry.has(row) ? null : draw(row)
      if (drawn === null) dry.add(row)
      else yield drawn
    }
    if (dry.size > 0) turns = turns.filter(row => !dry.has(row))
  }
}
