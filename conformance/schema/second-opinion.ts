import {
  type SchemaObject as Registered,
  registerSchema,
  unregisterSchema,
  validate,
} from '@hyperjump/json-schema/draft-2020-12'
import type { Schema } from './keywords.ts'
import type { Refusal } from './refusal.ts'

const dialect = 'https://json-schema.org/draft/2020-12/schema'
let registered = 0

/**
 * What @hyperjump/json-schema says of a value that `JSON.parse` has read; formats are annotations to it. Asynchronous,
 * because that validator compiles so. The schema must refer to nothing outside itself: it would be fetched.
 */
export const secondOpinion = async (schema: Schema): Promise<((value: unknown) => boolean) | Refusal> => {
  registered += 1
  const uri = `https://schema.invalid/judged/${registered}`
  try {
    registerSchema(schema as Registered | boolean, uri, dialect)
    const judge = await validate(uri)
    return value => judge(value as Parameters<typeof judge>[0]).valid
  } catch (error) {
    return { refused: `@hyperjump/json-schema does not compile the schema: ${(error as Error).message}` }
  } finally {
    unregisterSchema(uri)
  }
}
