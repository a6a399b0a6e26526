import type { Conclusion, Level, Obligation, Stop, Verdict, Waivers } from '../spec/index.ts'

/** Whether a broken promise of this level counts against the server. */
export const isCounted = (level: Level, strict: boolean): boolean =>
  level === 'MUST' || (strict && level === 'SHOULD')

export type Circumstances = {
  readonly stopped: Stop
  /** Cases that were judged. */
  readonly done: number
  readonly waivers: Waivers
  readonly strict: boolean
}

/** What the verdicts say of the server as a whole. Waivers that have to go make a run fail as broken promises do. */
export const concludeOf = (
  verdicts: readonly { readonly obligation: Obligation; readonly verdict: Verdict }[],
  { stopped, done, waivers, strict }: Circumstances,
): Conclusion => {
  const isAgainst = (level: Level, { kind }: Verdict): boolean =>
    kind === 'mended' || (kind === 'broken' && isCounted(level, strict))
  if (waivers.expired.length > 0 || verdicts.some(one => isAgainst(one.obligation.level, one.verdict)))
    return 'broken'
  const cut = stopped === 'unreachable' || stopped === 'interrupt' || stopped === 'fault'
  return cut || done === 0 ? 'inconclusive' : 'conformant'
}
