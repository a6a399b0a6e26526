import { LRUCache } from '../lru-cache.ts'
import type { PrismSample } from './prism.ts'

/** Gives the sample of a key, and makes it if there is none. */
export type SampleStore = (key: string, make: () => Promise<PrismSample>) => Promise<PrismSample>

/** Keeps so many characters of samples, and drops those that were used longest ago. */
export const createSampleStore = (maxCharacters: number): SampleStore => {
  const samples = new LRUCache<string, PrismSample, () => Promise<PrismSample>>({
    maxSize: maxCharacters,
    sizeCalculation: ({ size }, key) => size + key.length,
    fetchMethod: (_key, _stale, { context: make }) => make(),
    // A sample that is dropped while it is made still goes to those who wait for it.
    ignoreFetchAbort: true,
  })
  return (key, make) => samples.forceFetch(key, { context: make })
}
