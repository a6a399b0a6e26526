import { countVerdicts, type Entry, type Ledger, type Style } from '../../spec/index.ts'

export const statuses = [
  'passed',
  'failed',
  'warning',
  'fixed',
  'waived',
  'baselined',
  'inconclusive',
  'untested',
  'observed',
] as const

/** What a report says of an obligation: its verdict, except that a failed SHOULD is a warning unless the run is strict. */
export type Status = (typeof statuses)[number]

export type StatusCounts = Readonly<Record<Status, number>>

/** Whether a failed SHOULD counts against the server. */
export const isStrict = (ledger: Ledger): boolean => ledger.start.policies.strict === 'true'

export const statusOf = ({ obligation, verdict }: Entry, strict: boolean): Status =>
  verdict.kind === 'failed' && !strict && obligation.level !== 'MUST' ? 'warning' : verdict.kind

export const countStatuses = (entries: readonly Entry[], strict: boolean): StatusCounts => {
  const warning = entries.filter(entry => statusOf(entry, strict) === 'warning').length
  const verdicts = countVerdicts(entries)
  return { ...verdicts, failed: verdicts.failed - warning, warning }
}

/** The statuses that need a look, the worst first. */
export const needingLook = [
  'failed',
  'fixed',
  'warning',
  'waived',
  'baselined',
  'inconclusive',
] as const satisfies readonly Status[]

/** A sign for each status: many readers cannot tell colours apart. */
export const statusSigns: Readonly<Record<Status, string>> = {
  passed: '✓',
  failed: '✗',
  warning: '!',
  fixed: '↑',
  waived: '~',
  baselined: '=',
  inconclusive: '?',
  untested: '–',
  observed: '◦',
}

export const statusStyles: Readonly<Record<Status, Style>> = {
  passed: 'green',
  failed: 'red',
  warning: 'yellow',
  fixed: 'red',
  waived: 'cyan',
  baselined: 'cyan',
  inconclusive: 'magenta',
  untested: 'dim',
  observed: 'cyan',
}

/** What needs a look comes first. What was not tested comes last: it is listed by its reasons. */
const order: readonly Status[] = [...needingLook, 'observed', 'passed', 'untested']

/**
 * The ids of the requirements that a report lists: all, or of a large contract those that say most, so that passed ones give way. `room`:
 * how many characters they may take; `sizeOf`: how many one takes.
 */
export const sayMost = (
  ledger: Ledger,
  room: number,
  sizeOf: (entry: Entry) => number,
): ReadonlySet<string> => {
  const strict = isStrict(ledger)
  const groups = Map.groupBy(ledger.entries, entry => statusOf(entry, strict))
  const ids = new Set<string>()
  let left = room
  for (const entry of order.flatMap(status => groups.get(status) ?? [])) {
    left -= sizeOf(entry)
    if (left < 0) break
    ids.add(entry.obligation.id)
  }
  return ids
}
