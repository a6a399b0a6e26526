/** The name that a mistyped one is meant to be; null where none is near. */
export const nearest = (mistyped: string, known: readonly string[]): string | null => {
  const plain = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase()
  const [first] = known
    .map(name => ({ name, far: distance(plain(mistyped), plain(name)) }))
    .filter(({ name, far }) => far <= Math.max(1, Math.floor(name.length * 0.4)))
    .sort((left, right) => left.far - right.far)
  return first?.name ?? null
}

/** Characters that have to be put in, taken out or changed, at least (Levenshtein). */
const distance = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let at = 1; at <= left.length; at++) {
    const next = [at]
    for (let to = 1; to <= right.length; to++)
      next[to] = Math.min(
        (row[to] ?? 0) + 1,
        (next[to - 1] ?? 0) + 1,
        (row[to - 1] ?? 0) + (left[at - 1] === right[to - 1] ? 0 : 1),
      )
    row = next
  }
  return row[right.length] ?? 0
}
