import { areDisjoint } from '../../openapi/discriminators/alternatives.ts'
import { asWritten, type Exact } from '../../openapi/exact-limits.ts'
import type { KeywordUse, SchemaPlace, TypeName } from '../../schema/locations.ts'
import { openNull } from '../../schema/open-null.ts'
import { article, counted, cutConstraint, shortConstraint } from '../../schema/schema-violation.ts'
import { areDistinct } from '../../schema/variants.ts'
import { isBounded } from '../inputs/numbers.ts'
import { isVacuous } from '../inputs/vacuous-keywords.ts'
import type { ObligationSpec } from '../obligation.ts'
import { locationText, type ValueLocation } from '../value-location.ts'
import { isAnnotation } from './annotations.ts'
import { rejectRequirement } from './requirement.ts'

/** A value that breaks one keyword of a place is rejected. */
export const keywordObligations = (
  exact: Exact,
  place: SchemaPlace,
  location: ValueLocation,
): readonly ObligationSpec[] =>
  place.keywords
    .filter(use => !isAnnotation(use) && !isVacuous(place, use))
    .flatMap(use => obligationsOfKeyword(place, location, { ...use, value: asWritten(use, exact) }))

const obligationsOfKeyword = (
  place: SchemaPlace,
  location: ValueLocation,
  { keyword, value, pointer }: KeywordUse,
): readonly ObligationSpec[] => {
  const name = locationText(location)
  const rejected = (input: string, detail = ''): ObligationSpec => ({
    family: 'reject',
    level: 'MUST',
    input,
    requirement: rejectRequirement(input),
    pointer,
    subject: { kind: 'keyword', location, keyword, detail },
  })
  switch (keyword) {
    case 'type': {
      const types = place.types ?? []
      // A query, a header, a form and the like carry text only, so text is the only wrong type.
      const wrong = location.in === 'body' ? wrongTypes(types) : types.includes('string') ? [] : ['string']
      const isOpen = place.keywords.some(use => use.keyword === openNull)
      return wrong
        .filter(type => !isOpen || type !== 'null')
        .map(type => rejected(typeInput(type, name, types), type))
    }
    case 'required':
      return (value as readonly string[]).map(property =>
        rejected(`${name === 'the body' ? 'a body' : name} without \`${property}\``, property),
      )
    case 'format':
      // If a bound is tighter than the format, a number beyond the format breaks the bound as well.
      if (value === 'int32' || value === 'int64')
        return (['above', 'below'] as const)
          .filter(side => !isBounded(place, side))
          .map(side => rejected(`an integer ${side} the ${value} range as ${name}`, side))
      return assertedFormats.has(String(value)) ? [rejected(`${article(`invalid ${value}`)} as ${name}`)] : []
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return value === false ? [rejected(`an undeclared property in ${name}`)] : []
    case 'items':
      return [
        rejected(`${place.prefix === 0 ? 'an item' : `an item after the first ${place.prefix}`} in ${name}`),
      ]
    case 'uniqueItems':
      return value === true ? [rejected(`equal items in ${name}`)] : []
    case 'oneOf':
      return [
        rejected(`a value that fits no alternative of \`oneOf\` as ${name}`),
        ...(areDisjoint(value as readonly unknown[]) ||
        areDistinct(place, pointer, value as readonly unknown[])
          ? []
          : [rejected(`a value that fits two alternatives of \`oneOf\` as ${name}`, 'two')]),
      ]
    default:
      return [rejected(`${keywordInput(keyword, value)} as ${name}`)]
  }
}

const jsonTypes = ['null', 'boolean', 'string', 'number', 'array', 'object'] as const

/** The wrong types to try: all JSON types that are not allowed, a fraction for an integer, a numeral in a string for a number. */
export const wrongTypes = (types: readonly TypeName[]): readonly string[] => [
  ...jsonTypes.filter(type => !types.includes(type) && !(type === 'number' && types.includes('integer'))),
  ...(types.includes('integer') && !types.includes('number') ? ['fraction'] : []),
  ...((types.includes('integer') || types.includes('number')) && !types.includes('string')
    ? ['numeral']
    : []),
]

/** Formats that all validators agree on well enough to hold a server to them. */
const assertedFormats = new Set(['date', 'date-time', 'email', 'ipv4', 'ipv6', 'uuid', 'time'])

/** «a string as `id` instead of an integer» */
const typeInput = (wrong: string, location: string, types: readonly string[]): string =>
  `${wrong === 'numeral' ? 'a number in quotation marks' : article(wrong)} as ${location} instead of ${types.map(article).join(' or ')}`

/** A value that breaks a keyword, as a noun phrase: «a number above the maximum 100». */
const keywordInput = (keyword: string, constraint: unknown): string => {
  const limit = keyword === 'pattern' ? cutConstraint(String(constraint)) : shortConstraint(constraint)
  const text = inputs[keyword]
  return text === undefined ? `a value that breaks \`${keyword}\` ${limit}` : text(limit)
}

const inputs: Readonly<Record<string, (limit: string) => string>> = {
  minimum: limit => `a number below the minimum ${limit}`,
  maximum: limit => `a number above the maximum ${limit}`,
  exclusiveMinimum: limit => `a number that is not above ${limit}`,
  exclusiveMaximum: limit => `a number that is not below ${limit}`,
  multipleOf: limit => `a number that is not a multiple of ${limit}`,
  minLength: limit => `a string of fewer than ${counted(limit, 'character')}`,
  maxLength: limit => `a string of more than ${counted(limit, 'character')}`,
  pattern: limit => `a string that does not match \`${limit}\``,
  minItems: limit => `a list of fewer than ${counted(limit, 'item')}`,
  maxItems: limit => `a list of more than ${counted(limit, 'item')}`,
  minProperties: limit => `an object with fewer than ${counted(limit, 'property', 'properties')}`,
  maxProperties: limit => `an object with more than ${counted(limit, 'property', 'properties')}`,
  enum: limit => `a value outside ${limit}`,
  const: limit => `a value other than ${limit}`,
  anyOf: () => 'a value that fits no alternative of `anyOf`',
  contains: limit => `a list without an item that fits ${limit}`,
  dependentRequired: limit => `an object without a property that another one requires (${limit})`,
  dependentSchemas: () => 'an object that breaks `dependentSchemas`',
  propertyNames: limit => `an object with a property name that breaks ${limit}`,
  not: () => 'a value that `not` forbids',
  if: () => 'a value that breaks `then` or `else`',
  unevaluatedItems: () => 'a list with an undeclared item',
}
