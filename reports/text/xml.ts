/** An element of XML: its attributes in order (null: left out), and elements or text within it. */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number | null>>
  readonly content: readonly XmlElement[] | string
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
export const xmlDocument = (root: XmlElement): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, '')}\n`

const write = ({ name, attributes, content }: XmlElement, indent: string): string => {
  const start = `${indent}<${name}${Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ` ${key}="${escapedAttribute(String(value))}"`)
    .join('')}`
  if (content.length === 0) return `${start}/>`
  if (typeof content === 'string') return `${start}>${escaped(content)}</${name}>`
  return `${start}>\n${content.map(child => write(child, `${indent}  `)).join('\n')}\n${indent}</${name}>`
}
