import { codesFor, type SchemaPlace, steps } from '../../../spec/index.ts'
import { perObject } from '../../memo.ts'
import { methodFor } from './faker-methods.ts'

/** What the names at a place of a schema say of its values. */
export type PlaceNames = {
  /** The name of the nearest property around a value: of `/tags/*` it is `tags`. */
  readonly name: string
  /** The method of faker for a text. */
  readonly method: string
  /** Lists of well-known codes, one of which may be meant. */
  readonly codes: readonly (readonly string[])[]
  /** Whether the name says that it is a code. */
  readonly isCode: boolean
}

// Lists have hundreds of values of the same few places.
export const namesAt = perObject((place: SchemaPlace): PlaceNames => {
  const name = steps(place.pattern).findLast(step => step !== '*') ?? ''
  return {
    name,
    method: methodOf(name, ownerOf(place)),
    codes: codesFor(name),
    isCode: /code$|currency|locale|lang|zone/i.test(name),
  }
})

/** The name of the schema in whose properties a place is. */
const ownerOf = ({ schemas }: SchemaPlace): string => {
  const property = schemas.find(pointer => pointer.includes('/properties/')) ?? ''
  return /^\/components\/schemas\/([^/]+)\/(?:allOf\/\d+\/)?properties\/[^/]+$/.exec(property)?.[1] ?? ''
}

const people =
  /^(user|person|customer|author|member|contact|employee|patient|student|owner|guest|driver|account)s?$/i
const companies =
  /^(company|organi[sz]ation|vendor|supplier|brand|store|shop|merchant|airline|hotel|restaurant)s?$/i
const places = /^(city|town|location|station|airport|venue)s?$/i

const methodOf = (name: string, owner: string): string => {
  if (/^slug$|_slug$/i.test(name)) return 'lorem.slug'
  if (/^(name|title|label)$/i.test(name)) {
    if (people.test(owner)) return 'person.fullName'
    if (companies.test(owner)) return 'company.name'
    if (places.test(owner)) return 'location.city'
  }
  return methodFor(name)
}
