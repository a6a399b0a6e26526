import {
  isNumber,
  type Json,
  numberText,
  propertyPlace,
  rawNumber,
  type SchemaPlace,
} from '../../spec/index.ts'
import type { OperationRules } from '../rules/rule.ts'

type Values = Readonly<Record<string, Json>>

/** The properties that the path gives what a response shows. `withIdentity`: also that by which the resource is named. */
export const filled = (
  { path, instance, identityPlace }: OperationRules,
  parameters: Values,
  withIdentity: boolean,
): Values =>
  Object.fromEntries(
    path.flatMap(({ parameter, property, isIdentity }) => {
      const value = parameters[parameter]
      const place = isIdentity ? identityPlace : instance === null ? null : propertyPlace(instance, property)
      if (value === undefined || place == null || (isIdentity && !withIdentity)) return []
      return [[property, asTyped(value, place)] as const]
    }),
  )

/** A name as the schema of a property writes it: a number in the path may be a text in the body. */
export const asTyped = (value: Json, { readAs }: SchemaPlace): Json => {
  if (readAs === null) return value
  if (isNumber(value) && !readAs.some(type => type === 'integer' || type === 'number'))
    return numberText(value)
  if (typeof value === 'string' && !readAs.includes('string') && /^-?(0|[1-9]\d*)$/.test(value))
    return rawNumber(value)
  return value
}

/** The names of the parameters in a path, from the left. */
export const parametersIn = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)

/** The values of the parameters in the path of an operation, from the left. */
export const pathValuesOf = ({ operation }: OperationRules, parameters: Values): readonly Json[] =>
  parametersIn(operation.path).map(name => parameters[name] ?? null)
