import { LRUCache } from './lru-cache.ts'

/** Computes a value from an object, again only when there is another object. */
export const memoize = <T extends object, R>(current: () => T, compute: (object: T) => R): (() => R) => {
  let last: { readonly object: T; readonly result: R } | null = null
  return () => {
    const object = current()
    if (last?.object !== object) last = { object, result: compute(object) }
    return last.result
  }
}

/** Gives the result of a key, and makes it if there is none. */
export type Memo<T extends object> = (key: string, make: () => Promise<T>) => T | Promise<T>

/** Keeps results up to this size in all, and drops those that were used longest ago. */
export const createMemo = <T extends object>(
  maxSize: number,
  sizeOf: (result: T, key: string) => number,
): Memo<T> => {
  const results = new LRUCache<string, T, () => Promise<T>>({
    maxSize,
    sizeCalculation: sizeOf,
    fetchMethod: (_key, _stale, { context: make }) => make(),
    // A result that is dropped while it is made still goes to those who wait for it.
    ignoreFetchAbort: true,
  })
  return (key, make) => results.get(key) ?? results.forceFetch(key, { context: make })
}
