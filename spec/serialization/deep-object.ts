import { isArray, isObject, type Json, type JsonObject } from '../json/json.ts'
import { step } from '../json/pointer.ts'
import { placeOf, type SchemaPlace } from '../schema/locations.ts'

/** What comes under one name in brackets: texts, or more names in brackets. */
type Node = { readonly texts: string[]; readonly members: Map<string, Node> }

const nodeOf = (): Node => ({ texts: [], members: new Map() })

/**
 * The value of `name[a]=1&name[b][c]=2&name[d][0]=3`; undefined if there is no such pair. OpenAPI defines the style for flat objects
 * only: more brackets are how servers and clients read and write what is inside them. Lists may have indices, none (`name[d][]`), or
 * repeat their name. `typedAs`: a text as a value of a place.
 */
export const readDeep = (
  name: string,
  root: SchemaPlace,
  pairs: readonly (readonly [name: string, text: string])[],
  typedAs: (text: string, place: SchemaPlace | null) => Json,
): Json | undefined => {
  const tree = nodeOf()
  for (const [key, text] of pairs) {
    if (!key.startsWith(`${name}[`) || !key.endsWith(']')) continue
    const path = key.slice(name.length + 1, -1).split('][')
    if (path.length > mostLevels) continue
    let node = tree
    for (const member of path) {
      // Each pair of empty brackets is one more item.
      const own = member === '' ? String(node.members.size) : member
      const next = node.members.get(own) ?? nodeOf()
      node.members.set(own, next)
      node = next
    }
    node.texts.push(text)
  }
  const valueAt = (node: Node, place: SchemaPlace | null): Json => {
    const types = place?.readAs ?? null
    const { texts, members } = node
    const item = (): SchemaPlace | null => (place === null ? null : placeOf(place, '/0'))
    if (types?.includes('array') && types.includes('object') !== true && isIndexed(members))
      return [
        ...texts.map(text => typedAs(text, item())),
        ...Array.from(members.values(), member => valueAt(member, item())),
      ]
    if (members.size > 0)
      return Object.fromEntries(
        Array.from(members, ([key, member]) => [
          key,
          valueAt(member, place === null ? null : placeOf(place, step('', key))),
        ]),
      ) satisfies JsonObject
    return typedAs(texts.at(-1) ?? '', place)
  }
  return tree.members.size === 0 ? undefined : valueAt(tree, root)
}

const mostLevels = 100

const isIndexed = (members: ReadonlyMap<string, Node>): boolean =>
  Array.from(members.keys()).every((key, index) => key === String(index))

/** The pairs of a value in this style; nothing of a list or an object without members. */
export const writeDeep = (
  key: string,
  value: Json,
  encode: (text: string) => string,
  scalar: (value: Json) => string,
): readonly string[] =>
  isObject(value) || isArray(value)
    ? Object.entries(value).flatMap(([member, item]) =>
        writeDeep(`${key}%5B${encode(member)}%5D`, item as Json, encode, scalar),
      )
    : [`${key}=${encode(scalar(value))}`]
