import { type Pointer, step, steps } from '../../json/pointer.ts'
import type { MutableNode } from '../walk-references.ts'

/** A document in the words of OpenAPI, and where its places were before. */
export type Converted = { readonly document: MutableNode; readonly before: (pointer: Pointer) => Pointer }

/** What has been moved from one document to another, by pointers; what is below moves along. */
export type Moves = {
  readonly add: (to: Pointer, from: Pointer) => void
  /** Where a place of the new document was in the old one. */
  readonly before: (to: Pointer) => Pointer
  /** Where a place of the old document is in the new one. */
  readonly after: (from: Pointer) => Pointer
}

export const createMoves = (): Moves => {
  const before = new Map<Pointer, Pointer>()
  const after = new Map<Pointer, Pointer>()
  return {
    add: (to, from) => {
      before.set(to, from)
      // Several places may come from one: the first is as good as any.
      if (!after.has(from)) after.set(from, to)
    },
    before: to => moved(before, to),
    after: from => moved(after, from),
  }
}

/** By the longest prefix that has been moved. */
const moved = (moves: ReadonlyMap<Pointer, Pointer>, pointer: Pointer): Pointer => {
  const names = steps(pointer)
  for (let count = names.length; count > 0; count--) {
    const to = moves.get(names.slice(0, count).reduce(step, ''))
    if (to !== undefined) return names.slice(count).reduce(step, to)
  }
  return pointer
}
