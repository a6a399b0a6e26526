import { type Pointer, steps } from '../../json/pointer.ts'

/** How a message names a place. */
export const nameOf = (at: Pointer): string => {
  const names = steps(at)
  const isItem = /^\d+$/.test(names.at(-1) ?? '') && names.at(-2) !== 'responses'
  return isItem ? names.slice(-2).join('/') : (names.at(-1) ?? 'the document')
}
