import {
  creatorOf,
  isUserChange,
  type Operation,
  plainName,
  type Resource,
  resourcesOf,
} from '../../spec/index.ts'
import { isNeededElsewhere, wordsIn } from '../pool/needed-elsewhere.ts'
import { type RunSession, testedOperations } from '../session/session.ts'

/** How many names of what exists are in the path of an operation. */
export const namesIn = ({ options, operations }: RunSession, id: string): number => {
  const model = operations.get(id)?.model
  return model === undefined ? 0 : resourcesOf(options.contract).namesIn(model.operation).length
}

/**
 * The operations that are tried at the same time. Those that create resources come before those that ask for them, and these before those that
 * may remove what others need, and those that change users only when it is known whose the credentials are. Resources that no other operation speaks of come late: if one of them breaks the service, less is lost.
 */
export const wavesOf = (session: RunSession): readonly (readonly { readonly id: string }[])[] => {
  const isUnneeded = unneededIn(session)
  const listedWave = listedWaves(session)
  const { createdBy } = resourcesOf(session.options.contract)
  const isOfUsers = (id: string): boolean => {
    const operation = session.operations.get(id)?.model.operation
    return operation !== undefined && isUserChange(operation) && createdBy(operation) === null
  }
  const waveOf = ({ id }: { readonly id: string }): number =>
    session.scope.destructive.has(id)
      ? last
      : (listedWave(id) ?? namesIn(session, id) + (isUnneeded(id) || isOfUsers(id) ? late : 0))
  const sorted = operationsToTry(session).toSorted((left, right) => waveOf(left) - waveOf(right))
  return [...Map.groupBy(sorted, waveOf).values()]
}

/** After those that are needed, and after all others, however many names these have. */
const [late, last] = [500, 1_000]
/** What has one of the names that the document lists comes after all that is created, and what asks for it after that. */
const listedLate = { create: 700, item: 701 } as const

/**
 * The wave of operations on resources whose names the document lists, if nothing else needs these: such a rule or setting may change what others
 * are answered.
 */
const listedWaves = ({ options: { contract }, operations }: RunSession): ((id: string) => number | null) => {
  const graph = resourcesOf(contract)
  const makerOf = (id: string) => operations.get(id)
  const waves = new Map<string, number>()
  for (const listed of graph.listed) {
    if (isNeededElsewhere(listed, { graph, operations: contract.operations, makerOf })) continue
    const { create, read, replace, change, remove } = listed.resource
    if (create !== null) waves.set(create.id, listedLate.create)
    for (const item of [read, replace, change, remove])
      if (item !== null) waves.set(item.id, create === null ? listedLate.create : listedLate.item)
  }
  return id => waves.get(id) ?? null
}

/** Tells the operations on resources of which no operation on other resources speaks, in a parameter or a property of its body. */
const unneededIn = (session: RunSession): ((id: string) => boolean) => {
  const { contract } = session.options
  const graph = resourcesOf(contract)
  const roots = new Set(graph.resources.map(outermost))
  const familyOf = (operation: Operation): Resource | null =>
    graph.namesIn(operation)[0]?.resource ??
    [...roots].find(({ path }) => `${operation.path}/`.startsWith(path.slice(0, path.lastIndexOf('{')))) ??
    null
  /** What is spoken of, and on which resources; null: on none. */
  const speakers = new Map<string, Set<Resource | null>>()
  const families = new Map<string, Resource | null>()
  for (const [id, { model }] of session.operations) {
    const family = familyOf(model.operation)
    families.set(id, family)
    for (const word of wordsIn(model)) speakers.set(word, (speakers.get(word) ?? new Set()).add(family))
  }
  const isSpokenOf = (family: Resource): boolean =>
    graph.resources
      .filter(resource => outermost(resource) === family)
      .map(({ noun }) => plainName(noun))
      .some(noun =>
        [...speakers].some(([word, of]) => word.startsWith(noun) && [...of].some(other => other !== family)),
      )
  const unneeded = new Set([...new Set(families.values())].filter(each => each !== null && !isSpokenOf(each)))
  return id => unneeded.has(families.get(id) ?? null)
}

const outermost = (resource: Resource): Resource =>
  resource.parent === null ? resource : outermost(resource.parent)

/** The operations to try: those that are tested, and those that create what they ask for, if a valid request can be made for them. */
const operationsToTry = (session: RunSession): readonly { readonly id: string }[] => {
  const all = testedOperations(session).map(({ model }) => model.operation)
  const others = all.filter(({ id }) => !session.scope.acting.has(id))
  const tested = others.length > 0 ? others : all
  const { namesIn: names } = resourcesOf(session.options.contract)
  const creators = tested
    .flatMap(names)
    .flatMap(({ resource }) => creatorOf(resource) ?? [])
    .filter(operation => !tested.includes(operation))
  return [...tested, ...new Set(creators)].filter(({ id }) => session.operations.get(id)?.valid !== undefined)
}
