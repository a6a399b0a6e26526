import { compileGenerator, createSampler, type SchemaObject } from '../../../generator/index.ts'
import { isOfBody, lengthsOf, type Subject } from '../../../spec/index.ts'
import { reference, requiredAt } from '../required-at.ts'
import { parameterAt, rootOf, withIdentity } from './edit-spec.ts'
import {
  finiteStrategy,
  type PlainSpec,
  type Strategy,
  type StrategyContext,
  type Unsupported,
} from './strategy.ts'

type BranchSubject = Extract<Subject, { kind: 'branch' }>

/** Valid values that take one branch of a keyword. */
export const branchStrategy = (
  context: StrategyContext,
  id: string,
  subject: BranchSubject,
  plain: PlainSpec,
): Strategy | Unsupported => {
  const { model, seed } = context
  const { location } = subject
  const { document } = model.contract
  const root = rootOf(model, location)
  const whole =
    (isOfBody(location) ? model.body?.media.schema : parameterAt(model, location)?.parameter.schema) ?? null
  if (root === null || whole === null) return { unsupported: 'there is no schema to generate from' }
  const { valid } = compileGenerator(
    { allOf: [reference(whole), requiredAt(root, location.place, branchSchema(document, subject))] },
    document,
  )
  if ('unsupported' in valid)
    return { unsupported: `no value can be generated for this alternative: ${valid.unsupported}` }
  const sample = createSampler(valid, seed, id)
  return finiteStrategy(8, (index, number) => {
    const spec = plain(number)
    const value = sample(index)
    return isOfBody(location)
      ? { ...spec, body: withIdentity(context, value, number) }
      : { ...spec, parameters: { ...spec.parameters, [location.name]: value } }
  })
}

/** What a value has to be valid against to take the branch. */
const branchSchema = (document: object, { keyword, branch, schema }: BranchSubject): SchemaObject => {
  if (keyword === 'items') {
    const { least, most } = lengthsOf(document, schema, branch)
    return { minItems: least, ...(Number.isFinite(most) ? { maxItems: most } : {}) }
  }
  if (keyword === 'dependentSchemas') return { required: [branch] }
  return branch === 'else' ? { not: reference(schema) } : reference(schema)
}
