import type { Contract, Json, Pointer } from '../../spec/index.ts'

/** Valid values of a schema, which Prism could not make; equal seeds give equal values. Undefined: the generator has none either. */
export type GeneratedValues = (schema: Pointer, seed: number) => Promise<Json | undefined>

/** The generator is loaded for the first value: most documents need none. */
export const createGeneratedValues = ({ responses: { document } }: Contract): GeneratedValues => {
  const known = new Map<Pointer, Promise<(seed: number) => Json | undefined>>()
  return async (schema, seed) => {
    const made = known.get(schema) ?? samplerOf(document, schema)
    known.set(schema, made)
    return (await made)(seed)
  }
}

const samplerOf = async (document: object, schema: Pointer): Promise<(seed: number) => Json | undefined> => {
  const { compileGenerator, createSampler } = await import('../../generator/index.ts')
  // A reference, so that what judges the values is compiled once for all who judge by this schema.
  const { valid } = compileGenerator({ $ref: `#${encodeURI(schema)}` }, document)
  return 'unsupported' in valid ? () => undefined : createSampler(valid, 1, schema)
}
