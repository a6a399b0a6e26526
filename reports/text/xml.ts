/** An element of XML: its attributes in order (null: left out), and elements or text within it. */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number | null>>
  readonly content: Iterable<XmlElement> | string
}

// In an attribute, a parser reads a line break or tab as a blank unless it is a character reference.
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\t': '&#9;',
}

const escaped = (text: string): string => text.replace(/[&<>]/g, char => entities[char] ?? char)
const escapedAttribute = (text: string): string => text.replace(/[&<>"\n\t]/g, char => entities[char] ?? char)

/** Writes a document. XML has no form for control characters and lone surrogates: texts must have passed `safeLines`. */
export const xmlDocument = (root: XmlElement): string => [...xmlParts(root)].join('')

/** The same in parts: elements are asked for one by one. */
export function* xmlParts(root: XmlElement): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield* write(root, '')
  yield '\n'
}

function* write({ name, attributes, content }: XmlElement, indent: string): Generator<string> {
  const start = `${indent}<${name}${Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ` ${key}="${escapedAttribute(String(value))}"`)
    .join('')}`
  if (typeof content === 'string') {
    yield content === '' ? `${start}/>` : `${start}>${escaped(content)}</${name}>`
    return
  }
  let isEmpty = true
  for (const child of content) {
    yield isEmpty ? `${start}>\n` : '\n'
    isEmpty = false
    yield* write(child, `${indent}  `)
  }
  yield isEmpty ? `${start}/>` : `\n${indent}</${name}>`
}
