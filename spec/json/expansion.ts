/** In characters. A value that is longer when it is written out than this cannot be handled. */
const mostExpanded = 64 * 2 ** 20

/** Throws Error if a value that shares parts with itself, as YAML aliases do, is too long when it is written out. */
export const checkExpansion = (root: unknown): void => {
  const known = new Map<object, number>()
  const sizeOf = (value: unknown): number => {
    if (typeof value === 'string') return value.length + 2
    if (typeof value !== 'object' || value === null) return 4
    const before = known.get(value)
    if (before !== undefined) return before
    // A part that contains itself is found by those who walk through it.
    known.set(value, 0)
    let size = 2
    for (const [name, member] of Object.entries(value)) {
      size += name.length + 3 + sizeOf(member)
      if (size > mostExpanded)
        throw new Error(`its aliases expand to more than ${mostExpanded / 2 ** 20} MiB`)
    }
    known.set(value, size)
    return size
  }
  sizeOf(root)
}
