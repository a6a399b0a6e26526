import {
  type Baseline,
  causeOf,
  type Finding,
  type Obligation,
  type Selection,
  type Stop,
  type Verdict,
  type Waiver,
  type Waivers,
} from '../spec/index.ts'
import { observedVerdict, type Seen } from './observe.ts'

export type VerdictInput = {
  readonly obligations: readonly Obligation[]
  readonly seen: Seen
  readonly findings: readonly Finding[]
  readonly untested: ReadonlyMap<string, string>
  readonly excused: ReadonlyMap<string, string>
  /** Operations that accepted no valid request, and what that means. */
  readonly closed: ReadonlyMap<string, string>
  readonly stopped: Stop
  readonly asks: Selection
  readonly waivers: Waivers
  readonly baseline: Baseline
}

const stops: Readonly<Record<Stop, string>> = {
  done: 'no answer of a kind that shows it was seen',
  time: 'the time was up before it was reached',
  bail: 'the run stopped at its first finding',
  interrupt: 'the run was interrupted before it was reached',
  unreachable: 'the server could not be reached any more',
  fault: 'the run broke off by a fault of its own',
}

/** One verdict for each obligation. */
export const verdictsOf = (
  input: VerdictInput,
): readonly { readonly obligation: Obligation; readonly verdict: Verdict }[] => {
  const told = new Map<string, Finding>()
  for (const finding of input.findings)
    for (const id of [finding.obligation, ...finding.also]) if (!told.has(id)) told.set(id, finding)
  const plain = input.obligations.map(obligation => ({
    obligation,
    verdict: verdictOf(obligation, told.get(obligation.id), input),
    waiver: input.waivers.of(obligation.id),
  }))
  // One waiver may be of several obligations: while one of them is broken it is still needed.
  const needed = new Set(plain.flatMap(({ verdict, waiver }) => (verdict.kind === 'broken' ? [waiver] : [])))
  return plain.map(({ obligation, verdict, waiver }) => ({
    obligation,
    verdict:
      waiver === null
        ? underBaseline(verdict, obligation.id, told.get(obligation.id), input.baseline)
        : underWaiver(verdict, waiver, needed.has(waiver)),
  }))
}

const underWaiver = (verdict: Verdict, waiver: Waiver, isNeeded: boolean): Verdict => {
  if (verdict.kind === 'broken') return { ...verdict, kind: 'waived', waiver }
  return verdict.kind === 'kept' && !isNeeded ? { ...verdict, kind: 'mended', waiver } : verdict
}

const underBaseline = (
  verdict: Verdict,
  id: string,
  finding: Finding | undefined,
  { of, shrinks }: Baseline,
): Verdict => {
  const accepted = of(id)
  if (accepted === null) return verdict
  if (verdict.kind === 'broken' && finding !== undefined && causeOf(finding) === accepted.cause)
    return { ...verdict, kind: 'accepted', since: accepted.since }
  return verdict.kind === 'kept' && accepted.flaky !== true && !shrinks
    ? { ...verdict, kind: 'mended', waiver: null }
    : verdict
}

const verdictOf = (
  { id, operation, level, family }: Obligation,
  finding: Finding | undefined,
  input: VerdictInput,
): Verdict => {
  if (finding === undefined && !input.asks(id))
    return { kind: 'untested', because: 'it was left out by --only or --skip' }
  const cases = input.seen.sightings.get(id)?.cases ?? 0
  if (finding !== undefined && level !== 'OBSERVE')
    return { kind: 'broken', cases: Math.max(cases, 1), finding: finding.id }
  if (level === 'OBSERVE')
    return observedVerdict(input.seen, id) ?? { kind: 'untested', because: reason(id, input) }
  const excused = input.excused.get(id)
  if (excused !== undefined) return { kind: 'inconclusive', cases, because: excused }
  // Where nothing is accepted, that something was refused shows nothing.
  const closed = input.closed.get(operation)
  if (closed !== undefined && (family !== 'answer' || cases === 0))
    return { kind: 'inconclusive', cases, because: closed }
  return cases > 0 ? { kind: 'kept', cases } : { kind: 'untested', because: reason(id, input) }
}

const reason = (id: string, { untested, stopped }: VerdictInput): string => untested.get(id) ?? stops[stopped]
