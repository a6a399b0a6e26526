import { compileSchema, type Json } from '../../../spec/index.ts'
import type { Schema } from '../read/keywords.ts'
import { throwUnsupported } from '../read/unsupported.ts'

/** Validates as the rest of the project does: Ajv with exact numbers. Throws (see `attempt`) if the schema does not compile. */
export const createExactOracle = (schema: Schema, root?: object): ((value: Json) => boolean) => {
  try {
    const validated =
      root === undefined ? schema : { ...root, $ref: '#/x-validated-schema', 'x-validated-schema': schema }
    // Ajv accepts plain numbers only: a limit that no double can hold is checked by the evaluator, not here.
    const validate = compileSchema(JSON.parse(JSON.stringify(validated)))
    return value => validate(value).length === 0
  } catch (error) {
    return throwUnsupported(`the schema cannot be compiled: ${(error as Error).message}`)
  }
}
