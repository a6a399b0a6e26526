/**
 * Requests that test many requirements at once, for a run whose time is too short for a request for each. A server that accepts a request accepts each value
 * in it; one that names the wrong values of a request rejects each of them. A request that fails is halved, and each half sent, down to single values, which
 * are judged as any case is.
 */
import { type Obligation, type Outcome, statusOf } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { hasPassed, type RunStats, statsOf } from '../judge/run-stats.ts'
import { hasToldMost } from '../plan/breadth.ts'
import type { Preflight } from '../reach/preflight.ts'
import { is503 } from '../send/patient-send.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import { groupToAccept, groupToReject, keyOfPlace, parameterIn, placeIn, type Way } from './grouped-case.ts'

/** Values that one request has, at most and at least: the plan has requests for single ones. */
const [mostValues, fewestValues] = [64, 3]
/** After so many requests in a row that showed nothing, an operation gets no more of that family: few servers name all that is wrong. */
const mostInVain = { accept: 12, reject: 3 } as const

/** A parameter that is suspect in so many operations is suspect in all of them. */
const fewestAlike = 2

/** How many cases were drawn, in how many milliseconds. */
type Pace = { readonly drawn: number; readonly ms: number }

type GroupFamily = 'accept' | 'reject'

/** Group tests end if, after so many requests, these have shown fewer requirements each on average: single values tell more of what fails. */
const worth = { requests: 60, shown: 8 } as const

type Group = {
  readonly operation: OperationSession
  readonly family: GroupFamily
  readonly members: readonly Obligation[]
  /** It is part of one that failed. */
  readonly isHalf: boolean
}

export type GroupTests = {
  /** The next request; null if there is none. `drawn`: how many cases of the plan came before. */
  readonly next: (drawn: number) => TestCase | null
  /** Learns from the response if the request is one of these. True: the response is not to be judged as that to a single value is. */
  readonly take: (testCase: TestCase, outcome: Outcome) => boolean
  /** Whether a request has shown this requirement met, so that it needs no case of its own. */
  readonly hasShown: (id: string) => boolean
}

export const createGroupTests = (
  session: RunSession,
  { accepted, closed, blocked, unnamed, hung }: Preflight,
  stats: RunStats,
): GroupTests => {
  const began = performance.now()
  const shown = new Set<string>()
  /** Places, by family, of which a value alone was not answered as it should be. */
  const suspect = new Set<string>()
  /** By name, in how many operations a parameter is suspect: the same code often reads it in all of them. */
  const suspectNames = new Map<string, number>()
  const inVain = new Map<string, number>()
  /** What was sent, by its operation and number, until the response comes. */
  const open = new Map<string, Group>()
  let groups: Group[] | null = null
  let requests = 0
  const isUntested = ({ id }: Obligation): boolean => !stats.obligations.has(id)
  const suspectAt = (obligation: Obligation): void => {
    const [key, name] = [`${obligation.family} ${placeIn(obligation)}`, parameterIn(obligation)]
    if (name !== null && !suspect.has(key)) suspectNames.set(name, (suspectNames.get(name) ?? 0) + 1)
    suspect.add(key)
  }
  const isSuspect = (obligation: Obligation): boolean =>
    suspect.has(`${obligation.family} ${placeIn(obligation)}`) ||
    (suspectNames.get(parameterIn(obligation) ?? '') ?? 0) >= fewestAlike

  const isOffered = ({ model: { operation }, valid }: OperationSession, family: GroupFamily): boolean =>
    valid !== undefined &&
    (accepted.has(operation.id) || hasPassed(stats, valid.id)) &&
    ![closed, blocked, unnamed, hung, session.scope.destructive].some(those => those.has(operation.id)) &&
    (inVain.get(`${operation.id} ${family}`) ?? 0) < mostInVain[family]

  const groupsOf = (operation: OperationSession): readonly Group[] =>
    (['accept', 'reject'] as const).flatMap(family => {
      const { isGrouped, groupOf } = ways[family]
      for (const each of family === 'accept' ? operation.obligations : [])
        if (isGrouped(operation, each) && (stats.obligations.get(each.id)?.failed ?? 0) > 0) suspectAt(each)
      const given = session.pool.givenTo(operation.model.operation.id)
      const members = operation.obligations.filter(
        each =>
          isUntested(each) &&
          session.scope.isSelected(each.id) &&
          isGrouped(operation, each) &&
          // What names something that exists is not accepted with another value.
          !(family === 'accept' && given.get(keyOfPlace(each))?.isName === true),
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
    const { single, together } = ways[family]
    const members = group.members.filter(each => isUntested(each) && !isSuspect(each))
    const [first] = members
    const fewest = isHalf ? 1 : fewestValues
    if (first === undefined || members.length < fewest || !isOffered(operation, family)) return null
    const made = members.length === 1 ? alone(single(operation, first), first) : together(operation, members)
    if (made === null || made.members.length < fewest) return null
    if (made.members.length === 1 && members.length > 1)
      return requestFor({ ...group, members: made.members })
    // Of values inside each other, one has to wait.
    const rest = members.filter(each => !made.members.includes(each))
    if (!isHalf && rest.length > 0) groups?.push({ ...group, members: rest })
    open.set(keyOf(made.testCase), { ...group, members: made.members })
    return made.testCase
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
      const group = open.get(keyOf(testCase))
      if (group === undefined) return false
      open.delete(keyOf(testCase))
      const { operation, family, members } = group
      const met = ways[family].shownBy(session, group, testCase, outcome)
      const [first, ...others] = members
      if (first !== undefined && others.length === 0) {
        if (met === null) suspectAt(first)
        return false
      }
      const untested = met?.filter(isUntested) ?? []
      untested.forEach(show)
      const key = `${operation.model.operation.id} ${family}`
      inVain.set(key, untested.length > 0 ? 0 : (inVain.get(key) ?? 0) + 1)
      // What a busy server did not serve comes once more, after the others.
      if (is503(outcome)) groups?.unshift(group)
      // If wrong values are accepted, the cases of the plan tell which.
      const isSplit = met === null && !is503(outcome) && (family === 'accept' || !(statusOf(outcome) < 400))
      const half = Math.ceil(members.length / 2)
      if (isSplit)
        for (const part of [members.slice(half), members.slice(0, half)])
          groups?.push({ ...group, members: part, isHalf: true })
      return met === null || family === 'reject'
    },
    hasShown: id => shown.has(id),
  }
}

const ways: Readonly<Record<GroupFamily, Way>> = { accept: groupToAccept, reject: groupToReject }

const keyOf = ({ obligation: { operation }, number }: TestCase): string => `${operation} ${number}`

const alone = (testCase: TestCase | null, member: Obligation) =>
  testCase === null ? null : { testCase, members: [member] }

/** So many milliseconds belong to what tells most of each operation. After that, group tests take turns with the rest of it. */
const firstOnly = 60_000

/** Whether the time of the run is enough for half of what is left at most, once each operation has had what tells most of it. */
const isTimeShort = (
  { clock, scope, operations }: RunSession,
  { obligations }: RunStats,
  { drawn, ms }: Pace,
): boolean => {
  const deadline = clock.deadline()
  if (deadline === null || (ms < firstOnly && !hasToldMost(drawn, operations.size))) return false
  const left = scope.selected.length - obligations.size
  return (left * ms) / drawn > 2 * (deadline - performance.now())
}

const chunksOf = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
