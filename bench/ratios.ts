import { appendFileSync } from 'node:fs'

/** How one of our figures compares with another one that was measured in the same rounds. */
export type Ratio = {
  /** `verify · bare undici loop` */
  readonly name: string
  /** One for each round; the more, the better for us. */
  readonly rounds: readonly number[]
}

/** The file that collects the ratios of several benchmarks; see `bench/all.ts`. */
export const ratiosFile = 'PLANTSTORE_BENCH_RATIOS'

/** Records what two contestants reached in each round, for `npm run bench`; for times, give ours second. */
export const recordRatio = (name: string, one: readonly number[], other: readonly number[]): void => {
  const file = process.env[ratiosFile]
  if (file === undefined) return
  const ratio: Ratio = { name, rounds: one.map((value, index) => value / (other[index] ?? Number.NaN)) }
  appendFileSync(file, `${JSON.stringify(ratio)}\n`)
}
