/** A choice for each factor: the index of its level. */
export type Row = readonly number[]

/** Rows in which every two levels of different factors come together at least once; `sizes`: the number of levels of each factor. */
export const pairArray = (sizes: readonly number[]): readonly Row[] => {
  const open = openPairs(sizes)
  const rows: Row[] = []
  for (let first = open.next(); first !== null; first = open.next()) {
    const row: (number | undefined)[] = sizes.map(() => undefined)
    for (const [factor, level] of first) row[factor] = level
    for (const [factor, size] of sizes.entries()) row[factor] ??= bestLevel(open, row, factor, size)
    const full = row.map(level => level ?? 0)
    open.close(full)
    rows.push(full)
  }
  return rows
}

type Pair = readonly [
  one: readonly [factor: number, level: number],
  other: readonly [factor: number, level: number],
]

/** Of the levels of a factor the one that closes most pairs with what is chosen already. */
const bestLevel = (
  open: OpenPairs,
  row: readonly (number | undefined)[],
  factor: number,
  size: number,
): number => {
  let [best, most] = [0, -1]
  for (let level = 0; level < size; level++) {
    const gain = row.reduce<number>(
      (sum, chosen, other) =>
        sum +
        (chosen !== undefined &&
        open.has([
          [factor, level],
          [other, chosen],
        ])
          ? 1
          : 0),
      0,
    )
    if (gain > most) [best, most] = [level, gain]
  }
  return best
}

type OpenPairs = {
  readonly has: (pair: Pair) => boolean
  /** The first pair that no row has; null if all have one. */
  readonly next: () => Pair | null
  readonly close: (row: Row) => void
}

const openPairs = (sizes: readonly number[]): OpenPairs => {
  const pairs = new Map<string, Pair>()
  const keyOf = ([[one, level], [other, second]]: Pair): string =>
    one < other ? `${one}:${level} ${other}:${second}` : `${other}:${second} ${one}:${level}`
  for (const [one, size] of sizes.entries())
    for (let other = one + 1; other < sizes.length; other++)
      for (let level = 0; level < size; level++)
        for (let second = 0; second < (sizes[other] ?? 0); second++) {
          const pair: Pair = [
            [one, level],
            [other, second],
          ]
          pairs.set(keyOf(pair), pair)
        }
  return {
    has: pair => pairs.has(keyOf(pair)),
    next: () => pairs.values().next().value ?? null,
    close: row => {
      for (const [one, level] of row.entries())
        for (let other = one + 1; other < row.length; other++)
          pairs.delete(
            keyOf([
              [one, level],
              [other, row[other] ?? 0],
            ]),
          )
    },
  }
}
