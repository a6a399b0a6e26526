import {
  isObject,
  type Json,
  jsonMedia,
  plainValue,
  type SchemaPlace,
  steps,
  summaryKind,
  type Validate,
  valueAt,
} from '../../spec/index.ts'
import { chance } from '../chance/hash.ts'
import { statusOf } from '../engine/compiled-response.ts'
import { compiledOperation, type Engine } from '../engine/engine.ts'
import { sampleOf } from '../engine/samples.ts'
import { memoized, perObject } from '../memo.ts'
import { lastOf, type OperationRules, type RulesFor } from '../rules/list-rule.ts'
import { withoutExample } from '../values/fresh-values.ts'
import { fillRequired } from '../values/repaired.ts'

/** Makes up resources that follow from their seeds alone, so that a list and what reads one of its items give the same. */
export type Instances = {
  /** A resource as the response to an operation has it. `turn`: its number among its kind; `fixed`: properties that are given. */
  readonly make: (rules: OperationRules, request: InstanceRequest) => Promise<Json>
}

export type InstanceRequest = {
  readonly seed: string
  readonly turn: number
  readonly fixed: Readonly<Record<string, Json>>
  /** Whether examples of the document are left out. */
  readonly isDynamic: boolean
}

/** Resources are made from the parts of so many samples of a response. */
const samplesOfEach = 4

/** Large ones are varied enough in themselves, and take long to make. */
const enoughCharacters = 50_000

/** All resources that are kept; made again if they are asked for later. */
const mostInstances = 5000

export const createInstances = (engine: Engine): Instances => {
  const structuresOf = perObject(async (rules: OperationRules): Promise<readonly Json[]> => {
    const { operation, declared, root, instance, list } = rules
    const found: Json[] = []
    let characters = 0
    for (let variant = 0; variant < samplesOfEach; variant++) {
      const { body, size } = await sampleOf(
        engine,
        operation,
        declared,
        statusOf(declared, 200),
        'random',
        variant,
      )
      const part = list !== null ? listIn(body, list.path) : [instanceIn(body, root, instance)]
      found.push(...part.filter(value => value !== undefined))
      characters += size
      if (characters > enoughCharacters && found.length > 0) break
    }
    return found.length > 0 || instance === null ? found : [fillRequired(instance, plainValue(instance))]
  })

  const makeNew = async ({
    parts: { rules },
    data: { seed, turn, fixed, isDynamic },
  }: InstanceInputs): Promise<Json> => {
    const { instance } = rules
    const all = await structuresOf(rules)
    const structure = all[chance(seed) % all.length] ?? null
    if (instance === null) return structure
    const examplesOf = isDynamic ? () => [] : engine.examples.at
    const fresh = withoutExample(structure, instance, seed, {
      makers: await engine.makers(),
      examplesOf,
      turn,
    })
    const validate = validatorOf(engine, instance)
    const whole = withFixed(fresh, fixed)
    const violations = validate(whole)
    if (violations.length === 0) return inDeclaredOrder(whole, instance)
    const wrong = new Set(violations.map(({ at }) => steps(at)[0]))
    for (const candidate of candidates(instance, fresh, structure, fixed, wrong))
      if (validate(candidate).length === 0) return inDeclaredOrder(candidate, instance)
    return structure
  }

  const made = memoized(mostInstances, makeNew)
  return { make: (rules, request) => made({ parts: { rules }, data: request }) }
}

type InstanceInputs = { readonly parts: { readonly rules: OperationRules }; readonly data: InstanceRequest }

/** Resources to try if the one with all given properties is invalid, the best first. `wrong`: its invalid properties. */
function* candidates(
  instance: SchemaPlace,
  fresh: Json,
  structure: Json,
  fixed: InstanceRequest['fixed'],
  wrong: ReadonlySet<string | undefined>,
): Generator<Json> {
  // A name in the path may be that of another property, or of an object.
  const right = Object.entries(fixed).filter(([name]) => !wrong.has(name))
  if (right.length < Object.keys(fixed).length) yield withFixed(fresh, Object.fromEntries(right))
  for (const [name, value] of Object.entries(fixed)) yield withFixed(fresh, { [name]: value })
  yield fillRequired(instance, withFixed(fresh, fixed))
  yield withFixed(structure, fixed)
}

/** With its properties as the document lists them. */
export const inDeclaredOrder = (value: Json, { properties }: SchemaPlace): Json =>
  isObject(value)
    ? Object.fromEntries(
        [...properties.filter(name => Object.hasOwn(value, name)), ...Object.keys(value)].map(name => [
          name,
          value[name] as Json,
        ]),
      )
    : value

export const validatorOf = ({ contract }: Engine, { schemas }: SchemaPlace): Validate =>
  contract.responses.schemas.validator(schemas[0] ?? '')

export const withFixed = (value: Json, fixed: Readonly<Record<string, Json>>): Json =>
  isObject(value) ? { ...value, ...fixed } : value

/** The items of a list at a path in a body. */
const listIn = (body: Json | undefined, path: readonly string[]): readonly Json[] => {
  const list = path.reduce<Json | undefined>(
    (value, name) => (value !== undefined && isObject(value) ? value[name] : undefined),
    body,
  )
  return Array.isArray(list) ? list : []
}

/** The resource in a body: the body itself, or the one object that the contract has there. */
export const instanceIn = (
  body: Json | undefined,
  root: SchemaPlace | null,
  instance: SchemaPlace | null,
): Json | undefined =>
  body === undefined || root === null || instance === null || instance.pattern === root.pattern
    ? body
    : (valueAt(body, instance.pattern) as Json | undefined)

export type DocumentedItems = {
  readonly items: readonly Json[]
  /** What the example says is the number of all items; null: nothing. */
  readonly total: number | null
}

/** The items that the document itself shows: in an example of the list, else of what reads one, else of the schema. */
export const documentedItems = (
  engine: Engine,
  rules: OperationRules,
  rulesFor: RulesFor,
): DocumentedItems => {
  const { list, declared, instance } = rules
  const media = jsonMedia(declared.media)
  const example = media === null ? undefined : engine.examples.named(media.pointer, media.type, null)
  const listed = listIn(example, list?.path ?? [])
  if (listed.length > 0) return { items: listed, total: totalIn(example) ?? exampleTotal(engine, rules) }
  const read = exampleOfRead(engine, rules, rulesFor)
  const found = read !== undefined ? [read] : instance === null ? [] : engine.examples.at(instance)
  return {
    items: found.filter(item => instance !== null && validatorOf(engine, instance)(item).length === 0),
    total: exampleTotal(engine, rules),
  }
}

/** What the example of a single resource shows of it in a list. */
const exampleOfRead = (
  engine: Engine,
  { resource, instance }: OperationRules,
  rulesFor: RulesFor,
): Json | undefined => {
  const read = resource?.read ?? null
  const success = read === null ? null : compiledOperation(engine, read).success
  const media = success === null ? null : jsonMedia(success.media)
  if (read === null || success === null || media === null || instance === null) return undefined
  const { root, instance: whole } = rulesFor(read, success)
  const example = instanceIn(engine.examples.named(media.pointer, media.type, null), root, whole)
  if (example === undefined || !isObject(example)) return undefined
  return Object.fromEntries(Object.entries(example).filter(([name]) => instance.properties.includes(name)))
}

/** What the example of a property or a header says is the number of all items. */
const exampleTotal = (engine: Engine, { list, declared }: OperationRules): number | null => {
  const isTotal = (name: string): boolean => summaryKind(name) === 'total'
  const header = declared.headers.find(({ name }) => isTotal(name))
  const property = list?.root.children.find(({ pattern }) => isTotal(lastOf(pattern)))
  const [example] = property === undefined ? [] : engine.examples.at(property)
  const total =
    example ?? (header === undefined ? undefined : engine.examples.named(header.pointer, null, null))
  return typeof total === 'number' ? total : null
}

const totalIn = (body: Json | undefined): number | null => {
  if (body === undefined || !isObject(body)) return null
  for (const [name, value] of Object.entries(body)) {
    if (summaryKind(name) === 'total' && typeof value === 'number') return value
    if (isObject(value) && totalIn(value) !== null) return totalIn(value)
  }
  return null
}
