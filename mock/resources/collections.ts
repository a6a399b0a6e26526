import {
  isNumber,
  isObject,
  type Json,
  numberText,
  propertyPlace,
  rawNumber,
  type SchemaPlace,
  writeJson,
} from '../../spec/index.ts'
import { chance } from '../chance/hash.ts'
import type { Engine } from '../engine/engine.ts'
import { memoized, perObject } from '../memo.ts'
import type { OperationRules, RulesFor } from '../rules/list-rule.ts'
import { createIdentities, mainSeed } from './identities.ts'
import { documentedItems, type Instances } from './instances.ts'

/** All resources that the lists of an operation give: a fixed whole, of which each request sees a part. */
export type Collection = {
  readonly size: number
  /** So many of them, the first ones, are examples of the document. */
  readonly documented: number
  readonly itemAt: (index: number) => Promise<Json>
  /** -1: nothing in it has this name. */
  readonly indexOf: (name: Json) => number
}

export type Collections = (request: CollectionRequest) => Collection

export type CollectionRequest = {
  readonly rules: OperationRules
  /** What all made-up values follow from; empty unless a client prefers a seed. */
  readonly world: string
  /** What the request sent for parameters that no rule is about: it asks for other resources. */
  readonly salt: string
  /** The values in the path, from the left. */
  readonly outer: readonly Json[]
  readonly isDynamic: boolean
}

/** Without a parameter for the size of a page. */
const usualSize = 20
const unpagedSize = 8
/** The number of all items that an example may say; without pages, all of them are in one list. */
const mostDocumented = 10_000
const mostUnpaged = 50

/** Resources of so many places or more are large: of these, lists have few, as each takes milliseconds and kilobytes. */
const largeInstance = 150
const fewLarge = 6

/** So many wholes are kept. */
const mostCollections = 200

export const createCollections = (engine: Engine, instances: Instances, rulesFor: RulesFor): Collections => {
  const identitiesOf = perObject((rules: OperationRules) => createIdentities(engine, rules))
  const documentedOf = perObject((rules: OperationRules) => documentedItems(engine, rules, rulesFor))

  const make = ({ parts: { rules }, data: { world, salt, outer, isDynamic } }: Inputs): Collection => {
    const { operation, identity } = rules
    const about = `${world} ${rules.resource?.shape ?? operation.id} ${salt} ${writeJson(outer)}`
    const names = parametersIn(operation.path)
    const fixed = filled(
      rules,
      Object.fromEntries(names.map((name, index) => [name, outer[index] ?? null])),
      false,
    )
    const { items: all, total } = documentedOf(rules)
    const documented = isDynamic || salt !== '' ? [] : all
    const identities = identitiesOf(rules)
    const size = Math.min(
      identities.most,
      sizeOf(rules, documented.length, isDynamic || salt !== '' ? null : total),
    )
    const seed = world === '' && salt === '' && outer.length === 0 ? mainSeed : about
    const idents =
      identity === null ? [] : namesOf(documented, identity, size, index => identities.at(seed, index))
    const indexes = new Map(idents.map((name, index) => [name === undefined ? '' : keyOf(name), index]))
    return {
      size,
      documented: documented.length,
      indexOf: name => indexes.get(keyOf(name)) ?? -1,
      itemAt: async index => {
        const known = documented[index]
        if (known !== undefined) return isObject(known) ? { ...known, ...presentIn(known, fixed) } : known
        const name = idents[index]
        const given = name === undefined || identity === null ? fixed : { ...fixed, [identity]: name }
        const own = name === undefined ? `${about} ${index}` : instanceSeed(rules, world, name)
        return instances.make(rules, { seed: own, turn: index, fixed: given, isDynamic })
      },
    }
  }
  const made = memoized(mostCollections, make)
  return ({ rules, ...data }) => made({ parts: { rules }, data })
}

type Inputs = {
  readonly parts: Pick<CollectionRequest, 'rules'>
  readonly data: Omit<CollectionRequest, 'rules'>
}

/** Those of the documented items first, and no name twice. */
const namesOf = (
  documented: readonly Json[],
  identity: string,
  size: number,
  at: (index: number) => Json | undefined,
): readonly (Json | undefined)[] => {
  const names = documented.map(item => (isObject(item) ? item[identity] : undefined))
  const taken = new Set(names.map(name => (name === undefined ? '' : keyOf(name))))
  for (let index = 0; names.length < size && index < size * 2; index++) {
    const name = at(index)
    if (name !== undefined && taken.has(keyOf(name))) continue
    if (name !== undefined) taken.add(keyOf(name))
    names.push(name)
  }
  return names
}

/** From the name of a resource alone: what reads it knows no more. */
export const instanceSeed = ({ resource, operation }: OperationRules, world: string, name: Json): string =>
  `${world} ${resource?.shape ?? operation.id} ${keyOf(name)}`

/** The turn of a resource that is in no list. */
export const turnOfName = (name: Json): number => chance(keyOf(name))

/** A name as a path has it: the number 7 and the text "7" are the same there. */
export const keyOf = (name: Json): string => (typeof name === 'string' ? name : writeJson(name))

const presentIn = (item: Readonly<Record<string, Json>>, fixed: Readonly<Record<string, Json>>) =>
  Object.fromEntries(Object.entries(fixed).filter(([name]) => Object.hasOwn(item, name)))

const sizeOf = (
  { list, query, operation, contract }: OperationRules,
  documented: number,
  total: number | null,
): number => {
  const limit = (keyword: string): number | undefined => {
    const value = list?.list.keywords.find(use => use.keyword === keyword)?.value
    return typeof value === 'number' ? value : undefined
  }
  const isPaged = query.some(({ kind }) => kind !== 'filter' && kind !== 'sort' && kind !== 'direction')
  const least = Math.max(documented, limit('minItems') ?? 0)
  if (total !== null && total >= least && (isPaged || total <= mostUnpaged))
    return Math.min(total, mostDocumented)
  if (!isPaged)
    return documented > 0 ? least : Math.max(least, Math.min(unpagedSize, limit('maxItems') ?? unpagedSize))
  if (list?.item != null && isLarge(list.item)) return Math.max(least, fewLarge)
  const size = pageSizeOf({ query, operation, contract }) ?? usualSize
  return Math.max(least, Math.min(300, Math.max(24, 3 * size - 3)))
}

const isLarge = (item: SchemaPlace): boolean => {
  let places = 0
  const visit = (place: SchemaPlace): boolean => {
    places += 1
    return places >= largeInstance || place.children.some(visit)
  }
  return visit(item)
}

/** The declared default of the parameter that sets the size of a page. */
export const pageSizeOf = ({
  query,
  operation,
  contract,
}: Pick<OperationRules, 'query' | 'operation' | 'contract'>): number | null => {
  const rule = query.find(({ kind }) => kind === 'size')
  const value = rule === undefined ? undefined : defaultOf({ operation, contract }, rule.parameter)
  return typeof value === 'number' ? value : null
}

/** The default that the document declares for a parameter. */
export const defaultOf = (
  { operation, contract }: Pick<OperationRules, 'operation' | 'contract'>,
  name: string,
): Json | undefined => {
  const parameter = operation.parameters.find(
    candidate => candidate.name === name && candidate.in === 'query',
  )
  if (parameter?.schema == null) return undefined
  return contract.exact(`${parameter.schema}/default`)
}

type Values = Readonly<Record<string, Json>>

/** The properties that the path gives what a response shows. `withIdentity`: also that by which the resource is named. */
export const filled = (
  { path, instance, identityPlace }: OperationRules,
  parameters: Values,
  withIdentity: boolean,
): Values =>
  Object.fromEntries(
    path.flatMap(({ parameter, property, isIdentity }) => {
      const value = parameters[parameter]
      const place = isIdentity ? identityPlace : instance === null ? null : propertyPlace(instance, property)
      if (value === undefined || place == null || (isIdentity && !withIdentity)) return []
      return [[property, asTyped(value, place)] as const]
    }),
  )

/** A name as the schema of a property writes it: a number in the path may be a text in the body. */
export const asTyped = (value: Json, { readAs }: SchemaPlace): Json => {
  if (readAs === null) return value
  if (isNumber(value) && !readAs.some(type => type === 'integer' || type === 'number'))
    return numberText(value)
  if (typeof value === 'string' && !readAs.includes('string') && /^-?(0|[1-9]\d*)$/.test(value))
    return rawNumber(value)
  return value
}

/** The names of the parameters in a path, from the left. */
export const parametersIn = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)

/** The values of the parameters in the path of an operation, from the left. */
export const pathValuesOf = ({ operation }: OperationRules, parameters: Values): readonly Json[] =>
  parametersIn(operation.path).map(name => parameters[name] ?? null)
