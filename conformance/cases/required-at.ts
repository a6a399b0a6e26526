import { compileGenerator, type SchemaObject } from '../../generator/index.ts'
import { type Json, type Pointer, placeOf, type SchemaPlace, step, steps } from '../../spec/index.ts'
import type { OperationModel, ParameterModel } from './operation-model.ts'
import { plainSamples } from './valid-value.ts'

export const reference = (pointer: string): SchemaObject => ({ $ref: `#${encodeURI(pointer)}` })

/** A schema that requires a value at a place, valid against `schema`. */
export const requiredAt = (root: SchemaPlace, place: string, schema: SchemaObject): SchemaObject => {
  const names = steps(place)
  return names.reduceRight((inner, name, index) => {
    const parent = placeOf(root, names.slice(0, index).reduce(step, ''))
    if (parent !== null && /^\d+$/.test(name) && Number(name) < parent.prefix) {
      const others = Array.from({ length: Number(name) }, () => true)
      return { type: 'array', minItems: others.length + 1, prefixItems: [...others, inner] }
    }
    if (name !== '*') return { type: 'object', required: [name], properties: { [name]: inner } }
    return parent?.types?.includes('array')
      ? {
          type: 'array',
          minItems: parent.prefix + 1,
          prefixItems: Array.from({ length: parent.prefix }, () => true),
          items: inner,
        }
      : { type: 'object', minProperties: 1, additionalProperties: inner }
  }, schema)
}

const sampleSize = 16

/** A valid body that has something at a place, other ones by number; undefined if none can be generated. */
export const bodyWith = (model: OperationModel, place: Pointer, number: number): Json | undefined =>
  sampleOf(model, model, model.body?.media.schema, model.body?.root, model.isValidBody, place, number)

/** A valid value of a parameter that has something at a place. */
export const parameterWith = (
  model: OperationModel,
  parameter: ParameterModel,
  place: Pointer,
  number: number,
): Json | undefined =>
  sampleOf(parameter, model, parameter.parameter.schema, parameter.root, parameter.isValid, place, number)

const sampleOf = (
  owner: OperationModel | ParameterModel,
  { contract }: OperationModel,
  schema: Pointer | null | undefined,
  root: SchemaPlace | null | undefined,
  isValid: (value: Json) => boolean,
  place: Pointer,
  number: number,
): Json | undefined => {
  if (schema == null || root == null) return undefined
  const known = samples.get(owner) ?? new Map<Pointer, readonly Json[]>()
  samples.set(owner, known)
  const { document } = contract.requests
  const values =
    known.get(place) ??
    plainSamples(
      compileGenerator({ allOf: [reference(schema), requiredAt(root, place, {})] }, document),
      isValid,
      sampleSize,
    )
  known.set(place, values)
  return values[number % values.length]
}

// It is needed only if the plainest values of the places on the way make no valid value.
const samples = new WeakMap<OperationModel | ParameterModel, Map<Pointer, readonly Json[]>>()
