import type { Pointer } from '../json/pointer.ts'

/** A place in the contract document: a file (path or URL), the line from 1, and the pointer. */
export type Place = { readonly file: string; readonly line: number; readonly pointer: Pointer }

/** One thing wrong with a contract document. */
export type Problem = { readonly message: string; readonly place: Place | null }

export const problemLine = ({ message, place }: Problem): string =>
  place === null
    ? message
    : `${place.file}:${place.line}: ${message}${place.pointer === '' ? '' : ` (at #${place.pointer})`}`
