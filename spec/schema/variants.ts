import { asNode, type DocumentNode } from '../json/follow-refs.ts'
import { type Json, typeOf, writeJson } from '../json/json.ts'
import { type Pointer, parentOf, step, valueAt } from '../json/pointer.ts'
import { compilePattern } from '../patterns/pattern.ts'
import { mayHave } from './closed.ts'
import {
  documentOf,
  itemPlace,
  type KeywordUse,
  placeOfAll,
  placesOf,
  propertyPlace,
  type SchemaPlace,
  type TypeName,
} from './locations.ts'
import { isValidAt, schemasIn } from './validator.ts'

/** Alternatives may have alternatives. What is nested deeper, or has more combinations, is no longer taken apart. */
const mostLevels = 5
const mostVariants = 64

/**
 * A place once for each way to take one alternative of everything that leaves a choice: `oneOf`, `anyOf`, `if`, `dependentSchemas`. Without
 * any of these, the place itself.
 */
export const variantsOf = (place: SchemaPlace): readonly SchemaPlace[] => {
  const known = variants.get(place)
  if (known !== undefined) return known
  const { pattern, schemas } = place
  const added = choicesAt(place, mostLevels)
  const found =
    added.length === 1 && added[0]?.length === 0
      ? [place]
      : added.map(chosen => placeOfAll(documentOf(place), pattern, [...schemas, ...chosen]))
  variants.set(place, found)
  return found
}

const variants = new WeakMap<SchemaPlace, readonly SchemaPlace[]>()

/** The types that a place names, or that follow from its values and members; null if any is right. For a place without alternatives. */
export const typesAt = ({ types, keywords }: SchemaPlace): readonly TypeName[] | null => {
  if (types !== null) return types
  const listed = listedTypes(keywords)
  if (listed !== null) return listed
  const has = (...names: readonly string[]): boolean =>
    keywords.some(({ keyword }) => names.includes(keyword))
  const implied: readonly TypeName[] = [
    ...(has('properties', 'additionalProperties', 'patternProperties') ? (['object'] as const) : []),
    ...(has('items', 'prefixItems') ? (['array'] as const) : []),
  ]
  return implied.length > 0 ? implied : null
}

/** The types of a value that a place or one of its alternatives may have; null if any is right. */
export const typesIn = (place: SchemaPlace): readonly TypeName[] | null => {
  const known = types.get(place)
  if (known !== undefined) return known
  const all = variantsOf(place).map(typesAt)
  const found = all.includes(null) ? null : [...new Set(all.flatMap(each => each ?? []))]
  types.set(place, found)
  return found
}

const types = new WeakMap<SchemaPlace, readonly TypeName[] | null>()

/** Whether the values of a place are of this type, or null. */
export const isOnly = (place: SchemaPlace, type: TypeName): boolean =>
  typesIn(place)
    ?.filter(each => each !== 'null')
    .join() === type

/**
 * Whether a value fits one of these alternatives of a place at most: their types differ, or a property that both require has other values,
 * or one requires a property that the other may not have. `pointer`: of the list.
 */
export const areDistinct = (
  place: SchemaPlace,
  pointer: Pointer,
  alternatives: readonly unknown[],
): boolean => {
  const all = alternatives.map((_, index) => placesOf(documentOf(place), step(pointer, index)))
  return all.every((left, index) =>
    all.slice(index + 1).every(right => haveNothingInCommon(left, right, place.types)),
  )
}

const haveNothingInCommon = (
  left: SchemaPlace,
  right: SchemaPlace,
  outer: readonly TypeName[] | null,
): boolean => {
  const declared = [outer, declaredIn(left), declaredIn(right)].flatMap(types =>
    types === null ? [] : [types.map(type => (type === 'integer' ? 'number' : type))],
  )
  const [first, ...others] = declared
  if (first === undefined) return false
  const common = first.filter(type => others.every(types => types.includes(type)))
  if (common.some(type => type !== 'object')) return false
  const required = requiredIn(left).filter(name => requiredIn(right).includes(name))
  return (
    common.length === 0 ||
    required.some(name => haveOtherValues(left, right, name)) ||
    requiredIn(left).some(name => !mayHave(right, name)) ||
    requiredIn(right).some(name => !mayHave(left, name))
  )
}

/** The types that a place or its alternatives name, or that those of listed values are: `properties` alone take a text as well. */
const declaredIn = (place: SchemaPlace): readonly TypeName[] | null => {
  const all = variantsOf(place).map(({ types, keywords }) => types ?? listedTypes(keywords))
  return all.includes(null) ? null : [...new Set(all.flatMap(each => each ?? []))]
}

const listedTypes = (keywords: SchemaPlace['keywords']): readonly TypeName[] | null => {
  const listed = keywords.flatMap(({ keyword, value }) =>
    keyword === 'const'
      ? [typeOf(value as Json)]
      : keyword === 'enum'
        ? (value as readonly Json[]).map(typeOf)
        : [],
  )
  return listed.length > 0 ? [...new Set(listed)] : null
}

const requiredIn = ({ keywords }: SchemaPlace): readonly string[] =>
  keywords.flatMap(({ keyword, value }) => (keyword === 'required' ? (value as readonly string[]) : []))

const haveOtherValues = (left: SchemaPlace, right: SchemaPlace, name: string): boolean => {
  const [ofLeft, ofRight] = [left, right].map(each => listedIn(propertyPlace(each, name)))
  return ofLeft != null && ofRight != null && !ofLeft.some(value => ofRight.includes(value))
}

/** The values that a place lists, as JSON texts; null if it lists none. */
const listedIn = (place: SchemaPlace | null): readonly string[] | null => {
  const lists = (place?.keywords ?? []).flatMap(({ keyword, value }) =>
    keyword === 'const' ? [[value as Json]] : keyword === 'enum' ? [value as readonly Json[]] : [],
  )
  return lists[0]?.map(value => writeJson(value)) ?? null
}

/** Whether one of the alternatives of a place takes any text: as a string, or as the item of a list. */
export const takesAnyText = (place: SchemaPlace): boolean =>
  variantsOf(place).some(variant => {
    const types = typesAt(variant)
    const isFree = variant.keywords.every(
      ({ keyword, value }) => !limits.has(keyword) || (keyword === 'format' && value === 'binary'),
    )
    if (!isFree) return false
    if (types === null || types.includes('string')) return true
    const items = itemPlace(variant)
    return types.includes('array') && (items === null || takesAnyText(items))
  })

/** Keywords by which a text or a list may be wrong. */
const limits: ReadonlySet<string> = new Set([
  'const',
  'enum',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'prefixItems',
  'contains',
  'not',
])

/** The place of a member of an object or a list: by its name, by a pattern that its name matches, or that of all others. */
export const memberPlace = (place: SchemaPlace, name: string): SchemaPlace | null =>
  propertyPlace(place, name) ?? patternPlace(place, name) ?? itemPlace(place)

const patternPlace = (place: SchemaPlace, name: string): SchemaPlace | null => {
  for (const { keyword, value, pointer } of place.keywords) {
    if (keyword !== 'patternProperties') continue
    const found = Object.keys(asNode(value)).find(pattern => compilePattern(pattern).test(name))
    if (found !== undefined) return placesOf(documentOf(place), step(pointer, found))
  }
  return null
}

/** Whether a value is valid at a place. */
export const fits = (place: SchemaPlace, value: Json): boolean =>
  isValidAt(schemasIn(documentOf(place)), place, value)

/** The schemas that each way to choose adds: one way without any if there is nothing to choose. */
const choicesAt = (place: SchemaPlace, levels: number): readonly (readonly Pointer[])[] => {
  const document = documentOf(place)
  return place.keywords.reduce<readonly (readonly Pointer[])[]>(
    (ways, use) => {
      const alternatives = alternativesOf(document, use)
      if (alternatives.length === 0) return ways
      const taken = alternatives.flatMap(schemas => withInner(document, schemas, levels))
      return ways.flatMap(way => taken.map(each => [...way, ...each])).slice(0, mostVariants)
    },
    [[]],
  )
}

/** An alternative with each way to choose inside of it. */
const withInner = (
  document: DocumentNode,
  schemas: readonly Pointer[],
  levels: number,
): readonly (readonly Pointer[])[] =>
  levels === 0
    ? [schemas]
    : schemas.reduce<readonly (readonly Pointer[])[]>(
        (ways, schema) =>
          ways
            .flatMap(way =>
              choicesAt(placesOf(document, schema), levels - 1).map(inner => [...way, schema, ...inner]),
            )
            .slice(0, mostVariants),
        [[]],
      )

/** The schemas of each alternative of a keyword; none if it leaves no choice. */
const alternativesOf = (
  document: DocumentNode,
  { keyword, value, pointer }: KeywordUse,
): readonly (readonly Pointer[])[] => {
  switch (keyword) {
    case 'oneOf':
    case 'anyOf':
      return Array.isArray(value) ? value.map((_, index) => [step(pointer, index)]) : []
    case 'if': {
      const beside = (name: string): readonly Pointer[] => {
        const at = step(parentOf(pointer), name)
        return valueAt(document, at) === undefined ? [] : [at]
      }
      const isAlways =
        value === true || (typeof value === 'object' && Object.keys(asNode(value)).length === 0)
      return [
        ...(value === false ? [] : [[pointer, ...beside('then')]]),
        ...(isAlways ? [] : [beside('else')]),
      ]
    }
    case 'dependentSchemas':
      return [[], ...Object.keys(asNode(value)).map(name => [step(pointer, name)])]
    default:
      return []
  }
}
