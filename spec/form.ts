import { isObject, type Json, type JsonObject } from './json.ts'
import type { Parameter } from './operation.ts'
import { placeOf, type SchemaPlace } from './places.ts'
import { step } from './pointer.ts'
import { type ParameterSource, queryPairs, readParameter } from './read-parameter.ts'
import { writeParameter } from './write-parameter.ts'

/** A body of `application/x-www-form-urlencoded` as its declared fields write it, typed as its schema asks. */
export const readForm = (fields: readonly Parameter[], root: SchemaPlace, body: Uint8Array): JsonObject => {
  const pairs = queryPairs(new TextDecoder().decode(body))
  const source: ParameterSource = { path: {}, query: pairs, header: () => null, cookie: [] }
  const read = (field: Parameter): readonly (readonly [string, Json])[] => {
    const value = readParameter(field, placeOf(root, step('', field.name)), source)
    return value === undefined ? [] : [[field.name, value]]
  }
  // In the order in which they stand there.
  const found = pairs.map(([name]) => fields.find(field => isOf(field, root, name)) ?? plainField(name))
  const byName = new Map(found.map(field => [field.name, field]))
  return Object.fromEntries([...byName.values()].flatMap(read))
}

/** The body of a form with this value; undeclared properties are written as plain fields. */
export const writeForm = (fields: readonly Parameter[], value: Json): string =>
  isObject(value)
    ? Object.entries(value)
        .flatMap(
          ([name, item]) =>
            writeParameter(fields.find(field => field.name === name) ?? plainField(name), item).query ?? [],
        )
        .join('&')
    : ''

/** Whether a name in the form belongs to a field: an object may be written as several. */
const isOf = (field: Parameter, root: SchemaPlace, name: string): boolean => {
  if (name === field.name) return true
  const place = placeOf(root, step('', field.name))
  if (field.content !== null || !place?.types?.includes('object')) return false
  return field.style === 'deepObject'
    ? name.startsWith(`${field.name}[`)
    : field.explode && place.properties.includes(name)
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
