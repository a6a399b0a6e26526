import type { Json } from '../spec/index.ts'
import { fc } from './random.ts'
import { deriveSeed } from './seed.ts'

/** The value with this index of a random sequence; the same seed and name give the same sequence. */
export type Sampled = (index: number) => Json

const batchSize = 32

/** Draws from an arbitrary in batches, each from a seed of its own, and keeps but the last one. */
export const createSampler = (arbitrary: fc.Arbitrary<Json>, seed: number, name: string): Sampled => {
  let batch = -1
  let values: readonly Json[] = []
  return index => {
    const wanted = Math.floor(index / batchSize)
    if (wanted !== batch) {
      batch = wanted
      values = fc.sample(arbitrary, { seed: deriveSeed(seed, name, batch) | 0, numRuns: batchSize })
    }
    return values[index % batchSize] as Json
  }
}
