import type { Json } from '../../json/json.ts'
import { parentOf } from '../../json/pointer.ts'
import { annotationKeywords } from '../../schema/annotations.ts'
import {
  documentOf,
  type KeywordUse,
  placesOf,
  type SchemaPlace,
  type TypeName,
} from '../../schema/locations.ts'
import { fits } from '../../schema/variants.ts'

/** Whether no value breaks a keyword alone: nothing has fewer than 0 characters, and no text has equal items. */
export const isVacuous = (place: SchemaPlace, use: KeywordUse): boolean =>
  isOfOtherType(place, use) || isMet(place, use)

const numbers = ['integer', 'number'] as const
const typesOf: Readonly<Record<string, readonly TypeName[]>> = {
  minLength: ['string'],
  maxLength: ['string'],
  pattern: ['string'],
  minimum: numbers,
  maximum: numbers,
  exclusiveMinimum: numbers,
  exclusiveMaximum: numbers,
  multipleOf: numbers,
  items: ['array'],
  minItems: ['array'],
  maxItems: ['array'],
  uniqueItems: ['array'],
  contains: ['array'],
  unevaluatedItems: ['array'],
  required: ['object'],
  minProperties: ['object'],
  maxProperties: ['object'],
  additionalProperties: ['object'],
  unevaluatedProperties: ['object'],
  propertyNames: ['object'],
  dependentRequired: ['object'],
  dependentSchemas: ['object'],
}

/** Whether a keyword is about values of another type than the place may have, which break `type`. */
const isOfOtherType = ({ types }: SchemaPlace, { keyword, value }: KeywordUse): boolean => {
  const about =
    keyword !== 'format' ? typesOf[keyword] : /^int(?:32|64)$/.test(String(value)) ? numbers : ['string']
  return types !== null && about !== undefined && !types.some(type => about.includes(type))
}

const isMet = (place: SchemaPlace, use: KeywordUse): boolean => {
  const { keyword, value } = use
  switch (keyword) {
    case 'minLength':
    case 'minItems':
      return Number(value) === 0
    case 'minProperties':
      // With fewer, one that is required is missing.
      return Number(value) <= place.required.length
    case 'maxProperties':
      return hasOnlyDeclared(place) && place.properties.length <= Number(value)
    case 'propertyNames':
      return value !== false && areNamesRight(place, use)
    case 'contains':
      return (
        Number(beside(place, use, 'minContains') ?? 1) === 0 &&
        beside(place, use, 'maxContains') === undefined
      )
    case 'unevaluatedItems':
      // Items that are no others than its schema takes break that.
      return value !== false || beside(place, use, 'items') !== undefined
    case 'enum':
      return (
        place.types?.every(type =>
          members[type]?.every(each => (value as readonly Json[]).includes(each)),
        ) === true
      )
    default:
      return false
  }
}

/** All values of a type that has a few. */
const members: Partial<Readonly<Record<TypeName, readonly Json[]>>> = { boolean: [true, false], null: [null] }

/** The value of another keyword of the same schema. */
const beside = ({ keywords }: SchemaPlace, { pointer }: KeywordUse, name: string): unknown =>
  keywords.find(use => use.keyword === name && parentOf(use.pointer) === parentOf(pointer))?.value

const hasOnlyDeclared = ({ keywords }: SchemaPlace): boolean =>
  keywords.some(({ keyword, value }) => keyword === 'additionalProperties' && value === false) &&
  !keywords.some(({ keyword }) => keyword === 'patternProperties')

const free: ReadonlySet<string> = new Set([...annotationKeywords, 'type'])

/** Whether any name is right, or all that the object may have. */
const areNamesRight = (place: SchemaPlace, { pointer }: KeywordUse): boolean => {
  const names = placesOf(documentOf(place), pointer)
  return (
    (names.types?.includes('string') !== false && names.keywords.every(({ keyword }) => free.has(keyword))) ||
    (hasOnlyDeclared(place) && place.properties.every(name => fits(names, name)))
  )
}
