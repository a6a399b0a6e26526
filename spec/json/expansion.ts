import { jsonLimits } from './scan.ts'

/** In characters. A value that is longer when it is written out than this cannot be handled. */
const mostExpanded = 64 * 2 ** 20

export const tooDeep = `it is nested more than ${jsonLimits.depth} levels deep`

type Extent = { readonly size: number; readonly depth: number }

/** Throws Error if a value that shares parts with itself, as YAML aliases do, is too long or too deep when it is written out. */
export const checkExpansion = (root: unknown): void => {
  const known = new Map<object, Extent>()
  const extentOf = (value: unknown): Extent => {
    if (typeof value === 'string') return { size: value.length + 2, depth: 0 }
    if (typeof value !== 'object' || value === null) return { size: 4, depth: 0 }
    const before = known.get(value)
    if (before !== undefined) return before
    // A part that contains itself has no end.
    known.set(value, { size: 0, depth: Number.POSITIVE_INFINITY })
    let [size, depth] = [2, 1]
    for (const [name, member] of Object.entries(value)) {
      const inner = extentOf(member)
      size += name.length + 3 + inner.size
      depth = Math.max(depth, inner.depth + 1)
      if (size > mostExpanded)
        throw new Error(`its aliases expand to more than ${mostExpanded / 2 ** 20} MiB`)
    }
    if (depth > jsonLimits.depth) throw new Error(tooDeep)
    const extent = { size, depth }
    known.set(value, extent)
    return extent
  }
  extentOf(root)
}
