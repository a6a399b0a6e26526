import type { Pointer } from '../json/pointer.ts'

/**
 * A place in the contract document: a file (path or URL), the line from 1, and the pointer. `column`: from 1, if the line is so long that it
 * says little, as in a document on one line.
 */
export type Place = {
  readonly file: string
  readonly line: number
  readonly column?: number
  readonly pointer: Pointer
}

/** `openapi.yaml:41`; with the pointer where a line says little: `openapi.json:1:2345 #/paths/~1plants`. */
export const whereText = ({ file, line, column, pointer }: Place): string =>
  column === undefined
    ? `${file}:${line}`
    : `${file}:${line}:${column}${pointer === '' ? '' : ` #${pointer}`}`

/** One fault of a contract document. */
export type Problem = { readonly message: string; readonly place: Place | null }

/** An operation that cannot be tested for what the document says of it. */
export type LeftOutOperation = {
  readonly method: string
  readonly path: string
  /** Whether the document is at fault; false: it is right, but needs what this program does not support. */
  readonly isFault: boolean
  /** Why; at least one. */
  readonly problems: readonly Problem[]
}

export const problemLine = ({ message, place }: Problem): string =>
  place === null
    ? message
    : `${whereText({ ...place, pointer: '' })}: ${message}${place.pointer === '' ? '' : ` (at #${place.pointer})`}`

/** In the order of their places; of several messages for one place only the first, which is the plainest. */
export const uniqueProblems = (problems: readonly Problem[]): readonly Problem[] => {
  const unique = new Map<string, Problem>()
  for (const problem of problems) {
    const key = JSON.stringify(problem.place ?? problem.message)
    if (!unique.has(key)) unique.set(key, problem)
  }
  const fileOf = ({ place }: Problem): string => place?.file ?? ''
  const files = [...new Set([...unique.values()].map(fileOf))]
  return [...unique.values()].sort(
    (left, right) =>
      files.indexOf(fileOf(left)) - files.indexOf(fileOf(right)) ||
      (left.place?.line ?? 0) - (right.place?.line ?? 0) ||
      (left.place?.column ?? 0) - (right.place?.column ?? 0),
  )
}
