import { isArray, isNumber, isObject, type Json, numberText } from '../json/json.ts'
import { step } from '../json/pointer.ts'
import { placeOf, type SchemaPlace } from '../schema/locations.ts'
import { isList, itemsOf, type XmlName, xmlOf } from '../schema/xml-names.ts'

/** The XML document of a value. What XML cannot carry becomes U+FFFD, and names that are none are left out. */
export const writeXml = (root: SchemaPlace, element: string, value: Json): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${writeElement(root, xmlOf(root, element), value)}`

type Named = Pick<XmlName, 'namespace' | 'prefix'> & { readonly name: string }

const plainly = (name: string): Named => ({ name, namespace: null, prefix: null })

const writeElement = (place: SchemaPlace | null, xml: Named, value: Json): string => {
  const tag = xml.prefix === null ? xml.name : `${xml.prefix}:${xml.name}`
  if (!isXmlName(tag)) return ''
  const declared =
    xml.namespace === null
      ? ''
      : ` xmlns${xml.prefix === null ? '' : `:${xml.prefix}`}="${escapeAttribute(xml.namespace)}"`
  if (value === null) return `<${tag}${declared} xmlns:xsi="${instances}" xsi:nil="true"/>`
  if (isArray(value)) {
    const items = place !== null && isList(place) ? (itemsOf(place) ?? null) : null
    const name = items === null ? plainly(xml.name) : xmlOf(items, xml.name)
    return `<${tag}${declared}>${value.map(item => writeElement(items, name, item)).join('')}</${tag}>`
  }
  if (!isObject(value)) return `<${tag}${declared}>${escapeText(scalarText(value))}</${tag}>`
  let attributes = declared
  let content = ''
  for (const [name, member] of Object.entries(value)) {
    const written = writeMember(place === null ? null : placeOf(place, step('', name)), name, member)
    attributes += written.attribute
    content += written.content
  }
  return `<${tag}${attributes}>${content}</${tag}>`
}

const instances = 'http://www.w3.org/2001/XMLSchema-instance'

const writeMember = (
  place: SchemaPlace | null,
  property: string,
  value: Json,
): { readonly attribute: string; readonly content: string } => {
  const isOther = place?.pattern.endsWith('/*') === true
  const xml =
    place === null || isOther ? { ...plainly(property), node: 'element' as const } : xmlOf(place, property)
  if (xml.node === 'text') return { attribute: '', content: escapeText(scalarText(value)) }
  if (xml.node === 'attribute') return { attribute: writeAttribute(xml, value), content: '' }
  if (!isArray(value) || xml.node !== 'none')
    return { attribute: '', content: writeElement(place, xml, value) }
  const items = place === null ? null : (itemsOf(place) ?? null)
  const name = items === null ? plainly(xml.name) : xmlOf(items, xml.name)
  return { attribute: '', content: value.map(item => writeElement(items, name, item)).join('') }
}

const writeAttribute = ({ name, prefix, namespace }: Named, value: Json): string => {
  const full = prefix === null ? name : `${prefix}:${name}`
  if (!isXmlName(full)) return ''
  const declared =
    prefix === null || namespace === null ? '' : ` xmlns:${prefix}="${escapeAttribute(namespace)}"`
  return `${declared} ${full}="${escapeAttribute(scalarText(value))}"`
}

const isXmlName = (name: string): boolean =>
  /^[\p{L}_][\p{L}\p{N}._-]*(?::[\p{L}_][\p{L}\p{N}._-]*)?$/u.test(name)

const scalarText = (value: Json): string =>
  isNumber(value)
    ? numberText(value)
    : value === null
      ? ''
      : isArray(value) || isObject(value)
        ? JSON.stringify(value)
        : String(value)

/** Whether XML 1.0 can carry each character of a text (2.2). */
export const isXmlText = (text: string): boolean => text.isWellFormed() && !unwritable.test(text)

const unwritable = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const allUnwritable = new RegExp(unwritable, 'gu')

const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replace(allUnwritable, '\ufffd')
    .replace(/[&<>\r]/g, escapeOf)

// Other white space in an attribute is read as a space (XML 1.0, 3.3.3).
const escapeAttribute = (text: string): string =>
  text
    .toWellFormed()
    .replace(allUnwritable, '\ufffd')
    .replace(/[&<>"\t\n\r]/g, escapeOf)

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeOf = (char: string): string => named[char] ?? `&#${char.charCodeAt(0)};`
