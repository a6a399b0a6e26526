import { compileSchema, type Json, schemasIn } from '../../spec/index.ts'
import type { Schema } from '../read/keywords.ts'
import { throwUnsupported } from '../read/unsupported.ts'

/**
 * Validates as the rest of the project does: Ajv with exact numbers. `root`: the document that references point into, whose schemas
 * are compiled once for all who ask. Throws (see `attempt`) if the schema does not compile.
 */
export const createExactOracle = (schema: Schema, root?: object): ((value: Json) => boolean) => {
  try {
    // Ajv accepts plain numbers only: a limit that no double can hold is checked by the evaluator, not here.
    const validate =
      root === undefined
        ? compileSchema(JSON.parse(JSON.stringify(schema)))
        : schemasIn(root).compile(JSON.parse(JSON.stringify(schema)))
    // What cannot be compiled shows with the first value.
    validate(null)
    return value => validate(value).length === 0
  } catch (error) {
    return throwUnsupported(`the schema cannot be compiled: ${(error as Error).message}`)
  }
}
