/** Up to three of the known names that a mistyped or shortened one may stand for, the nearest first. */
export const nearest = (mistyped: string, known: readonly string[]): readonly string[] => {
  const found = known
    .map(name => ({ name, far: name.startsWith(mistyped) ? 0 : farness(mistyped, name) }))
    .filter(({ far }) => far !== null)
    .sort((left, right) => (left.far ?? 0) - (right.far ?? 0))
  // Names that are much farther than the nearest one are not meant.
  return found
    .filter(({ far }) => (far ?? 0) <= (found[0]?.far ?? 0) + 2)
    .slice(0, 3)
    .map(({ name }) => name)
}

/** How many characters differ, apart from the common folders; null if too many to be a slip. */
const farness = (mistyped: string, name: string): number | null => {
  const [left, right] = withoutCommonFolders(mistyped.split('/'), name.split('/'))
  const far = distance(plain(left), plain(right))
  return far <= Math.max(1, Math.floor(right.length * 0.4)) ? far : null
}

const withoutCommonFolders = (
  left: readonly string[],
  right: readonly string[],
): readonly [left: string, right: string] => {
  let common = 0
  while (common < Math.min(left.length, right.length) - 1 && left[common] === right[common]) common += 1
  return [left.slice(common).join('/'), right.slice(common).join('/')]
}

// `wait-for` is as good as `waitFor`.
const plain = (name: string): string => name.replaceAll(/[-_]/g, '').toLowerCase()

/** The characters to insert, delete or change, at least (Levenshtein). */
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
