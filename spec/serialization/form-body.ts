import type { Parameter } from '../contract/operation.ts'
import { isObject, type Json, type JsonObject } from '../json/json.ts'
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
        .flatMap(
          ([name, item]) =>
            writeParameter(fields.find(field => field.name === name) ?? plainField(name), item).query ?? [],
        )
        .join('&')
    : ''

/** Whether a name in the form belongs to a field: an object may be spread over several names. */
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
