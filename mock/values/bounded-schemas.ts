import { asNode, type DocumentNode, localReference, type Pointer, step, valueAt } from '../../spec/index.ts'

/**
 * Beyond this many schemas, counted each time that one is reached, values have more than 50 kB, take seconds to make, or never end: nobody
 * reads them, and making and judging them would take most of a run's time.
 */
const mostSchemas = 1_500

/** How often a value may go through one schema on its way down: Prism itself ends there. */
const mostRepeats = 3

/** What is cut gets this many at most, and its references lead this deep, unless more is required. */
const roomAfter = 300
const deepest = 5

/** How many values an array may have for each that it must have. */
const perArray = 3

/**
 * The schemas of a document for Prism, cut so that values stay small: schemas that refer to each other in circles would give values
 * without end. What is optional goes, the largest first, and the values stay valid. A document whose values are small stays as it is.
 */
export const boundedSchemas = <T extends object>(document: T, roots: readonly Pointer[]): T => {
  if (!roots.some(root => isTooLarge(document, root))) return document
  const cut = createCutter(document)
  for (const root of roots) cut.at(root, true)
  return withoutUnused(replaced(document, cut.all()), roots)
}

const isTooLarge = (document: object, root: Pointer): boolean => {
  let left = mostSchemas
  const visit = (node: unknown, path: readonly Pointer[], count: number): void => {
    left -= count
    if (left < 0) return
    const { $ref, items } = asNode(node)
    const target = typeof $ref === 'string' ? localReference($ref) : null
    if (target !== null && path.filter(at => at === target).length <= mostRepeats)
      visit(valueAt(document, target), [...path, target], count)
    for (const child of childrenOf(node)) visit(child, path, child === items ? count * perArray : count)
  }
  visit(valueAt(document, root), [root], 1)
  return left < 0
}

const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const

const childrenOf = (node: unknown): readonly unknown[] => {
  const schema = asNode(node)
  return [
    ...Object.values(asNode(schema.properties)),
    ...lists.flatMap(keyword => (Array.isArray(schema[keyword]) ? schema[keyword] : [])),
    schema.items,
    schema.additionalProperties,
  ].filter(child => typeof child === 'object')
}

/** A schema with the number of schemas that its values go through; infinite if they have no end. */
type Cut = { readonly schema: unknown; readonly size: number }

const createCutter = (document: object) => {
  const done = new Map<Pointer, Cut>()
  const open = new Set<Pointer>()
  const endless: Cut = { schema: {}, size: Number.POSITIVE_INFINITY }
  const at = (pointer: Pointer, isNeeded: boolean): Cut => {
    const known = done.get(pointer)
    if (known !== undefined) return known
    if (open.has(pointer) || (!isNeeded && open.size >= deepest)) return endless
    open.add(pointer)
    const made = cutSchema(valueAt(document, pointer), isNeeded)
    open.delete(pointer)
    done.set(pointer, made)
    return made
  }

  const cutSchema = (value: unknown, isNeeded: boolean): Cut => {
    if (typeof value !== 'object' || value === null) return { schema: value, size: 1 }
    const schema: Record<string, unknown> = { ...asNode(value) }
    const target = typeof schema.$ref === 'string' ? localReference(schema.$ref) : null
    let size = 1 + (target === null ? 0 : at(target, isNeeded).size)
    for (const keyword of lists) {
      const members = schema[keyword]
      if (!Array.isArray(members)) continue
      const isChoice = keyword === 'anyOf' || keyword === 'oneOf'
      const cut = members.map(member => cutSchema(member, isNeeded && !isChoice))
      const small = cut.filter(member => member.size <= roomAfter)
      const kept = isChoice && small.length > 0 ? small : cut
      schema[keyword] = kept.map(member => member.schema)
      size += isChoice ? Math.max(0, ...kept.map(member => member.size)) : sum(kept)
    }
    size += cutItems(schema) + cutOthers(schema)
    return { schema, size: size + cutProperties(schema, roomAfter - size) }
  }

  const cutItems = (schema: Record<string, unknown>): number => {
    if (typeof schema.items !== 'object') return 0
    const least = Number(schema.minItems ?? 0)
    const items = cutSchema(schema.items, least > 0)
    if (items.size * perArray <= roomAfter || least > 0) {
      schema.items = items.schema
      return items.size * Math.max(perArray, least)
    }
    schema.maxItems = 0
    delete schema.items
    return 0
  }

  const cutOthers = (schema: Record<string, unknown>): number => {
    if (typeof schema.additionalProperties !== 'object') return 0
    const isRequired = Number(schema.minProperties ?? 0) > 0
    const others = cutSchema(schema.additionalProperties, isRequired)
    const isKept = others.size * perArray <= roomAfter || isRequired
    schema.additionalProperties = isKept ? others.schema : false
    return isKept ? others.size * perArray : 0
  }

  /** Keeps what is required, and what else there is room for, the smallest first. */
  const cutProperties = (schema: Record<string, unknown>, room: number): number => {
    if (typeof schema.properties !== 'object') return 0
    const required = new Set(Array.isArray(schema.required) ? schema.required : [])
    const cut = Object.entries(asNode(schema.properties)).map(([name, property]) => ({
      name,
      ...cutSchema(property, required.has(name)),
      isRequired: required.has(name),
    }))
    const bySize = cut.toSorted(
      (left, right) => Number(right.isRequired) - Number(left.isRequired) || left.size - right.size,
    )
    const kept = new Set<string>()
    let size = 0
    for (const property of bySize) {
      if (!property.isRequired && size + property.size > room) continue
      size += property.size
      kept.add(property.name)
    }
    schema.properties = Object.fromEntries(
      cut.filter(({ name }) => kept.has(name)).map(property => [property.name, property.schema]),
    )
    return size
  }

  return { at, all: (): ReadonlyMap<Pointer, Cut> => done }
}

const sum = (cuts: readonly Cut[]): number => cuts.reduce((total, { size }) => total + size, 0)

/** The document without the component schemas that no root leads to any more: Prism would go through them all. */
const withoutUnused = <T extends object>(document: T, roots: readonly Pointer[]): T => {
  const used = new Set<Pointer>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    for (const child of Object.values(node)) visit(child)
    const { $ref } = asNode(node)
    const target = typeof $ref === 'string' ? localReference($ref) : null
    if (target === null || used.has(target)) return
    used.add(target)
    visit(valueAt(document, target))
  }
  for (const root of roots) visit(valueAt(document, root))
  const { components, ...rest } = asNode(document)
  const schemas = Object.entries(asNode(asNode(components).schemas)).filter(([name]) => {
    const at = step('/components/schemas', name)
    return used.has(at) || roots.includes(at)
  })
  return {
    ...rest,
    components: { ...asNode(components), schemas: Object.fromEntries(schemas) },
  } as unknown as T
}

/** The document with other schemas at these places. */
const replaced = <T extends object>(document: T, cuts: ReadonlyMap<Pointer, Cut>): T => {
  const copy = (node: unknown, at: Pointer): unknown => {
    const cut = cuts.get(at)
    if (cut !== undefined) return cut.schema
    if (typeof node !== 'object' || node === null) return node
    if (![...cuts.keys()].some(pointer => pointer.startsWith(`${at}/`))) return node
    return Array.isArray(node)
      ? node.map((item, index) => copy(item, step(at, index)))
      : Object.fromEntries(
          Object.entries(node as DocumentNode).map(([key, child]) => [key, copy(child, step(at, key))]),
        )
  }
  return copy(document, '') as T
}
