import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Schema, SchemaObject } from './keywords.ts'
import { refuse } from './refusal.ts'

const withFormats = (): Ajv2020 => {
  const ajv = new Ajv2020({ strict: false, ownProperties: true, allErrors: true, logger: false })
  addFormats.default(ajv)
  return ajv
}
const bare = (): Ajv2020 => new Ajv2020({ strict: false, validateFormats: false, logger: false })

const metaSchemas = withFormats()

/** A schema that comes with the validator: the meta-schemas of 2020-12. */
export const knownSchema = (uri: string): SchemaObject | undefined => {
  const found = metaSchemas.getSchema(uri)?.schema
  return typeof found === 'object' ? (found as SchemaObject) : undefined
}

/**
 * What Ajv says of a value that `JSON.parse` has read: null where it depends on whether formats are asserted and
 * inherited names count. Refuses a schema that it does not compile.
 */
export const firstOpinion = (schema: Schema): ((value: unknown) => boolean | null) => {
  try {
    const asserting = withFormats().compile(schema as SchemaObject)
    const plain = bare().compile(schema as SchemaObject)
    return value => {
      const verdict = asserting(value) === true
      return (plain(value) === true) === verdict ? verdict : null
    }
  } catch (error) {
    return refuse(`Ajv does not compile the schema: ${(error as Error).message}`)
  }
}
