/**
 * Oracles decide whether a value is valid. The evaluator (`evaluate.ts`) is the generator's own; Ajv and @hyperjump/json-schema
 * are independent of it, and a sampled value counts only if all of them agree.
 */
import { type Json, sameJson } from '../../spec/index.ts'
import { isSchemaObject, ownProperty, type Schema, type SchemaLookup } from '../read/keywords.ts'
import { resolveReferences } from '../read/resolve-references.ts'
import { attempt, isUnsupported, throwUnsupported, type Unsupported } from '../read/unsupported.ts'
import { createAjvOracle, findMetaSchema } from './ajv-oracle.ts'
import { createHyperjumpOracle } from './hyperjump-oracle.ts'

/** The verdict of both validators on a value from `JSON.parse`: null if they disagree. */
type Agreement = (value: unknown) => boolean | null

/**
 * Compiles the schema for both validators. A validator that rejects the schema as it stands, or does not terminate on it, gets
 * the same schema with its references resolved. `isSelfContained`: the schema refers to no other documents.
 */
export const createAgreement = async (
  schema: Schema,
  lookup: SchemaLookup,
  isSelfContained: boolean,
): Promise<Agreement | Unsupported> => {
  const plain = byAddress(JSON.parse(JSON.stringify(schema)) as Schema)
  const resolved = attempt(() => resolveReferences(plain, lookup))
  const ajv = attempt(() => createAjvAgreement(plain, resolved))
  if (isUnsupported(ajv)) return ajv
  // Hyperjump would fetch other documents.
  const preferred = isSelfContained ? plain : resolved
  const first = isUnsupported(preferred) ? preferred : await createHyperjumpOracle(preferred)
  const hyperjump =
    isUnsupported(first) && !isUnsupported(resolved) ? await createHyperjumpOracle(resolved) : first
  if (isUnsupported(hyperjump)) return first
  return value => {
    const verdict = ajv(value)
    return verdict !== null && hyperjump(value) === verdict ? verdict : null
  }
}

// Both validators accept their own meta-schemas by URI only.
const byAddress = (schema: Schema): Schema => {
  const id = isSchemaObject(schema) ? ownProperty(schema, '$id') : undefined
  const metaSchema = typeof id === 'string' ? findMetaSchema(id) : undefined
  return metaSchema !== undefined && sameJson(metaSchema as Json, schema as Json) ? { $ref: id } : schema
}

const createAjvAgreement = (plain: Schema, resolved: Schema | Unsupported): Agreement => {
  const oracle = attempt(() => createAjvOracle(plain))
  let fallback: Agreement | undefined
  const fallBack = (reason: string): Agreement => {
    fallback ??= isUnsupported(resolved) ? throwUnsupported(reason) : createAjvOracle(resolved)
    return fallback
  }
  if (isUnsupported(oracle)) return fallBack(oracle.unsupported)
  return value => {
    if (fallback !== undefined) return fallback(value)
    const verdict = attempt(() => oracle(value))
    return isUnsupported(verdict) ? fallBack('a validator does not terminate on this schema')(value) : verdict
  }
}
