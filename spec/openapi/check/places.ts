import { type Pointer, valueAt } from '../../json/pointer.ts'
import { isTable, type MutableNode } from '../walk-references.ts'

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
