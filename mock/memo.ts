import { type Json, writeJson } from '../spec/index.ts'
import { LRUCache } from './lru-cache.ts'

/** Computes a value from an object once, and keeps it as long as the object. */
export const perObject = <K extends object, V>(compute: (key: K) => V): ((key: K) => V) => {
  const known = new WeakMap<K, { readonly value: V }>()
  return key => {
    const found = known.get(key) ?? { value: compute(key) }
    known.set(key, found)
    return found.value
  }
}

/** Computes a value from an object, again only when there is another object. */
export const memoize = <T extends object, R>(current: () => T, compute: (object: T) => R): (() => R) => {
  let last: { readonly object: T; readonly result: R } | null = null
  return () => {
    const object = current()
    if (last?.object !== object) last = { object, result: compute(object) }
    return last.result
  }
}

/**
 * All that a result is made of. What makes the result gets this record and nothing else of a request, and the cache key is made of the
 * same record: so no two requests that differ in what is read get one result.
 */
export type Inputs = {
  /** Parts of a compiled contract: each counts as itself. */
  readonly parts: Readonly<Record<string, object | null>>
  /** What requests say: it counts by its value. */
  readonly data: Data
}

/** JSON, in which properties may be undefined. */
type Data = Json | { readonly [name: string]: Data | undefined } | readonly Data[]

let count = 0
const numberOf = perObject((_part: object): number => count++)

const keyOf = ({ parts, data }: Inputs): string => {
  let key = ''
  for (const name in parts) {
    const part = parts[name] ?? null
    key += `${part === null ? '' : numberOf(part)} `
  }
  // What is undefined is not written; `null` is.
  return key + writeJson(data as Json)
}

/** Longer ones are those of large requests, which hardly ever come again. */
const longestKey = 4000

/** Gives the result for these inputs, and makes it if there is none. `make` is a function that knows of no request. */
export type Memo<T extends object> = <I extends Inputs>(
  inputs: I,
  make: (inputs: I) => Promise<T>,
) => T | Promise<T>

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
  return (inputs, make) => {
    const key = keyOf(inputs)
    if (key.length > longestKey) return make(inputs)
    return results.get(key) ?? results.forceFetch(key, { context: () => make(inputs) })
  }
}

/** The same for results that need no measuring: so many are kept. */
export const memoized = <I extends Inputs, T extends object>(
  max: number,
  make: (inputs: I) => T,
): ((inputs: I) => T) => {
  const results = new LRUCache<string, T>({ max })
  return inputs => {
    const key = keyOf(inputs)
    const known = results.get(key) ?? make(inputs)
    if (key.length <= longestKey) results.set(key, known)
    return known
  }
}
