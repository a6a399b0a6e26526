import { asNode } from '../json/follow-refs.ts'
import type { SchemaPlace } from './locations.ts'

/** What the XML Object of a place says (OpenAPI 3.1; `nodeType`: 3.2). */
export type XmlName = {
  readonly name: string | null
  readonly namespace: string | null
  readonly prefix: string | null
  /** `none`: a list whose items stand where it would. */
  readonly node: 'element' | 'attribute' | 'text' | 'none'
}

/** The same for a place that has none. */
const usual: XmlName = { name: null, namespace: null, prefix: null, node: 'element' }

/** The XML Object of a place, also from behind a `$ref`; the nearest one counts. Null if there is none. */
export const xmlName = ({ keywords }: SchemaPlace): XmlName | null => {
  const uses = keywords.filter(({ keyword }) => keyword === 'xml').map(({ value }) => asNode(value))
  if (uses.length === 0) return null
  const said = Object.assign({}, ...uses.toReversed()) as Readonly<Record<string, unknown>>
  const text = (key: string): string | null => (typeof said[key] === 'string' ? said[key] : null)
  const type = text('nodeType')
  return {
    name: text('name'),
    namespace: text('namespace'),
    prefix: text('prefix'),
    node:
      type === 'attribute' || said.attribute === true
        ? 'attribute'
        : type === 'text' || type === 'cdata'
          ? 'text'
          : 'element',
  }
}

/** How a property, or an item of a list, is written: under its own name unless the document gives another. */
export const xmlOf = (place: SchemaPlace, name: string): XmlName & { readonly name: string } => {
  const found = xmlName(place) ?? usual
  const node = found.node === 'element' && isList(place) && !isWrapped(place) ? 'none' : found.node
  return { ...found, node, name: found.name ?? name }
}

export const isList = ({ types }: SchemaPlace): boolean =>
  types?.filter(type => type !== 'null').join() === 'array'

/** Whether a list has an element of its own around its items. */
const isWrapped = ({ keywords }: SchemaPlace): boolean =>
  keywords.some(({ keyword, value }) => {
    const { wrapped, nodeType } = asNode(value)
    return keyword === 'xml' && (wrapped === true || nodeType === 'element')
  })

export const itemsOf = ({ children }: SchemaPlace): SchemaPlace | undefined =>
  children.find(({ pattern }) => pattern.endsWith('/*'))
