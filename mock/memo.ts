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

/** A cache of results by key, of so many bytes; those that were used longest ago are made again. */
export type Memo<T extends object> = (key: string, make: () => Promise<T>) => T | Promise<T>

export const createMemo = <T extends object>(bytes: number, sizeOf: (result: T) => number): Memo<T> => {
  const results = new LRUCache<string, T>({
    maxSize: bytes,
    // A character is two bytes at most, and the entry itself some hundred.
    sizeCalculation: (result, key) => sizeOf(result) + 2 * key.length + 500,
  })
  return (key, make) =>
    results.get(key) ??
    make().then(result => {
      results.set(key, result)
      return result
    })
}
