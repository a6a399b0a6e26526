import type { Contract, Operation } from '../contract/contract.ts'
import { asNode, follow } from '../json/follow-refs.ts'
import { type Pointer, step } from '../json/pointer.ts'
import { jsonMedia } from '../obligations/operation-context.ts'
import { isCreationWord, plainName, singular } from './names.ts'
import { lastName, prefixesOf } from './path-names.ts'
import { nounIn, type Resource, shapeOf, wordsOf } from './resource.ts'

/**
 * What makes and lists the resources of a path, although its path is another one: `POST /user/repos` and `GET /repos/search` for
 * `/repos/{owner}/{repo}`. They answer with the very schema that reading one does. A guess: the first is used, and decides nothing.
 */
export type Elsewhere = { readonly creators: readonly Operation[]; readonly list: Operation | null }

/** Finds them for one path after the other of a contract. `candidates`: the operations that are not declared to create anything. */
export const createElsewhere = (
  { document, operations }: Contract,
  candidates: readonly Operation[],
): ((path: string, read: Operation | null) => Elsewhere) => {
  // A large contract has as many paths as operations: what each operation answers is found out once.
  const creatorsOf = Map.groupBy(
    candidates.filter(({ method }) => method === 'POST').toSorted(fewestNames),
    each => typeOf(document, each),
  )
  const listsOf = new Map<Pointer, Operation[]>()
  for (const each of operations.filter(({ method }) => method === 'GET').toSorted(fewestNames))
    for (const type of new Set(itemTypesOf(document, each)))
      listsOf.set(type, [...(listsOf.get(type) ?? []), each])
  return (path, read) => {
    const type = read === null ? null : typeOf(document, read)
    if (type === null) return { creators: [], list: null }
    const nouns = new Set([nounIn(path), lastName(path)].map(plainName))
    const isBelow = ({ path: other }: Operation): boolean =>
      `${shapeOf(other)}/`.startsWith(`${shapeOf(path)}/`)
    const speaksOf = ({ path: other, id }: Operation): boolean =>
      nouns.has(plainName(singular(lastSegment(other)))) || wordsOf(id).some(isCreationWord)
    return {
      creators: (creatorsOf.get(type) ?? []).filter(each => !isBelow(each) && speaksOf(each)),
      list: listsOf.get(type)?.find(each => !isBelow(each)) ?? null,
    }
  }
}

const fewestNames = (one: Operation, other: Operation): number =>
  prefixesOf(one.path).length - prefixesOf(other.path).length

/** Whether what an operation makes or lists has another path than resources below the operation's own. */
export const isElsewhere = (resource: Resource, operation: Operation): boolean => {
  const { likelyCreate, alsoCreate, likelyList, parent, shape } = resource
  const around = shapeOf(prefixesOf(operation.path).at(-1) ?? '')
  return (
    [likelyCreate, likelyList, ...alsoCreate].includes(operation) &&
    around !== shape &&
    around !== (parent?.shape ?? '')
  )
}

const lastSegment = (path: string): string => path.split('/').findLast(part => part !== '') ?? ''

type Document = Contract['document']

/** The component that describes what an operation answers to a success; null if none does. */
const typeOf = (document: Document, operation: Operation): Pointer | null => {
  const schema = answerOf(operation)
  return schema === null ? null : componentAt(document, schema)
}

/** The components that describe the items of a list, or of a list in an object. */
const itemTypesOf = (document: Document, operation: Operation): readonly Pointer[] => {
  const schema = answerOf(operation)
  if (schema === null) return []
  const { node, pointer } = follow(document, schema)
  const own = Object.keys(asNode(node.properties)).map(name => step(step(pointer, 'properties'), name))
  return [pointer, ...own].flatMap(at => {
    const list = follow(document, at)
    const type = list.node.items === undefined ? null : componentAt(document, step(list.pointer, 'items'))
    return type === null ? [] : [type]
  })
}

const answerOf = ({ responses }: Operation): Pointer | null =>
  responses.flatMap(({ status, media }) =>
    /^2/.test(status) ? [jsonMedia(media)?.schema ?? null] : [],
  )[0] ?? null

const componentAt = (document: Document, at: Pointer): Pointer | null => {
  const { node, pointer } = follow(document, at)
  return /^\/components\/schemas\/[^/]+$/.test(pointer) && Object.keys(asNode(node.properties)).length > 1
    ? pointer
    : null
}
