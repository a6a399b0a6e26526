/** Where random numbers come from: fast-check's generator, or `seededRandomSource` if nothing has to shrink. */
export type RandomSource = {
  /** A whole number from `min` to `max`, inclusive. */
  readonly nextInt: (min: number, max: number) => number
  readonly nextBigInt: (min: bigint, max: bigint) => bigint
}

export const pick = <Item>(source: RandomSource, items: readonly Item[]): Item =>
  items[source.nextInt(0, items.length - 1)] as Item

/** True with a probability of one in `count`. */
export const oneIn = (source: RandomSource, count: number): boolean => source.nextInt(1, count) === 1

export const shuffled = <Item>(source: RandomSource, items: readonly Item[]): readonly Item[] => {
  const order = [...items]
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = source.nextInt(0, last)
    const swapped = order[last] as Item
    order[last] = order[other] as Item
    order[other] = swapped
  }
  return order
}

/** Gives the same numbers for the same seed (splitmix32). */
export const seededRandomSource = (seed: number): RandomSource => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = state ^ (state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  const nextBigInt = (min: bigint, max: bigint): bigint => {
    const size = max - min + 1n
    let drawn = 0n
    for (let bound = 1n; bound < size << 16n; bound <<= 32n) drawn = (drawn << 32n) | BigInt(next())
    return min + (drawn % size)
  }
  return {
    nextInt: (min, max) =>
      min + Math.floor(((next() * 0x200000 + (next() >>> 11)) / 2 ** 53) * (max - min + 1)),
    nextBigInt,
  }
}
