import { compilePlain, metaSchema } from '../../spec/index.ts'
import type { Schema, SchemaObject } from './keywords.ts'
import { refuse } from './refusal.ts'

/** A schema that comes with the validator: the meta-schemas of 2020-12. */
export const knownSchema = (uri: string): SchemaObject | undefined =>
  metaSchema(uri) as SchemaObject | undefined

/**
 * What Ajv says of a value that `JSON.parse` has read: null where it depends on whether formats are asserted and
 * inherited names count. Refuses a schema that it does not compile.
 */
export const firstOpinion = (schema: Schema): ((value: unknown) => boolean | null) => {
  try {
    const asserting = compilePlain(schema, { formats: true, ownProperties: true })
    const plain = compilePlain(schema, { formats: false, ownProperties: false })
    return value => {
      try {
        const verdict = asserting(value)
        return plain(value) === verdict ? verdict : null
      } catch (error) {
        // On some schemas it gives up on some values: it has then said nothing. Without an end is another matter.
        if (error instanceof RangeError) throw error
        return null
      }
    }
  } catch (error) {
    return refuse(`Ajv does not compile the schema: ${(error as Error).message}`)
  }
}
