import type { Contract, Method, Operation } from '../contract/contract.ts'
import { asNode, follow } from '../json/follow-refs.ts'
import { localReference, step } from '../json/pointer.ts'
import { jsonMedia } from '../obligations/operation-context.ts'
import { placesOf } from '../schema/locations.ts'
import { createElsewhere } from './elsewhere.ts'
import { likelyCreator } from './likely-creator.ts'
import { listedResources } from './listed.ts'
import { identityNames, isCreationWord, isIdentityWord } from './names.ts'
import { isFixed, lastName, outerPath, prefixesOf } from './path-names.ts'
import {
  creatorOf,
  type LinkedValue,
  nounIn,
  type PathName,
  type Resource,
  type ResourceGraph,
  shapeOf,
  singularIn,
  withoutFormat,
  wordsOf,
} from './resource.ts'

/** A link of a response: where the values of the parameters of another operation are (OpenAPI 3.1, Link Object). */
type Link = {
  readonly from: Operation
  readonly status: string
  readonly to: Operation
  /** Runtime expressions by the name of the parameter. */
  readonly parameters: Readonly<Record<string, string>>
}

/** The links of a contract that lead to one of its operations. */
const linksOf = ({ document, operations }: Contract): readonly Link[] =>
  operations.flatMap(from =>
    from.responses.flatMap(({ status, pointer }) => {
      const at = step(pointer, 'links')
      return Object.keys(asNode(follow(document, at).node)).flatMap(name => {
        const { node } = follow(document, step(at, name))
        const to = operations.find(operation => isTarget(operation, node))
        return to === undefined ? [] : [{ from, status, to, parameters: expressionsIn(node.parameters) }]
      })
    }),
  )

const isTarget = (
  { id, pointer }: Operation,
  { operationId, operationRef }: Readonly<Record<string, unknown>>,
): boolean =>
  typeof operationId === 'string'
    ? operationId === id
    : typeof operationRef === 'string' && localReference(operationRef) === pointer

/** By the bare name: `path.id` says where the parameter is. Values that are no expressions are the same for all resources. */
const expressionsIn = (parameters: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(asNode(parameters)).flatMap(([name, value]) =>
      typeof value === 'string' && value.includes('$') ? [[name.replace(/^path\./, ''), value] as const] : [],
    ),
  )

/** Finds the resources of a contract by the paths and links of its operations; once for each contract. */
export const resourcesOf = (contract: Contract): ResourceGraph => {
  const graph = known.get(contract) ?? graphOf(contract)
  known.set(contract, graph)
  return graph
}

const known = new WeakMap<Contract, ResourceGraph>()

const graphOf = (contract: Contract): ResourceGraph => {
  // Resources at other servers are none of these.
  const operations = contract.operations.filter(({ servers }) => servers === null)
  // If there is `/things` as well as `/things.json`, the one without a format counts.
  const byPlace = new Map(
    operations
      .toSorted((left, right) => Number(hasFormat(right.path)) - Number(hasFormat(left.path)))
      .map(operation => [`${operation.method} ${shapeOf(operation.path)}`, operation]),
  )
  const links = linksOf(contract)
  const named = new Set(operations.flatMap(({ path }) => prefixesOf(path)).map(shapeOf))
  /** Those that are not declared to create anything. */
  const candidates = operations.filter(({ path }) => !named.has(`${shapeOf(path)}/{}`))
  const elsewhere = createElsewhere(contract, candidates)
  const resources = new Map<string, Resource>()

  const resourceAt = (path: string): Resource | null => {
    if (path === '') return null
    const shape = shapeOf(path)
    const resource = resources.get(shape) ?? resourceWith(path)
    resources.set(shape, resource)
    return resource
  }

  const resourceWith = (path: string): Resource => {
    const shape = shapeOf(path)
    const at = (method: Method, place = shape): Operation | null => byPlace.get(`${method} ${place}`) ?? null
    const collection = shape.slice(0, -'/{}'.length)
    const ofLinks = linkedValues(path)
    const linked = (method: Method): Operation | null =>
      operations.find(
        ({ id, method: of, path: from }) => of === method && ofLinks.has(id) && !isBelow(from, shape),
      ) ?? null
    const create = at('POST', collection) ?? linked('POST')
    const replace = at('PUT')
    const [read, remove] = [at('GET'), at('DELETE')]
    const isUncreated = (create ?? replace) === null
    const others = isUncreated ? elsewhere(path, read) : null
    // What posts to the path of a resource may be what makes it: `POST /queues/{name}`.
    const post = (read ?? remove) === null ? null : at('POST')
    const likely = isUncreated ? (likelyCreator(contract, candidates, path) ?? post) : null
    const list = listing(at('GET', collection)) ?? listing(linked('GET'))
    const isCreatedByPost =
      create === null && replace !== null && post !== null && isCreation(post) && !isCreation(replace)
    return {
      shape,
      path,
      parent: resourceAt(outerPath(path)),
      names: namesFor(path),
      noun: nounIn(path),
      create,
      likelyCreate: isCreatedByPost ? post : (likely ?? others?.creators[0] ?? null),
      alsoCreate: likely === null ? (others?.creators.slice(1) ?? []) : [],
      list,
      likelyList: list === null ? (others?.list ?? null) : null,
      read,
      replace,
      change: at('PATCH'),
      remove,
      links: ofLinks,
    }
  }

  /** What links say of the last parameter of a path. */
  const linkedValues = (path: string): ReadonlyMap<string, readonly LinkedValue[]> => {
    const found = new Map<string, LinkedValue[]>()
    for (const { from, status, to, parameters } of links) {
      const prefix = prefixesOf(to.path).find(candidate => shapeOf(candidate) === shapeOf(path))
      const expression = prefix === undefined ? undefined : parameters[lastName(prefix)]
      if (expression !== undefined)
        found.set(from.id, [...(found.get(from.id) ?? []), { status, expression }])
    }
    return found
  }

  const listing = (operation: Operation | null): Operation | null =>
    operation !== null && isList(contract, operation) ? operation : null

  const names = new Map(
    operations.map(operation => [operation.id, namesOf(contract, operation, resourceAt)] as const),
  )
  // What is made can be asked for at several paths: by the one at which it can be removed.
  const inOrder = [...resources.values()].toSorted(
    (one, other) => Number(one.remove !== null) - Number(other.remove !== null),
  )
  const creators = new Map([
    ...inOrder.flatMap(resource => resource.alsoCreate.map(({ id }) => [id, resource] as const)),
    ...inOrder.flatMap(resource => {
      const creator = creatorOf(resource)
      return creator === null ? [] : [[creator.id, resource] as const]
    }),
  ])
  const listed = listedResources(contract, operations, resourceWith)
  const listedCreators = new Map(
    [...listed.values()].map(each => [(each.resource.create ?? each.resource.replace)?.id, each] as const),
  )
  return {
    resources: [...resources.values()],
    namesIn: ({ id }) => names.get(id) ?? [],
    createdBy: ({ id }) => creators.get(id) ?? null,
    listed: [...listed.values()],
    listedNamesIn: ({ path, servers }) => {
      const found = servers === null ? listed.get(shapeOf(path)) : undefined
      return found === undefined
        ? []
        : prefixesOf(path).map((prefix, index, all) => ({
            parameter: lastName(prefix),
            resource: index === all.length - 1 ? found.resource : (resourceAt(prefix) as Resource),
          }))
    },
    listedBy: ({ id }) => listedCreators.get(id) ?? null,
  }
}

const namesOf = (
  contract: Contract,
  operation: Operation,
  resourceAt: (path: string) => Resource | null,
): readonly PathName[] => {
  const found: PathName[] = []
  for (const prefix of prefixesOf(operation.path)) {
    const parameter = lastName(prefix)
    const resource = isFixed(contract, operation, parameter) ? null : resourceAt(prefix)
    // What is below a choice that the document lists is the same for all resources.
    if (resource === null) return []
    found.push({ parameter, resource })
  }
  return found
}

/** Whether the id of an operation says that it creates something: `createKeySet`. */
const isCreation = ({ id }: Operation): boolean => wordsOf(id).some(isCreationWord)

const hasFormat = (path: string): boolean => withoutFormat(path) !== path

const isBelow = (path: string, shape: string): boolean =>
  shapeOf(path) === shape || shapeOf(path).startsWith(`${shape}/`)

/** `orderName` for `/orders/{orderName}`, then `name`, and then what such properties are usually called. */
const namesFor = (path: string): readonly string[] => {
  const parameter = lastName(path)
  const word = wordsOf(parameter).at(-1) ?? ''
  return [
    ...new Set([parameter, ...(isIdentityWord(word) ? [word] : []), ...identityNames(singularIn(path))]),
  ]
}

/** Whether an operation answers a list, or an object with one. */
const isList = ({ document }: Contract, { responses }: Operation): boolean =>
  responses.some(({ status, media }) => {
    const schema = /^2|default/.test(status) ? jsonMedia(media)?.schema : null
    if (schema == null) return false
    const { types, children } = placesOf(document, schema)
    return types?.includes('array') === true || children.some(child => child.types?.join() === 'array')
  })
