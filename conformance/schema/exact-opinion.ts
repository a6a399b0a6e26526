import type { Json } from '../../spec/index.ts'
import { compileSchema } from '../../spec/index.ts'
import type { Schema } from './keywords.ts'
import { refuse } from './refusal.ts'

/** True or false for each value as the whole project judges it, with exact numbers; refuses what does not compile. */
export const exactOpinion = (schema: Schema, root?: object): ((value: Json) => boolean) => {
  try {
    const judged =
      root === undefined ? schema : { ...root, $ref: '#/x-judged-schema', 'x-judged-schema': schema }
    // Ajv takes plain numbers only: a limit that no double holds is kept by the exact judge, not here.
    const validate = compileSchema(JSON.parse(JSON.stringify(judged)))
    return value => validate(value).length === 0
  } catch (error) {
    return refuse(`the schema cannot be compiled: ${(error as Error).message}`)
  }
}
