/**
 * Subsets of the optional names: all of them for six names or fewer, else a pairwise covering: for any two names there is a
 * subset with both, with neither, and with each one alone.
 */
export const pairwiseSubsets = (names: readonly string[]): readonly (readonly string[])[] => {
  if (names.length <= 6)
    return Array.from({ length: 2 ** names.length }, (_, bits) =>
      names.filter((_name, at) => (bits >> at) & 1),
    )
  // Any two names differ in some binary digit of their positions: that digit's set and its complement part them both ways.
  const digits = Math.ceil(Math.log2(names.length))
  const split = Array.from({ length: digits }, (_, digit) => [
    names.filter((_, at) => (at >> digit) & 1),
    names.filter((_, at) => !((at >> digit) & 1)),
  ]).flat()
  return [[], names, ...split]
}
