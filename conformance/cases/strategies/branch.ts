import {
  compileGenerator,
  createSampler,
  type Generator,
  type SchemaObject,
} from '../../../generator/index.ts'
import { isOfBody, type Json, lengthsOf, placeOf, type Subject } from '../../../spec/index.ts'
import type { RequestSpec } from '../case.ts'
import { lazily } from '../operation-model.ts'
import { reference, requiredAt } from '../required-at.ts'
import { parameterAt, rootOf, withIdentity, withValueAt } from './edit-spec.ts'
import {
  finiteStrategy,
  type PlainSpec,
  type Strategy,
  type StrategyContext,
  type Unsupported,
} from './strategy.ts'

type BranchSubject = Extract<Subject, { kind: 'branch' }>

const size = 8

/**
 * Valid values that take one branch of a keyword. They are generated for the place of the keyword and put into a plain request. If that
 * makes no valid request, whole values are generated: in a large contract that takes a hundred times as long.
 */
export const branchStrategy = (
  context: StrategyContext,
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
  const branch = branchSchema(document, subject)
  const place = placeOf(root, location.place)
  const atPlace = place === null ? null : fewValues([...place.schemas.map(reference), branch], document, seed)
  const ofAll = lazily(() =>
    fewValues([reference(whole), requiredAt(root, location.place, branch)], document, seed),
  )

  const composed = (index: number, number: number): RequestSpec | null => {
    if (atPlace === null || 'unsupported' in atPlace) return null
    const spec = withValueAt(context, plain(number), location, atPlace[index % size] as Json, number)
    return spec !== null && isValid(context, location, spec) ? spec : null
  }
  if (composed(0, 0) === null) {
    const values = ofAll()
    if ('unsupported' in values)
      return { unsupported: `no value can be generated for this alternative: ${values.unsupported}` }
  }
  return finiteStrategy(size, (index, number) => {
    const spec = composed(index, number)
    if (spec !== null) return spec
    const values = ofAll()
    if ('unsupported' in values) return null
    const value = values[index % size] as Json
    const other = plain(number)
    return isOfBody(location)
      ? { ...other, body: withIdentity(context, value, number) }
      : { ...other, parameters: { ...other.parameters, [location.name]: value } }
  })
}

type Values = readonly Json[] | { readonly unsupported: string }

/**
 * Values that are valid against all these schemas. A large contract has the same branch at a hundred places. Only the values are kept, as
 * a generator may hold megabytes.
 */
const fewValues = (allOf: readonly SchemaObject[], document: object, seed: number): Values => {
  const known = valuesIn.get(document) ?? new Map<string, Values>()
  valuesIn.set(document, known)
  const key = JSON.stringify([seed, allOf])
  const values = known.get(key) ?? drawFew(compileGenerator({ allOf }, document), seed, key)
  known.set(key, values)
  return values
}

const valuesIn = new WeakMap<object, Map<string, Values>>()

const drawFew = ({ valid }: Generator, seed: number, name: string): Values => {
  if ('unsupported' in valid) return valid
  const sample = createSampler(valid, seed, name)
  return Array.from({ length: size }, (_, index) => sample(index))
}

const isValid = (
  { model }: StrategyContext,
  location: BranchSubject['location'],
  { body, parameters }: RequestSpec,
): boolean => {
  if (isOfBody(location)) return body !== undefined && model.isValidBody(body)
  const value = parameters[location.name]
  return value !== undefined && parameterAt(model, location)?.isValid(value) === true
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
