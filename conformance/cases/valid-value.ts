import { compileGenerator, createSampler, type Generator } from '../../generator/index.ts'
import {
  type Contract,
  isValidAt,
  type Json,
  type Pointer,
  plainValue,
  type SchemaPlace,
  turnOf,
} from '../../spec/index.ts'

const sampleSize = 16

/** The plainest valid value of a place in a request that can show it: patterns, formats and alternatives need a generator. */
export const validValue = (
  { requests: { document, schemas } }: Pick<Contract, 'requests'>,
  place: SchemaPlace,
  toward: Pointer | null,
  label: string,
  isShown: (value: Json) => boolean = () => true,
): Json => {
  const isValid = (value: Json): boolean => isValidAt(schemas, place, value)
  const plain = plainValue(place, toward, label)
  if (isValid(plain) && isShown(plain)) return plain
  const known = samples.get(place) ?? sampleOf(document, place, isValid)
  samples.set(place, known)
  const shown = known.filter(isShown)
  const value = shown[turnOf(label) % shown.length]
  return value === undefined ? plain : value
}

const samples = new WeakMap<SchemaPlace, readonly Json[]>()

const sampleOf = (
  document: object,
  { schemas }: SchemaPlace,
  isValid: (value: Json) => boolean,
): readonly Json[] => {
  const allOf = schemas.map(schema => ({ $ref: `#${encodeURI(schema)}` }))
  return plainSamples(compileGenerator({ allOf }, document), isValid, sampleSize)
}

/** Plain values of a generator, those among so many that are valid; none if it does not support its schema. */
export const plainSamples = (
  generator: Generator | null,
  isValid: (value: Json) => boolean,
  size: number,
): readonly Json[] => {
  const valid = generator?.valid
  if (valid === undefined || 'unsupported' in valid) return []
  const sample = createSampler(valid, 0, 'plain')
  return Array.from({ length: size }, (_, index) => sample(index)).filter(isValid)
}
