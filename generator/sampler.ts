import type { Json } from '../spec/index.ts'
import { fc } from './build/fast-check.ts'
import { deriveSeed } from './seed.ts'

/** Gives the value at an index of a random sequence; the same seed and name give the same sequence. */
export type Sampler = (index: number) => Json

const batchSize = 32

/** Draws from an arbitrary in batches, each with a seed derived for it, and keeps only the last batch. */
export const createSampler = (arbitrary: fc.Arbitrary<Json>, seed: number, name: string): Sampler => {
  let batch = -1
  let values: readonly Json[] = []
  return index => {
    const needed = Math.floor(index / batchSize)
    if (needed !== batch) {
      batch = needed
      values = fc.sample(arbitrary, { seed: deriveSeed(seed, name, batch) | 0, numRuns: batchSize })
    }
    return values[index % batchSize] as Json
  }
}
