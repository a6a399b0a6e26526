import type { Json } from '../spec/index.ts'
import { fc } from './random.ts'
import { deriveSeed } from './seed.ts'

/** The value with this index of a random sequence; the same seed and name give the same sequence. */
export type Sampled = (index: number) => Json

/** Draws from an arbitrary in growing batches: the first values of a longer batch are those of a shorter one. */
export const createSampler = (arbitrary: fc.Arbitrary<Json>, seed: number, name: string): Sampled => {
  let values: readonly Json[] = []
  return index => {
    if (index >= values.length)
      values = fc.sample(arbitrary, { seed: deriveSeed(seed, name) | 0, numRuns: Math.max(16, 2 * index) })
    return values[index] as Json
  }
}
