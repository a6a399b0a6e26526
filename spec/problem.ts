import type { Pointer } from './pointer.ts'

/** Where something stands in the contract document: a file (path or URL), its line from 1, and the pointer there. */
export type Place = { readonly file: string; readonly line: number; readonly pointer: Pointer }

/** One thing wrong with a contract document. */
export type Problem = { readonly message: string; readonly place: Place | null }

export const problemLine = ({ message, place }: Problem): string =>
  place === null
    ? message
    : `${place.file}:${place.line}: ${message}${place.pointer === '' ? '' : ` (at #${place.pointer})`}`

/** The document is not a usable contract; each problem is named with its place. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(problemLine).join('\n'))
    this.problems = problems
  }
}
