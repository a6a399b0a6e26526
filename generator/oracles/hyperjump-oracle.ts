import {
  type SchemaObject as Registered,
  registerSchema,
  unregisterSchema,
  validate,
} from '@hyperjump/json-schema/draft-2020-12'
import type { Schema } from '../read/keywords.ts'
import type { Unsupported } from '../read/unsupported.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'
let registered = 0

/**
 * Validates values from `JSON.parse` with @hyperjump/json-schema, which treats formats as annotations and compiles
 * asynchronously. The schema must not refer to anything outside itself: the validator would fetch it.
 */
export const createHyperjumpOracle = async (
  schema: Schema,
): Promise<((value: unknown) => boolean) | Unsupported> => {
  registered += 1
  const uri = `https://schema.invalid/validated/${registered}`
  try {
    registerSchema(schema as Registered | boolean, uri, dialect)
    const compiled = await validate(uri)
    return value => compiled(value as Parameters<typeof compiled>[0]).valid
  } catch (error) {
    return { unsupported: `@hyperjump/json-schema does not compile the schema: ${(error as Error).message}` }
  } finally {
    unregisterSchema(uri)
  }
}
