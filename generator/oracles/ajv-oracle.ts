import { compilePlain, metaSchema } from '../../spec/index.ts'
import type { Schema, SchemaObject } from '../read/keywords.ts'
import { throwUnsupported } from '../read/unsupported.ts'

/** Finds a schema that ships with the validators: the meta-schemas of 2020-12. */
export const findMetaSchema = (uri: string): SchemaObject | undefined =>
  metaSchema(uri) as SchemaObject | undefined

/**
 * Validates values from `JSON.parse` with Ajv: null if the verdict depends on whether formats are asserted and inherited
 * properties count. Throws (see `attempt`) if Ajv does not compile the schema.
 */
export const createAjvOracle = (schema: Schema): ((value: unknown) => boolean | null) => {
  try {
    const asserting = compilePlain(schema, { formats: true, ownProperties: true })
    const plain = compilePlain(schema, { formats: false, ownProperties: false })
    return value => {
      try {
        const verdict = asserting(value)
        return plain(value) === verdict ? verdict : null
      } catch (error) {
        // Ajv fails on some values of some schemas: no verdict. A stack overflow concerns the schema, so it is thrown on.
        if (error instanceof RangeError) throw error
        return null
      }
    }
  } catch (error) {
    return throwUnsupported(`Ajv does not compile the schema: ${(error as Error).message}`)
  }
}
