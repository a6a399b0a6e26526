import {
  asNode,
  type DocumentNode,
  isArray,
  isNode,
  isObject,
  type Json,
  localReference,
  type Pointer,
  step,
  valueAt,
} from '../../spec/index.ts'

/**
 * Whether a value has only properties that its schema names, or that it says any others may be like. A document of which nobody has
 * said otherwise allows any other property; but no client relies on sending `{"x": 1}` where `x` is not declared.
 */
export const hasDeclaredNames = (
  document: DocumentNode,
  schemas: readonly Pointer[],
  value: Json,
): boolean => {
  if (!isObject(value) && !isArray(value)) return true
  const parts = [...new Set(schemas.flatMap(schema => partsOf(document, schema)))]
  if (isArray(value)) {
    const items = parts.flatMap(part =>
      isNode(valueAt(document, step(part, 'items'))) ? [step(part, 'items')] : [],
    )
    return items.length === 0 || value.every(item => hasDeclaredNames(document, items, item))
  }
  const isFree = parts.every(part => namesAt(document, part).length === 0)
  return Object.entries(value).every(([name, member]) => {
    const own = parts.filter(part => namesAt(document, part).includes(name))
    const schemasOf = own.map(part => step(step(part, 'properties'), name))
    if (schemasOf.length > 0) return hasDeclaredNames(document, schemasOf, member)
    const others = parts.flatMap(part => restOf(document, part))
    return others.length > 0 ? hasDeclaredNames(document, others, member) : isFree
  })
}

/** The schema with all those that it is made of, alternatives as well. */
const partsOf = (
  document: DocumentNode,
  start: Pointer,
  seen: Set<Pointer> = new Set(),
): readonly Pointer[] => {
  if (seen.has(start)) return []
  seen.add(start)
  const node = asNode(valueAt(document, start))
  const target = typeof node.$ref === 'string' ? localReference(node.$ref) : null
  const inner = [
    ...(target === null ? [] : [target]),
    ...['allOf', 'anyOf', 'oneOf'].flatMap(keyword =>
      Array.isArray(node[keyword])
        ? [...node[keyword].keys()].map(index => step(step(start, keyword), index))
        : [],
    ),
    ...['if', 'then', 'else'].flatMap(keyword => (isNode(node[keyword]) ? [step(start, keyword)] : [])),
    ...Object.keys(asNode(node.dependentSchemas)).map(name => step(step(start, 'dependentSchemas'), name)),
  ]
  return [start, ...inner.flatMap(each => partsOf(document, each, seen))]
}

const namesAt = (document: DocumentNode, part: Pointer): readonly string[] =>
  Object.keys(asNode(asNode(valueAt(document, part)).properties))

/** The schemas of properties without a name of their own. */
const restOf = (document: DocumentNode, part: Pointer): readonly Pointer[] => {
  const { additionalProperties, patternProperties } = asNode(valueAt(document, part))
  return [
    ...(isNode(additionalProperties) ? [step(part, 'additionalProperties')] : []),
    ...Object.keys(asNode(patternProperties)).map(name => step(step(part, 'patternProperties'), name)),
  ]
}
