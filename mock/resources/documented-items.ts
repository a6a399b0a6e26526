import { isObject, type Json, jsonMedia, summaryKind } from '../../spec/index.ts'
import { compiledOperation, type Engine } from '../engine/engine.ts'
import { lastOf } from '../rules/list-place.ts'
import type { OperationRules, RulesFor } from '../rules/rule.ts'
import { instanceIn, listIn, validatorOf } from './instances.ts'

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
