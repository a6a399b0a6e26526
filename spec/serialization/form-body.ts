import type { Parameter } from '../contract/operation.ts'
import { isArray, isObject, type Json, type JsonObject } from '../json/json.ts'
import { step } from '../json/pointer.ts'
import { placeOf, type SchemaPlace } from '../schema/locations.ts'
import { type ParameterSource, queryPairs, readParameter } from './parse-parameter.ts'
import { writeParameter } from './serialize-parameter.ts'

/** Parses a body of `application/x-www-form-urlencoded` by its declared fields, with the types of its schema. */
export const readForm = (fields: readonly Parameter[], root: SchemaPlace, body: Uint8Array): JsonObject => {
  const pairs = queryPairs(new TextDecoder().decode(body))
  const names = new Set([...fields.map(({ name }) => name), ...root.properties])
  const source: ParameterSource = { path: {}, query: pairs, header: () => null, cookie: [], names }
  const read = (field: Parameter): readonly (readonly [string, Json])[] => {
    if (isJsonList(field, root)) return [[field.name, readItems(field, pairs)]]
    const value = readParameter(field, placeOf(root, step('', field.name)), source)
    return value === undefined ? [] : [[field.name, value]]
  }
  // In the order of the body.
  const found = pairs.map(([name]) => fields.find(field => isOf(field, root, name)) ?? plainField(name))
  const byName = new Map(found.map(field => [field.name, field]))
  return Object.fromEntries([...byName.values()].flatMap(read))
}

/** The form body of a value; undeclared properties become plain fields. */
export const writeForm = (fields: readonly Parameter[], value: Json): string =>
  isObject(value)
    ? Object.entries(value)
        .flatMap(([name, item]) => {
          const field = fields.find(each => each.name === name) ?? plainField(name)
          // Each item of a list is a pair of its own.
          const items = field.content !== null && isArray(item) ? item : [item]
          return items.flatMap(each => writeParameter(field, each).query ?? [])
        })
        .join('&')
    : ''

const noNames: ReadonlySet<string> = new Set()

/** Whether each item of a list is written as JSON. */
const isJsonList = ({ name, content }: Parameter, root: SchemaPlace): boolean =>
  content !== null && placeOf(root, step('', name))?.types?.includes('array') === true

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
  const place = placeOf(root, step('', field.name))
  if (field.content !== null || !place?.types?.includes('object')) return false
  return field.explode && place.properties.includes(name)
}

const plainField = (name: string): Parameter => ({
  name,
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  content: null,
  schema: null,
  pointer: '',
})
