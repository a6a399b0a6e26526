import { type XmlElement as ParsedElement, parseXml, XmlError } from '@rgrove/parse-xml'

/** An element with its namespaces resolved; null: none. */
export type XmlElement = {
  readonly name: string
  readonly namespace: string | null
  readonly attributes: readonly XmlAttribute[]
  readonly children: readonly XmlElement[]
  /** All its characters that are in no other element. */
  readonly text: string
}

export type XmlAttribute = {
  readonly name: string
  readonly namespace: string | null
  readonly value: string
}

export type XmlReading =
  | { readonly ok: true; readonly root: XmlElement }
  | { readonly ok: false; readonly problem: string }

/**
 * Reads XML that is well-formed to the letter. The library rejects all that is not, and neither reads nor expands entities of a
 * document type: nothing is fetched, and a few bytes cannot grow.
 */
export const readXml = (text: string): XmlReading => {
  if (hasTooMany(text)) return { ok: false, problem: `it has more than ${mostElements} elements` }
  try {
    const { root } = parseXml(text)
    return root === null
      ? { ok: false, problem: 'there is no root element' }
      : { ok: true, root: elementOf(root, noScope, 1) }
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, problem: 'its elements are nested too deeply' }
    if (!(error instanceof XmlError)) throw error
    return { ok: false, problem: error.message.split('\n')[0] ?? '' }
  }
}

/** As of JSON, more levels and values are not read. */
const mostLevels = 500
const mostElements = 250_000

const hasTooMany = (text: string): boolean => {
  let elements = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1))
    if (text[at + 1] !== '/' && ++elements > mostElements) return true
  return false
}

/** Namespaces by prefix; the empty prefix is that of names without one. */
type Scope = ReadonlyMap<string, string>

const noScope: Scope = new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])

const scopeOf = ({ attributes }: ParsedElement, outer: Scope): Scope => {
  const own = Object.entries(attributes).flatMap(([name, value]) =>
    name === 'xmlns' || name.startsWith('xmlns:') ? [[name.slice(6), value] as const] : [],
  )
  return own.length === 0 ? outer : new Map([...outer, ...own])
}

const elementOf = (element: ParsedElement, outer: Scope, level: number): XmlElement => {
  if (level > mostLevels) throw new RangeError(`more than ${mostLevels} levels`)
  const scope = scopeOf(element, outer)
  const children: XmlElement[] = []
  let text = ''
  for (const node of element.children) {
    if (isElement(node)) children.push(elementOf(node, scope, level + 1))
    else if ('text' in node) text += String(node.text)
  }
  return {
    ...split(element.name, scope, scope.get('') || null),
    attributes: Object.entries(element.attributes).flatMap(([name, value]) =>
      name === 'xmlns' || name.startsWith('xmlns:') ? [] : [{ ...split(name, scope, null), value }],
    ),
    children,
    text,
  }
}

const isElement = (node: { readonly type: string }): node is ParsedElement => node.type === 'element'

/** A name without its prefix. `unprefixed`: the namespace if it has none. */
const split = (
  name: string,
  scope: Scope,
  unprefixed: string | null,
): { readonly name: string; readonly namespace: string | null } => {
  const colon = name.indexOf(':')
  return colon < 0
    ? { name, namespace: unprefixed }
    : { name: name.slice(colon + 1), namespace: scope.get(name.slice(0, colon)) ?? null }
}
