/**
 * Requests that test many requirements at once, for a run whose time does not do for a request of each. Whoever accepts a request accepts each value in
 * it; whoever says of a request which of its values are wrong rejects each of these. Of a request that fails, each half is sent by itself, down to single
 * values, which show what they are about as any case does.
 */
import { type Obligation, type Outcome, statusOf } from '../../spec/index.ts'
import { beyondPlan, type TestCase } from '../cases/case.ts'
import { hasPassed, type RunStats, statsOf } from '../judge/run-stats.ts'
import { turnsThatTell } from '../plan/breadth.ts'
import type { Preflight } from '../reach/preflight.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import { groupToAccept, groupToReject, placeIn, shownBy } from './grouped-case.ts'

/** A request has at most so many values, and one with fewer than so many is left to the plan. */
const [mostValues, fewestValues] = [64, 3]
/** After so many requests in a row that showed nothing an operation gets no more of a family: few servers say all that is wrong. */
const mostInVain = { accept: 12, reject: 3 } as const

/** How many cases were drawn, in how many milliseconds. */
type Pace = { readonly drawn: number; readonly ms: number }

type GroupFamily = 'accept' | 'reject'

/** They end if after so many requests each has shown fewer than so many requirements: single ones tell more of what fails. */
const worth = { requests: 60, shown: 8 } as const

type Group = {
  readonly operation: OperationSession
  readonly family: GroupFamily
  readonly members: readonly Obligation[]
  readonly isHalf: boolean
}

export type GroupTests = {
  /** The next request; null if there is none. `drawn`: how many cases of the plan came before. */
  readonly next: (drawn: number) => TestCase | null
  /** Takes the response to one of its requests. True: it shows nothing by itself. */
  readonly take: (testCase: TestCase, outcome: Outcome) => boolean
  /** Whether a request has shown this met, so that its own cases can wait. */
  readonly hasShown: (id: string) => boolean
}

export const createGroupTests = (
  session: RunSession,
  { accepted, closed, blocked, unnamed, hung }: Preflight,
  stats: RunStats,
): GroupTests => {
  const began = performance.now()
  const shown = new Set<string>()
  /** Places the values of which were not accepted one by one. */
  const suspect = new Set<string>()
  const inVain = new Map<string, number>()
  let groups: Group[] | null = null
  let requests = 0
  const isUntested = ({ id }: Obligation): boolean => !stats.obligations.has(id)

  const isOffered = ({ model: { operation }, valid }: OperationSession, family: GroupFamily): boolean =>
    valid !== undefined &&
    (accepted.has(operation.id) || hasPassed(stats, valid.id)) &&
    ![closed, blocked, unnamed, hung, session.scope.destructive].some(those => those.has(operation.id)) &&
    (inVain.get(`${operation.id} ${family}`) ?? 0) < mostInVain[family]

  const groupsOf = (operation: OperationSession): readonly Group[] =>
    (['accept', 'reject'] as const).flatMap(family => {
      const { isGrouped, groupOf } = ways[family]
      const members = operation.obligations.filter(
        each => isUntested(each) && session.scope.isSelected(each.id) && isGrouped(operation, each),
      )
      const before = new Map<string, number>()
      const groups = Map.groupBy(members, each => {
        const count = before.get(placeIn(each)) ?? 0
        before.set(placeIn(each), count + 1)
        return groupOf(each, count)
      })
      return [...groups.values()].flatMap(all =>
        chunksOf(all, mostValues).map(chunk => ({ operation, family, members: chunk, isHalf: false })),
      )
    })

  const requestFor = (group: Group): TestCase | null => {
    const { operation, family, isHalf } = group
    const members = group.members.filter(each => isUntested(each) && !suspect.has(placeIn(each)))
    const [first] = members
    if (first === undefined || !isOffered(operation, family)) return null
    if (isHalf && members.length === 1) return ways[family].single(operation, first)
    const made =
      members.length < (isHalf ? 1 : fewestValues) ? null : ways[family].together(operation, members)
    const covered = made?.group ?? []
    if (made === null || covered.length < (isHalf ? 1 : fewestValues)) return null
    // Of values inside each other one has to wait.
    const rest = members.filter(each => !covered.includes(each))
    if (!isHalf && rest.length > 0) groups?.push({ ...group, members: rest })
    return made
  }

  const show = ({ id }: Obligation): void => {
    statsOf(stats, id).cases += 1
    shown.add(id)
  }

  return {
    next: drawn => {
      const isWorth = requests < worth.requests || shown.size >= worth.shown * requests
      if (
        !isWorth ||
        (groups === null && !isTimeShort(session, stats, { drawn, ms: performance.now() - began }))
      )
        return null
      // What shows most comes first.
      groups ??= [...session.operations.values()]
        .flatMap(groupsOf)
        .sort((left, right) => left.members.length - right.members.length)
      for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
        const made = requestFor(group)
        if (made === null) continue
        requests += 1
        return made
      }
      return null
    },
    take: (testCase, outcome) => {
      const { group, obligation, number, expectation } = testCase
      const operation = session.operations.get(obligation.operation) as OperationSession
      const family = expectation === 'reject' ? 'reject' : 'accept'
      const met = shownBy(session, operation, testCase, outcome)
      if (group === undefined) {
        if (number >= beyondPlan && met === null) suspect.add(placeIn(obligation))
        return false
      }
      const untested = met?.filter(isUntested) ?? []
      untested.forEach(show)
      const key = `${obligation.operation} ${family}`
      inVain.set(key, untested.length > 0 ? 0 : (inVain.get(key) ?? 0) + 1)
      // What is accepted although it is invalid is told of single values.
      const isSplit = met === null && (family === 'accept' || !(statusOf(outcome) < 400))
      const half = Math.ceil(group.length / 2)
      for (const members of isSplit ? [group.slice(half), group.slice(0, half)] : [])
        if (members.length > 0) groups?.push({ operation, family, members, isHalf: true })
      return met === null || family === 'reject'
    },
    hasShown: id => shown.has(id),
  }
}

const ways = { accept: groupToAccept, reject: groupToReject } as const

/** Whether a run with a limit will get to half of what is left at most, once each operation has had what tells most of it. */
const isTimeShort = (
  { clock, scope, operations }: RunSession,
  { obligations }: RunStats,
  { drawn, ms }: Pace,
): boolean => {
  const deadline = clock.deadline()
  if (deadline === null || drawn < turnsThatTell * operations.size) return false
  const left = scope.selected.length - obligations.size
  return (left * ms) / drawn > 2 * (deadline - performance.now())
}

const chunksOf = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
