import type { Json, JsonObject } from '../json/json.ts'
import { step } from '../json/pointer.ts'
import { placeOf, type SchemaPlace } from '../schema/locations.ts'
import { isList, itemsOf, type XmlName, xmlOf } from '../schema/xml-names.ts'
import { readScalar } from '../serialization/read-text.ts'
import type { XmlAttribute, XmlElement } from './parse-xml.ts'

/** The value that an element stands for, by the XML Objects of its schema. */
export const readElement = (place: SchemaPlace | null, element: XmlElement): Json => {
  if (isNil(element)) return null
  if (place === null) return readUndeclared(element)
  if (isList(place)) return readItems(place, element)
  if (isObjectPlace(place)) return readObject(place, element)
  return element.children.length > 0 ? readUndeclared(element) : readScalar(element.text, place)
}

const isObjectPlace = ({ types, properties, children }: SchemaPlace): boolean =>
  types?.includes('object') ?? (properties.length > 0 || children.length > 0)

const instances = 'http://www.w3.org/2001/XMLSchema-instance'

// XML Schema, 2.6.2: an element that has no value.
const isNil = ({ attributes }: XmlElement): boolean =>
  attributes.some(
    ({ name, namespace, value }) =>
      name === 'nil' && namespace === instances && (value === 'true' || value === '1'),
  )

type Named = { readonly name: string; readonly namespace: string | null }

/** Where the document names no namespace, any is right. */
const isNamed = ({ name, namespace }: Named, xml: XmlName): boolean =>
  name === xml.name && (xml.namespace === null || namespace === xml.namespace)

const readObject = (place: SchemaPlace, element: XmlElement): JsonObject => {
  const nodes: readonly Node[] = [...element.attributes, ...element.children]
  const owners = new Map<Node, string>()
  const members = new Map<string, Json>()
  for (const property of place.properties) {
    const child = placeOf(place, step('', property))
    if (child === null) continue
    const xml = xmlOf(child, property)
    if (xml.node === 'text') {
      members.set(property, readScalar(element.text, child))
      continue
    }
    const items = xml.node === 'none' ? (itemsOf(child) ?? null) : null
    const name = items === null ? xml : xmlOf(items, xml.name)
    const own = nodes.filter(
      node => !owners.has(node) && 'value' in node === (xml.node === 'attribute') && isNamed(node, name),
    )
    for (const node of own) owners.set(node, property)
    const values = own.map(node => nodeValue(xml.node === 'none' ? items : child, node))
    const [first] = values
    // Several of what is no list are one all the same, which is then of a wrong type.
    if (first !== undefined) members.set(property, xml.node === 'none' || values.length > 1 ? values : first)
  }
  const others = nodes.filter(node => !owners.has(node) && node.namespace !== instances)
  const values = placeOf(place, step('', '*'))
  for (const node of others) owners.set(node, node.name)
  const undeclared = Object.groupBy(others, ({ name }) => name)
  for (const [name, found = []] of Object.entries(undeclared)) {
    const [first = null, ...more] = found.map(node => nodeValue(values, node))
    members.set(name, more.length === 0 ? first : [first, ...more])
  }
  // In the order of the document.
  const names = new Set([...nodes.flatMap(node => owners.get(node) ?? []), ...members.keys()])
  return Object.fromEntries(
    [...names].flatMap(name => (members.has(name) ? [[name, members.get(name) as Json]] : [])),
  )
}

type Node = XmlAttribute | XmlElement

const nodeValue = (place: SchemaPlace | null, node: Node): Json =>
  'value' in node ? readScalar(node.value, place) : readElement(place, node)

const readItems = (place: SchemaPlace, { name, children }: XmlElement): readonly Json[] => {
  const items = itemsOf(place)
  if (items === undefined) return children.map(readUndeclared)
  // The root element of a list need not have the name of its items.
  const xml = xmlOf(items, place.pattern === '' ? '' : name)
  return children.filter(node => xml.name === '' || isNamed(node, xml)).map(node => readElement(items, node))
}

/** Text, or what is in it by name. */
const readUndeclared = ({ children, text }: XmlElement): Json =>
  children.length === 0
    ? text
    : Object.fromEntries(
        Object.entries(Object.groupBy(children, ({ name }) => name)).map(([name, found = []]) => {
          const [first = null, ...more] = found.map(readUndeclared)
          return [name, more.length === 0 ? first : [first, ...more]]
        }),
      )
