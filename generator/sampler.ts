import type { Json } from '../spec/index.ts'
import { fc } from './draw/fast-check.ts'

/** Gives the value at an index of a random sequence; the same seed and name give the same sequence. */
export type Sampler = (index: number) => Json

const batchSize = 32

/**
 * Draws from an arbitrary in batches, each with a seed derived for it, and keeps only the last batch. Of a large contract most
 * sequences are asked for one value: a batch is drawn up to the first that is asked for, and whole only for a second one.
 */
export const createSampler = (arbitrary: fc.Arbitrary<Json>, seed: number, name: string): Sampler => {
  let batch = -1
  let values: readonly Json[] = []
  return index => {
    const needed = Math.floor(index / batchSize)
    const place = index % batchSize
    if (needed !== batch || place >= values.length) {
      const numRuns = needed === batch ? batchSize : place + 1
      batch = needed
      values = fc.sample(arbitrary, { seed: deriveSeed(seed, name, batch) | 0, numRuns })
    }
    return values[place] as Json
  }
}

/** A 32-bit seed derived from the seed of the run and some words, so that each part of a run has a seed to itself. */
export const deriveSeed = (seed: number, ...words: readonly (string | number)[]): number => {
  // FNV-1a, with a final mix so that similar words give unrelated seeds.
  let hash = 0x811c9dc5 ^ seed
  for (const char of words.join('\u0000')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
