import type { BodyFormat, Parameter } from '../contract/operation.ts'
import { isArray, isObject, type Json, type JsonObject } from '../json/json.ts'
import { propertyPlace, type SchemaPlace } from '../schema/locations.ts'
import { memberPlace, typesIn, variantsOf } from '../schema/variants.ts'
import { type ParameterSource, queryPairs, readParameter } from './parse-parameter.ts'
import { fitting, withEmpties } from './read-text.ts'
import { writeParameter } from './serialize-parameter.ts'

/** A byte order mark is a character of a value. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

type Form = Extract<BodyFormat, { readonly kind: 'form' }>

/** Parses a body of `application/x-www-form-urlencoded` by its declared fields, with the types of the alternative that it fits. */
export const readForm = ({ fields, root }: Pick<Form, 'fields' | 'root'>, body: Uint8Array): JsonObject => {
  const pairs = queryPairs(utf8.decode(body))
  return fitting(
    root,
    variantsOf(root).map(variant => readFields(fields, variant, pairs)),
  )
}

const readFields = (
  fields: readonly Parameter[],
  variant: SchemaPlace,
  pairs: ReturnType<typeof queryPairs>,
): JsonObject => {
  const names = new Set([...fields.map(({ name }) => name), ...variant.properties])
  const source: ParameterSource = { path: {}, query: pairs, header: () => null, cookie: [], names }
  const read = (field: Parameter): readonly (readonly [string, Json])[] => {
    const place = memberPlace(variant, field.name)
    if (field.content !== null && pairs.some(([name]) => name === field.name) && isList(place))
      return [[field.name, readItems(field, pairs)]]
    const value = readParameter(field, place, source)
    return value === undefined ? [] : [[field.name, value]]
  }
  // In the order of the body.
  const found = pairs.map(([name]) => fields.find(field => isOf(field, variant, name)) ?? plainField(name))
  const byName = new Map(found.map(field => [field.name, field]))
  return withEmpties(variant, Object.fromEntries([...byName.values()].flatMap(read)), name => {
    const field = fieldOf(fields, name)
    return field.content === null && field.explode
  })
}

/** What is in a body beside pairs of names and values, unless it is a declared field without a value; null: nothing. */
export const strayText = (
  { fields, root }: Pick<Form, 'fields' | 'root'>,
  body: Uint8Array,
): string | null => {
  const pairs = utf8
    .decode(body)
    .split('&')
    .filter(pair => pair.trim() !== '' && !pair.includes('='))
  const isField = (name: string): boolean =>
    variantsOf(root).some(variant => fields.some(field => isOf(field, variant, name)))
  return queryPairs(pairs.join('&')).find(([name]) => !isField(name))?.[0] ?? null
}

/** The form body of a value; undeclared properties become plain fields. */
export const writeForm = ({ fields }: Pick<Form, 'fields'>, value: Json): string =>
  isObject(value)
    ? Object.entries(value)
        .flatMap(([name, item]) => {
          const field = fieldOf(fields, name)
          // Each item of a list is a pair of its own.
          const items = field.content !== null && isArray(item) ? item : [item]
          return items.flatMap(each => writeParameter(field, each).query ?? [])
        })
        .join('&')
    : ''

/** The field of a property. */
export const fieldOf = (fields: readonly Parameter[], name: string): Parameter =>
  fields.find(each => each.name === name) ?? plainField(name)

const noNames: ReadonlySet<string> = new Set()

/** Whether each item of a list is written as JSON. */
const isList = (place: SchemaPlace | null): boolean =>
  place !== null && typesIn(place)?.includes('array') === true

const readItems = (field: Parameter, pairs: ReturnType<typeof queryPairs>): readonly Json[] =>
  pairs.flatMap(pair => {
    const [name] = pair
    const source: ParameterSource = {
      path: {},
      query: [pair],
      header: () => null,
      cookie: [],
      names: noNames,
    }
    return name === field.name ? [readParameter(field, null, source) ?? null] : []
  })

/** Whether a name in the form belongs to a field: an object may be spread over several names. */
const isOf = (field: Parameter, root: SchemaPlace, name: string): boolean => {
  if (name === field.name) return true
  if (field.style === 'deepObject') return name.startsWith(`${field.name}[`)
  const place = propertyPlace(root, field.name)
  return (
    field.content === null &&
    field.explode &&
    place !== null &&
    variantsOf(place).some(({ properties }) => properties.includes(name))
  )
}

const plainField = (name: string): Parameter => ({
  name,
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  content: null,
  allowEmpty: null,
  schema: null,
  pointer: '',
})
