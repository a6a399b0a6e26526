import type { HttpRequest } from '../../http/exchange.ts'
import { isArray, isNumber, isObject, type Json, numberText, writeJson } from '../../json/json.ts'
import { steps } from '../../json/pointer.ts'
import type { SchemaPlace } from '../../schema/locations.ts'
import { isIntegerSpelling } from '../inputs/numbers.ts'
import type { Subject } from '../subject.ts'
import { isOfBody, type ValueLocation } from '../value-location.ts'

/** The values of a request: its JSON body or form, and its parameters by name. */
export type Values = { readonly body: Json | undefined; readonly parameters: Readonly<Record<string, Json>> }

/** A request with its values. */
export type SentRequest = Values & {
  readonly request: Pick<HttpRequest, 'target' | 'headers' | 'body'> & { readonly chunked?: boolean }
}

/** Whether a body has exactly these of its optional properties. */
export const hasPresent = (root: SchemaPlace, present: readonly string[], body: Json | undefined): boolean =>
  isObject(body) &&
  root.properties
    .filter(name => !root.required.includes(name))
    .every(name => Object.hasOwn(body, name) === present.includes(name))

/** Whether a body has its properties in another order than the schema. The identity is not counted: it always comes first. */
export const isReordered = (root: SchemaPlace, body: Json | undefined, identity: string | null): boolean => {
  if (!isObject(body)) return false
  const names = Object.keys(body).filter(name => root.properties.includes(name) && name !== identity)
  return (
    names.length > 1 && root.properties.indexOf(names[0] ?? '') > root.properties.indexOf(names.at(-1) ?? '')
  )
}

/** The first of the listed values that a request has at their location; undefined if it has none of them. */
export const listedValue = (
  { location, name, texts }: Extract<Subject, { kind: 'value' }>,
  values: Values,
): Json | undefined =>
  valuesAt(values, location).find(value => texts.includes(writeJson(value)) || isRespelled(name, value))

/** Beyond this, a server that cannot represent a number cannot represent larger ones either. */
const largeNumber = 2 ** 31 - 1

/** Whether a request has a number that is as large as a listed large one, or larger, on the same side of zero. */
export const hasLarger = (
  { location, texts }: Extract<Subject, { kind: 'value' }>,
  values: Values,
): boolean => {
  const listed = texts.map(Number).filter(number => Math.abs(number) >= largeNumber)
  return (
    listed.length > 0 &&
    valuesAt(values, location).some(value => {
      const given = isNumber(value) ? Number(numberText(value)) : 0
      return listed.some(number => given / number >= 1)
    })
  )
}

/** Identities are never sent twice, so the spellings of integers are tried with fresh ones, which are long numbers. */
const isRespelled = (name: string, value: Json): boolean =>
  isIntegerSpelling(name) &&
  isNumber(value) &&
  (name === 'decimal-form' ? /^-?\d{5,}\.0+$/ : /^-?\d{5,}e[+-]?\d$/i).test(numberText(value))

/** All values that a request has at a location. */
export const valuesAt = ({ body, parameters }: Values, location: ValueLocation): readonly Json[] => {
  const whole = isOfBody(location) ? body : parameters[location.name]
  return steps(location.place).reduce<readonly Json[]>(
    (values, key) => values.flatMap(value => children(value, key)),
    whole === undefined ? [] : [whole],
  )
}

const children = (value: Json, key: string): readonly Json[] => {
  if (isArray(value)) return key === '*' ? value : value.slice(Number(key), Number(key) + 1)
  if (!isObject(value)) return []
  if (key === '*') return Object.values(value)
  return Object.hasOwn(value, key) ? [value[key] as Json] : []
}

/** Whether a subject is one of a few (sets of properties, listed values, alternatives) of which every request may have one. */
export const isOneOfFew = (subject: Subject): boolean =>
  subject.kind === 'presence' ||
  subject.kind === 'branch' ||
  (subject.kind === 'value' &&
    (subject.member !== undefined || ['true', 'false', 'null'].includes(subject.name)))

/** Whether an extreme text stands beside another unusual value. */
export const combinesExtremes = ({ body }: SentRequest): boolean => {
  const values = isObject(body) ? Object.values(body) : []
  const extremes = values.filter(value => isText(value) && (value === '' || /[\ud800-\udfff]/.test(value)))
  const unusual = values.filter(
    value =>
      !extremes.includes(value) &&
      (isText(value) ? value.length >= 64 : isNumber(value) && isUnusual(Number(numberText(value)))),
  )
  return extremes.length > 1 || (extremes.length > 0 && unusual.length > 0)
}

const isText = (value: Json): value is string => typeof value === 'string'

const isUnusual = (value: number): boolean => value < 0 || value >= 2 ** 31
