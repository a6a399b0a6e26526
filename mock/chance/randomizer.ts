/** Random numbers for faker. Its own generator takes longer to seed than a thousand numbers take, and each value has a seed of its own. */
export type Randomizer = {
  /** A number from 0 to 1, without 1. */
  readonly next: () => number
  readonly seed: (seed: number | number[]) => void
}

/** SplitMix32: 32 bits of state, which is enough for a value of a few words. */
export const createRandomizer = (): Randomizer => {
  let state = 0
  return {
    seed: seed => {
      const words = typeof seed === 'number' ? [seed, seed / 2 ** 32] : seed
      state = words.reduce((mixed, word) => Math.imul(mixed ^ word, 0x9e3779b1), 0x85ebca6b) | 0
    },
    next: () => {
      state = (state + 0x9e3779b9) | 0
      let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
      return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
    },
  }
}
