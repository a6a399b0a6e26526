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
