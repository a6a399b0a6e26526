import { type Contract, type Json, type Pointer, plainValue, type SchemaPlace } from '../../spec/index.ts'
import { compileGenerator } from '../generator/index.ts'
import { createSampler } from '../generator/sampler.ts'

const sampleSize = 16

/** The plainest valid value of a place in a request: patterns, formats and alternatives need a generator. */
export const validValue = (
  { requests: { document, schemas } }: Contract,
  place: SchemaPlace,
  toward: Pointer | null,
  label: string,
): Json => {
  const isValid = (value: Json): boolean =>
    place.schemas.every(schema => schemas.validator(schema)(value).length === 0)
  const plain = plainValue(place, toward, label)
  if (isValid(plain)) return plain
  const known = samples.get(place) ?? sampleOf(document, place).filter(isValid)
  samples.set(place, known)
  return known[turnOf(label) % known.length] ?? plain
}

const samples = new WeakMap<SchemaPlace, readonly Json[]>()

const sampleOf = (document: object, { schemas }: SchemaPlace): readonly Json[] => {
  const allOf = schemas.map(schema => ({ $ref: `#${encodeURI(schema)}` }))
  const { valid } = compileGenerator({ allOf }, document)
  if ('unsupported' in valid) return []
  const sample = createSampler(valid, 0, 'plain')
  return Array.from({ length: sampleSize }, (_, index) => sample(index))
}

const turnOf = (label: string): number => [...label].reduce((sum, char) => sum + char.charCodeAt(0), 0)
