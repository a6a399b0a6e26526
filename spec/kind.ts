import { isArray, isObject, type Json, writeJson } from './json.ts'
import type { SchemaPlace } from './places.ts'
import { steps } from './pointer.ts'
import { isOfBody, type Subject, type Where } from './subject.ts'

/** The values of a request, by where they stand. */
export type Values = { readonly body: Json | undefined; readonly parameters: Readonly<Record<string, Json>> }

/** Whether a body has exactly these of its optional properties. */
export const hasPresent = (root: SchemaPlace, present: readonly string[], body: Json | undefined): boolean =>
  isObject(body) &&
  root.properties
    .filter(name => !root.required.includes(name))
    .every(name => Object.hasOwn(body, name) === present.includes(name))

/** Whether a body gives its properties in another order than the schema, but for the identity, which stands first. */
export const isReordered = (root: SchemaPlace, body: Json | undefined, identity: string | null): boolean => {
  if (!isObject(body)) return false
  const names = Object.keys(body).filter(name => root.properties.includes(name) && name !== identity)
  return (
    names.length > 1 && root.properties.indexOf(names[0] ?? '') > root.properties.indexOf(names.at(-1) ?? '')
  )
}

/** Whether a request has one of the listed values at their place. */
export const hasValue = ({ where, texts }: Extract<Subject, { kind: 'value' }>, values: Values): boolean =>
  valuesAt(values, where).some(value => texts.includes(writeJson(value)))

/** All values that a request has at a place. */
export const valuesAt = ({ body, parameters }: Values, where: Where): readonly Json[] => {
  const whole = isOfBody(where) ? body : parameters[where.name]
  return steps(where.place).reduce<readonly Json[]>(
    (values, key) => values.flatMap(value => below(value, key)),
    whole === undefined ? [] : [whole],
  )
}

const below = (value: Json, key: string): readonly Json[] => {
  if (isArray(value)) return key === '*' ? value : []
  if (!isObject(value)) return []
  if (key === '*') return Object.values(value)
  return Object.hasOwn(value, key) ? [value[key] as Json] : []
}

/** One of a few sets of properties, of a few values, or of a few alternatives, of which every request may have one. */
export const isOneOfFew = (subject: Subject): boolean =>
  subject.kind === 'presence' ||
  subject.kind === 'branch' ||
  (subject.kind === 'value' && /^(?:enum\/|true$|false$|null$)/.test(subject.name))
