/** Up to three names that share most of their pairs of characters with this one. */
export const nearest = (name: string, names: readonly string[]): readonly string[] => {
  const pairs = (text: string): ReadonlySet<string> =>
    new Set(
      Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2).toLowerCase()),
    )
  const wanted = pairs(name)
  return names
    .map(own => {
      const had = pairs(own)
      return { own, near: (2 * wanted.intersection(had).size) / (wanted.size + had.size) }
    })
    .filter(({ near }) => near > 0.6)
    .sort((left, right) => right.near - left.near)
    .slice(0, 3)
    .map(({ own }) => own)
}
