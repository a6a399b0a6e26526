import type { BodyFormat, Parameter } from '../contract/contract.ts'
import { writtenAs } from '../contract/form-fields.ts'
import type { Json } from '../json/json.ts'
import { type Pointer, step, steps } from '../json/pointer.ts'
import { isClosed } from '../schema/closed.ts'
import { itemPlace, placeOf, type SchemaPlace } from '../schema/locations.ts'
import { memberPlace, typesIn } from '../schema/variants.ts'
import { fieldOf } from '../serialization/form-body.ts'
import { emptyAt } from '../serialization/read-text.ts'
import { isAnyShown, isPlaceShown, isShown, isSpread } from '../serialization/shown.ts'

/** What a request can show at one place: only of that is anything required. */
export type Shows = {
  readonly value: (value: Json) => boolean
  /** Whether it can show any value of this place, such as one of its alternatives. */
  readonly place: (place: SchemaPlace) => boolean
  /** Lists of several items. */
  readonly lists: boolean
  /** Lists and objects without members. */
  readonly empty: boolean
  /** Whether it differs from one without a member that the place has. */
  readonly without: (name: string) => boolean
  /** Members that the schema does not name. */
  readonly undeclared: boolean
  /** Whether any value can be shown here. */
  readonly any: boolean
  /** Whether all values are texts, so that no text is wrong if any may come. */
  readonly texts: boolean
}

const everything: Shows = {
  value: () => true,
  place: () => true,
  lists: true,
  empty: true,
  without: () => true,
  undeclared: true,
  any: true,
  texts: false,
}

/** What a parameter shows at a place inside of it. */
export const showsOf = (parameter: Parameter, root: SchemaPlace, at: Pointer = ''): Shows => {
  if (parameter.content !== null)
    return { ...everything, value: value => at !== '' || isShown(parameter, root, value) }
  const undeclared = at !== '' || !isSpread(parameter)
  return {
    value: value => (at === '' ? isShown(parameter, root, value) : value !== null),
    place: place => isAnyShown(parameter, place),
    // A name comes once in a cookie.
    lists:
      !(parameter.in === 'cookie' && parameter.style === 'form' && parameter.explode) &&
      hasItems(parameter, root, at),
    empty: false,
    without: name => {
      const place = placeOf(root, at)
      // Without its only property it is an object without members, unless others can be shown.
      const hasOthers = (each: SchemaPlace): boolean =>
        each.properties.join() !== name || (undeclared && !isClosed(each))
      return place === null || (hasOthers(place) && !isBare(place, name))
    },
    undeclared,
    any: isPlaceShown(parameter, root, at),
    texts: true,
  }
}

/** Whether the items of a list can be written: no style has a way for those that are objects. */
const hasItems = (parameter: Parameter, root: SchemaPlace, at: Pointer): boolean => {
  const list = placeOf(root, at)
  return list === null || itemPlace(list) === null || isPlaceShown(parameter, root, `${at}/*`)
}

/** What a body shows at a place of it. */
export const showsIn = (format: BodyFormat, root: SchemaPlace, at: Pointer): Shows => {
  if (format.kind !== 'form' && format.kind !== 'multipart') return everything
  if (at === '')
    return {
      ...everything,
      without: name =>
        !isBare(root, name) ||
        !(format.kind === 'form' ? format.fields : format.parts).some(
          each =>
            each.name === name && ('isList' in each ? each.isList : each.explode && each.content === null),
        ),
    }
  const [name = ''] = steps(at)
  const inside = at.slice(step('', name).length)
  if (format.kind === 'multipart') {
    // Each item is a part, and one part a list of one.
    const isList = inside === '' && format.parts.some(part => part.name === name && part.isList)
    return writtenAs(format, at) === 'json' ? { ...everything, empty: !isList } : { ...everything, ...texts }
  }
  const place = placeOf(root, step('', name))
  if (format.unread.includes(name)) return { ...everything, ...texts, any: false }
  return place === null ? everything : showsOf(fieldOf(format.fields, name), place, inside)
}

/** Whether the value of a property may be without members, of which nothing is written. */
const isBare = (place: SchemaPlace, name: string): boolean => {
  const member = memberPlace(place, name)
  return member !== null && emptyAt(member) !== undefined
}

const texts: Partial<Shows> = {
  value: value => value !== null,
  place: place => typesIn(place)?.join() !== 'null',
  empty: false,
  texts: true,
}
