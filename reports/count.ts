import { type Entry, type Ledger, tally } from '../spec/index.ts'

export const standings = [
  'kept',
  'broken',
  'warning',
  'mended',
  'waived',
  'accepted',
  'inconclusive',
  'untested',
  'observed',
] as const

/** How an obligation stands in a report: its verdict, where a broken SHOULD is a warning unless the run is strict. */
export type Standing = (typeof standings)[number]

export type Counts = Readonly<Record<Standing, number>>

/** Whether a broken SHOULD counts. */
export const isStrict = (ledger: Ledger): boolean => ledger.start.policies.strict === 'true'

export const standingOf = ({ obligation, verdict }: Entry, strict: boolean): Standing =>
  verdict.kind === 'broken' && !strict && obligation.level !== 'MUST' ? 'warning' : verdict.kind

export const count = (entries: readonly Entry[], strict: boolean): Counts => {
  const warning = entries.filter(entry => standingOf(entry, strict) === 'warning').length
  const all = tally(entries)
  return { ...all, broken: all.broken - warning, warning }
}

/** 4310 → `4,310`, in every locale. */
export const thousands = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')

/** `1 case`, `2,310 cases`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${thousands(value)} ${value === 1 ? one : many}`

/** `0.6 s`, `12 min 5 s`. */
export const duration = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/**
 * The rule of three: where n independent cases showed no failure, the failure rate is below 3/n with 95 % confidence.
 * Null where n is too small to say anything.
 */
export const upperBound = (cases: number): number | null => (cases > 3 ? 3 / cases : null)

/** `0.25 %` of a share of 1, with two significant digits. */
export const percent = (share: number): string => `${Number((share * 100).toPrecision(2))} %`
