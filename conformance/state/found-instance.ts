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

/** Finds what a list gives, whoever created it; null if it cannot be listed, or the list is empty. */
export const createFinder = (
  makerOf: (operation: string) => Maker,
): ((resource: Resource) => Promise<Instance | null>) => {
  /** How often something of a kind was looked for in vain. */
  const searches = new Map<string, number>()

  /** What is first in this answer to a list. */
  const firstIn = (resource: Resource, list: Operation, { testCase, outcome }: Sent): Instance | null => {
    const [first] = itemsOf(list, outcome)
    // Some lists give nothing but names.
    const name = canBeName(first) ? first : propertyIn(resource, first)
    if (first === undefined || name === undefined) return null
    searches.delete(resource.shape)
    const step: ChainStep = { operation: list.id, request: testCase.request, outcome, role: 'find', name }
    const property = namingProperty(unwrapped(first, resource.names) ?? null, resource.names)
    return {
      resource,
      values: [...valuesInPath(makerOf(list.id).model, testCase), name],
      property,
      isGuessed: property !== null && !isSameName(property, resource.names[0] ?? ''),
      steps: [...(testCase.chain?.steps ?? []), step],
      sent: undefined,
      answered: undefined,
      isOwn: false,
    }
  }

  /** What is first in a list at another path, by the property by which it is found; null if it is found by none. */
  const listedElsewhere = async (resource: Resource, list: Operation): Promise<Instance | null> => {
    const { read, shape } = resource
    const maker = makerOf(list.id)
    if (read === null || maker.valid === undefined) return null
    const sent = await maker.sender.send(maker.sender.validCase(maker.valid, 'plain'))
    const [first] = itemsOf(list, sent.outcome)
    const outer = first === undefined ? null : outerNames(resource, maker.model, sent, first)
    if (first === undefined || outer === null) return null
    for (const [property, name] of namesFirst(first).slice(0, mostTried)) {
      const values = [...outer, name]
      const again = await sendNamed(makerOf(read.id), values)
      if (again === null || again.missing !== undefined || !hasDone(read, again.outcome)) continue
      searches.delete(shape)
      const { testCase, outcome } = sent
      const step: ChainStep = { operation: list.id, request: testCase.request, outcome, role: 'find', name }
      const steps = [...(testCase.chain?.steps ?? []), step]
      const known = { sent: undefined, answered: undefined, isOwn: false }
      return { resource, values, property, isGuessed: false, steps, ...known }
    }
    return null
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
    return firstIn(resource, list, sent) ?? (await findElsewhere(resource, list, sent))
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
      const found = sent === null || sent.missing !== undefined ? null : firstIn(resource, list, sent)
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
