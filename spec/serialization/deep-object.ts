import { isArray, isObject, type Json } from '../json/json.ts'
import type { SchemaPlace } from '../schema/locations.ts'
import { memberPlace, typesAt, variantsOf } from '../schema/variants.ts'
import { fitting, readScalar, withEmpties } from './read-text.ts'

/** What comes under one name in brackets: texts, or more names in brackets. */
type Node = { readonly texts: string[]; readonly members: Map<string, Node> }

const nodeOf = (): Node => ({ texts: [], members: new Map() })

/**
 * The value of `name[a]=1&name[b][c]=2&name[d][0]=3`; undefined if there is no such pair. OpenAPI defines the style for flat objects
 * only: more brackets are how servers and clients read and write what is inside them. Lists may have indices, none (`name[d][]`), or
 * repeat their name.
 */
export const readDeep = (
  name: string,
  root: SchemaPlace,
  pairs: readonly (readonly [name: string, text: string])[],
  decode: (text: string) => string,
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
  return tree.members.size === 0 ? undefined : valueAt(tree, root, decode)
}

const valueAt = (node: Node, place: SchemaPlace | null, decode: (text: string) => string): Json => {
  const { texts, members } = node
  const text = decode(texts.at(-1) ?? '')
  if (place === null) return members.size === 0 ? text : membersAt(node, null, decode)
  const readings = variantsOf(place).flatMap((variant): readonly Json[] => {
    const isList = typesAt(variant)?.includes('array') === true && isIndexed(members)
    return [
      ...(isList ? [itemsAt(node, variant, decode)] : []),
      ...(members.size > 0 ? [membersAt(node, variant, decode)] : []),
    ]
  })
  return fitting(place, members.size > 0 ? readings : [...readings, readScalar(text, place)])
}

const itemsAt = ({ texts, members }: Node, place: SchemaPlace, decode: (text: string) => string): Json => {
  const item = (index: number): SchemaPlace | null => memberPlace(place, String(index))
  return [
    ...texts.map((text, index) => readScalar(decode(text), item(index))),
    ...Array.from(members.values(), (member, index) => valueAt(member, item(texts.length + index), decode)),
  ]
}

const membersAt = ({ members }: Node, place: SchemaPlace | null, decode: (text: string) => string): Json => {
  const value = Object.fromEntries(
    Array.from(members, ([key, member]) => [
      key,
      valueAt(member, place === null ? null : memberPlace(place, key), decode),
    ]),
  )
  return place === null ? value : withEmpties(place, value)
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
