import { type Json, sameJson } from '../../spec/index.ts'
import { firstOpinion, knownSchema } from './first-opinion.ts'
import { isSchemaObject, type KnownSchema, own, type Schema } from './keywords.ts'
import { attempt, isRefusal, type Refusal, refuse } from './refusal.ts'
import { resolved } from './resolved.ts'
import { secondOpinion } from './second-opinion.ts'

/** What both validators say of a value that `JSON.parse` has read: null where they contradict each other. */
type Opinions = (value: unknown) => boolean | null

/**
 * Asks both validators about the schema as it stands. One that does not take it so, or does not come to an end on it,
 * is asked about the same schema with its references resolved. `leaves`: the schema refers to other documents.
 */
export const askBoth = async (
  schema: Schema,
  known: KnownSchema,
  leaves: boolean,
): Promise<Opinions | Refusal> => {
  const plain = byAddress(JSON.parse(JSON.stringify(schema)) as Schema)
  const other = attempt(() => resolved(plain, known))
  const first = attempt(() => ajv(plain, other))
  if (isRefusal(first)) return first
  // What leads out of the schema that validator would fetch.
  const asked = leaves ? other : plain
  const second = isRefusal(asked) ? asked : await secondOpinion(asked)
  const settled = isRefusal(second) && !isRefusal(other) ? await secondOpinion(other) : second
  if (isRefusal(settled)) return second
  return value => {
    const verdict = first(value)
    return verdict !== null && settled(value) === verdict ? verdict : null
  }
}

// Both validators take their own meta-schemas by the address alone.
const byAddress = (schema: Schema): Schema => {
  const id = isSchemaObject(schema) ? own(schema, '$id') : undefined
  const known = typeof id === 'string' ? knownSchema(id) : undefined
  return known !== undefined && sameJson(known as Json, schema as Json) ? { $ref: id } : schema
}

const ajv = (plain: Schema, other: Schema | Refusal): ((value: unknown) => boolean | null) => {
  const asked = attempt(() => firstOpinion(plain))
  let instead: ReturnType<typeof firstOpinion> | undefined
  const askInstead = (reason: Refusal): ReturnType<typeof firstOpinion> => {
    instead ??= isRefusal(other) ? refuse(reason.refused) : firstOpinion(other)
    return instead
  }
  if (isRefusal(asked)) return askInstead(asked)
  return value => {
    if (instead !== undefined) return instead(value)
    const verdict = attempt(() => asked(value))
    return isRefusal(verdict)
      ? askInstead({ refused: 'a validator does not come to an end on this schema' })(value)
      : verdict
  }
}
