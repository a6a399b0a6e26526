import {
  canBeName,
  creatorOf,
  isSameName,
  itemsIn,
  type Json,
  namingProperty,
  type Operation,
  type Outcome,
  propertyIn,
  type Resource,
  readJson,
  unwrapped,
  writeJson,
} from '../../spec/index.ts'
import type { ChainStep } from '../cases/case.ts'
import { hasDone } from '../judge/expected-status.ts'
import type { Instance } from '../pool/instance.ts'
import type { Sent } from '../send/lost-connections.ts'
import { type Maker, sendNamed } from './creator.ts'
import { mostTried, namesFirst, outerNames, valuesInPath } from './learned-names.ts'

/** After so many searches in vain, not every case looks again. */
const mostSearches = 3

/** So many resources are asked for what is below them. */
const mostParents = 5

type ListedName = Pick<Instance, 'property' | 'isGuessed'> & { readonly name: Json }

/** The name of what a list gives by a usual property of it; some lists give nothing but names. Null: it has none. */
const usualName = (resource: Resource, item: Json): ListedName | null => {
  const name = canBeName(item) ? item : propertyIn(resource, item)
  if (name === undefined) return null
  const property = namingProperty(unwrapped(item, resource.names) ?? null, resource.names)
  return { name, property, isGuessed: property !== null && !isSameName(property, resource.names[0] ?? '') }
}

/** Finds what a list gives, whoever created it; null if it cannot be listed, or the list is empty. */
export const createFinder = (
  makerOf: (operation: string) => Maker,
): ((resource: Resource) => Promise<Instance | null>) => {
  /** How often something of a kind was looked for in vain. */
  const searches = new Map<string, number>()
  /** The property by which what a list gives of a kind was found. */
  const learned = new Map<string, string>()

  /** The property of what a list gives by which it is found; null if it is found by none. */
  const nameByReading = async (
    { read, shape }: Resource,
    outer: readonly Json[],
    item: Json,
  ): Promise<ListedName | null> => {
    if (read === null) return null
    const names = namesFirst(item)
    const known = names.find(([property]) => property === learned.get(shape))
    if (known !== undefined) return { property: known[0], name: known[1], isGuessed: false }
    for (const [property, name] of names.slice(0, mostTried)) {
      const sent = await sendNamed(makerOf(read.id), [...outer, name])
      if (sent === null || sent.missing !== undefined || !hasDone(read, sent.outcome)) continue
      learned.set(shape, property)
      return { property, name, isGuessed: false }
    }
    return null
  }

  const instanceIn = (
    resource: Resource,
    { testCase, outcome }: Sent,
    outer: readonly Json[],
    { name, property, isGuessed }: ListedName,
  ): Instance => {
    searches.delete(resource.shape)
    const list = testCase.obligation.operation
    const step: ChainStep = { operation: list, request: testCase.request, outcome, role: 'find', name }
    const steps = [...(testCase.chain?.steps ?? []), step]
    const unknown = { sent: undefined, answered: undefined }
    return { resource, values: [...outer, name], property, isGuessed, steps, ...unknown, isOwn: false }
  }

  /** What is first in this answer to a list. */
  const firstIn = async (resource: Resource, list: Operation, sent: Sent): Promise<Instance | null> => {
    const [first] = itemsOf(list, sent.outcome)
    if (first === undefined) return null
    const outer = valuesInPath(makerOf(list.id).model, sent.testCase)
    const found = usualName(resource, first) ?? (await nameByReading(resource, outer, first))
    return found === null ? null : instanceIn(resource, sent, outer, found)
  }

  /** What is first in a list at another path, by the property by which it is found; null if it is found by none. */
  const listedElsewhere = async (resource: Resource, list: Operation): Promise<Instance | null> => {
    const maker = makerOf(list.id)
    if (resource.read === null || maker.valid === undefined) return null
    const sent = await maker.sender.send(maker.sender.validCase(maker.valid, 'plain'))
    const [first] = itemsOf(list, sent.outcome)
    const outer = first === undefined ? null : outerNames(resource, maker.model, sent, first)
    if (first === undefined || outer === null) return null
    const found = await nameByReading(resource, outer, first)
    return found === null ? null : instanceIn(resource, sent, outer, found)
  }

  const find = async (resource: Resource): Promise<Instance | null> => {
    const { list, likelyList } = resource
    const maker = list === null ? null : makerOf(list.id)
    if (maker?.valid === undefined && likelyList === null) return null
    // What nobody creates may be there later, but hardly in each of many cases.
    const count = (searches.get(resource.shape) ?? 0) + 1
    searches.set(resource.shape, count)
    if (creatorOf(resource) === null && count > mostSearches && !Number.isInteger(Math.log2(count)))
      return null
    if (maker?.valid === undefined || list === null)
      return likelyList === null ? null : listedElsewhere(resource, likelyList)
    const sent = await maker.sender.send(maker.sender.validCase(maker.valid, 'plain'))
    return (await firstIn(resource, list, sent)) ?? (await findElsewhere(resource, list, sent))
  }

  /** What is below other resources around it, if nothing is below this one and nobody creates any. */
  const findElsewhere = async (
    resource: Resource,
    list: Operation,
    { testCase, missing }: Sent,
  ): Promise<Instance | null> => {
    const { parent } = resource
    const above = parent?.list == null ? null : makerOf(parent.list.id)
    if (
      parent === null ||
      above?.valid === undefined ||
      creatorOf(resource) !== null ||
      missing !== undefined
    )
      return null
    const asked = valuesInPath(makerOf(list.id).model, testCase)
    const outer = asked.slice(0, -1)
    const all = await sendNamed(above, outer)
    if (all === null || all.missing !== undefined) return null
    const names = itemsOf(parent.list as Operation, all.outcome).map(item =>
      canBeName(item) ? item : propertyIn(parent, item),
    )
    const others = names.filter(
      name => name !== undefined && writeJson(name) !== writeJson(asked.at(-1) ?? null),
    )
    for (const name of others.slice(0, mostParents)) {
      const sent = await sendNamed(makerOf(list.id), [...outer, name as Json])
      const found = sent === null || sent.missing !== undefined ? null : await firstIn(resource, list, sent)
      if (found !== null) return found
    }
    return null
  }

  return find
}

const itemsOf = (list: Operation, outcome: Outcome): readonly Json[] => {
  const reading =
    outcome.kind === 'response' && hasDone(list, outcome) ? readJson(outcome.response.body) : null
  return reading?.ok === true ? (itemsIn(reading.value, list.path) ?? []) : []
}
