/** Which optional names are there: all subsets of six or fewer; beyond, sets in which every pair is seen all four ways. */
export const presenceSets = (names: readonly string[]): readonly (readonly string[])[] => {
  if (names.length <= 6)
    return Array.from({ length: 2 ** names.length }, (_, bits) =>
      names.filter((_name, at) => (bits >> at) & 1),
    )
  // Two names differ in some digit of their number, so in one set and its complement they differ both ways.
  const digits = Math.ceil(Math.log2(names.length))
  const split = Array.from({ length: digits }, (_, digit) => [
    names.filter((_, at) => (at >> digit) & 1),
    names.filter((_, at) => !((at >> digit) & 1)),
  ]).flat()
  return [[], names, ...split]
}
