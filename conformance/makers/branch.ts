import {
  isOfBody,
  lengthsOf,
  placeOf,
  type SchemaPlace,
  type Subject,
  step,
  steps,
  type Where,
} from '../../spec/index.ts'
import type { Draft } from '../case.ts'
import { createSampler } from '../sample.ts'
import { compileGenerator, type SchemaObject } from '../schema/index.ts'
import { rootOf, withIdentity } from './base.ts'
import { finite, type Maker, type MakerContext, type Untested } from './maker.ts'

type BranchSubject = Extract<Subject, { kind: 'branch' }>

/** Valid values that take one branch of a keyword. */
export const branchMaker = (
  context: MakerContext,
  id: string,
  subject: BranchSubject,
  base: (number: number) => Draft,
): Maker | Untested => {
  const { model, seed } = context
  const { where } = subject
  const root = rootOf(model, where)
  const whole = schemaOf(context, where)
  if (root === null || whole === null) return { untested: 'there is no schema to generate from' }
  const narrowed = {
    allOf: [reference(whole), along(root, where.place, demandOf(model.contract.document, subject))],
  }
  const { valid } = compileGenerator(narrowed, model.contract.document)
  if ('refused' in valid)
    return { untested: `no value can be made that takes this alternative: ${valid.refused}` }
  const sample = createSampler(valid, seed, id)
  return finite(8, (index, number) => {
    const draft = base(number)
    const value = sample(index)
    return isOfBody(where)
      ? { ...draft, body: withIdentity(context, value, number) }
      : { ...draft, parameters: { ...draft.parameters, [where.name]: value } }
  })
}

const schemaOf = ({ model }: MakerContext, where: Where): string | null =>
  isOfBody(where)
    ? (model.body?.media.schema ?? null)
    : (model.parameters.find(({ parameter }) => parameter.name === where.name && parameter.in === where.in)
        ?.parameter.schema ?? null)

const reference = (pointer: string): SchemaObject => ({ $ref: `#${encodeURI(pointer)}` })

const demandOf = (document: object, { keyword, branch, schema }: BranchSubject): SchemaObject => {
  if (keyword !== 'items') return alternative({ keyword, branch, schema })
  const { least, most } = lengthsOf(document, schema, branch)
  return { minItems: least, ...(Number.isFinite(most) ? { maxItems: most } : {}) }
}

const alternative = ({
  keyword,
  branch,
  schema,
}: Pick<BranchSubject, 'keyword' | 'branch' | 'schema'>): SchemaObject =>
  keyword === 'dependentSchemas'
    ? { required: [branch] }
    : branch === 'else'
      ? { not: reference(schema) }
      : reference(schema)

/** A schema that asks for a value at a place to be there, and for it to keep the demand. */
const along = (root: SchemaPlace, place: string, demand: SchemaObject): SchemaObject => {
  const names = steps(place)
  return names.reduceRight((inner, name, index) => {
    if (name !== '*') return { type: 'object', required: [name], properties: { [name]: inner } }
    const above = placeOf(root, names.slice(0, index).reduce(step, ''))
    return above?.types?.includes('array')
      ? { type: 'array', minItems: 1, items: inner }
      : { type: 'object', minProperties: 1, additionalProperties: inner }
  }, demand)
}
