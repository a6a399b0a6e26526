import { type Pointer, steps, valueAt } from '../../json/pointer.ts'
import type { Place } from '../diagnostic.ts'
import { isTable, type MutableNode } from '../walk-references.ts'

/** Why something at a place of the bundled document cannot be used. */
export type Fault = {
  readonly message: string
  readonly at: Pointer
  /** Where it is, if that is in another file that the place refers to. */
  readonly place?: Place | null
  /** The document is right, but this program cannot do it. */
  readonly unsupported?: true
}

/** `warn`: of what nothing rests on, or what can be spared. */
export type Warn = (message: string, at: Pointer, more?: Pick<Fault, 'place' | 'unsupported'>) => void

/** Whether an object describes what clients send, so that what is wrong with it makes requests wrong. */
export type Side = 'request' | 'response'

/** Checks an object of a kind; returns what makes it unusable. Tells the rest as warnings, and takes it out of the document. */
export type Check = (kind: string, value: unknown, at: Pointer, side: Side) => readonly Fault[]

/** The name that a pointer ends with. */
export const lastStep = (at: Pointer): string =>
  at
    .slice(at.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')

export const isBelowAny = (at: Pointer, places: ReadonlySet<Pointer>): boolean => {
  for (let place = at; place !== ''; place = place.slice(0, place.lastIndexOf('/')))
    if (places.has(place)) return true
  return places.has('')
}

/** The place of the nearest schema around a place that has an `$id`, itself included; empty: there is none. */
export const resourceAt = (document: MutableNode, at: Pointer): Pointer => {
  for (let place = at; place !== ''; place = place.slice(0, place.lastIndexOf('/'))) {
    const node = valueAt(document, place)
    if (isTable(node) && typeof node.$id === 'string') return place
  }
  return ''
}

/** How a message names a place. */
export const nameOf = (at: Pointer): string => {
  const names = steps(at)
  const isItem = /^\d+$/.test(names.at(-1) ?? '') && names.at(-2) !== 'responses'
  return isItem ? names.slice(-2).join('/') : (names.at(-1) ?? 'the document')
}
