/** Random numbers that a seed reproduces. */
export type Chance = {
  /** A whole number from 0 up to, and without, `end`. */
  readonly below: (end: number) => number
  readonly is: (probability: number) => boolean
  readonly pick: <T>(values: readonly T[]) => T
  readonly bytes: (length: number) => Buffer
}

/** mulberry32: small, fast, and the same on every machine. */
export const createChance = (seed: number): Chance => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number): number => Math.floor(next() * end)
  return {
    below,
    is: probability => next() < probability,
    pick: values => values[below(values.length)] as (typeof values)[number],
    bytes: length => Buffer.from(Array.from({ length }, () => below(256))),
  }
}
