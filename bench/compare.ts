import { median } from './page.ts'
import type { Ratio } from './ratios.ts'

/** A ratio beside an earlier one; `fell`: by more than the rounds of the two differ among themselves. */
export type Change = {
  readonly name: string
  readonly before: number | null
  readonly now: number
  /** How far a round may be from the median, in both results together. */
  readonly noise: number
  readonly fell: boolean
}

/** A machine that does nothing else still varies by this much. */
const leastNoise = 0.03

/** How far the rounds are from their median at most, as a share of it. */
const spread = (rounds: readonly number[]): number => {
  const middle = median(rounds)
  return Math.max(...rounds.map(value => Math.abs(value - middle))) / middle
}

/** Compares each ratio with that of the same name in an earlier result; those that it does not have are new. */
export const changesSince = (earlier: readonly Ratio[], ratios: readonly Ratio[]): readonly Change[] =>
  ratios.map(({ name, rounds }) => {
    const now = median(rounds)
    const known = earlier.find(ratio => ratio.name === name)
    if (known === undefined) return { name, before: null, now, noise: spread(rounds), fell: false }
    const before = median(known.rounds)
    const noise = Math.max(leastNoise, spread(known.rounds) + spread(rounds))
    return { name, before, now, noise, fell: now < before * (1 - noise) }
  })
