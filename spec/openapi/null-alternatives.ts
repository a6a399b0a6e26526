import { asNode, type DocumentNode, isNode } from '../json/follow-refs.ts'
import { localReference, memberOf, type Pointer, step, steps, valueAt } from '../json/pointer.ts'
import { annotationKeywords } from '../schema/annotations.ts'
import { mapSchemas, type SchemaNode } from './map-schemas.ts'

/**
 * The document with `anyOf: [S, { type: null }]`, as Pydantic writes what may be null, as S with null among its types. It takes the same
 * values, and each keyword of S speaks for itself: it is tested, and named if a value breaks it.
 */
export const withNullTypes = (document: DocumentNode): DocumentNode => {
  const inline = mapSchemas(document, schema => folded(schema, target => target))
  // What a reference leads to has its own alternatives by now; those in the copy stay as they are, as schemas may refer to each other.
  const targetOf = (schema: SchemaNode): SchemaNode => {
    const pointer = typeof schema.$ref === 'string' ? localReference(schema.$ref) : null
    const isAlone = Object.keys(schema).every(key => key === '$ref' || isAnnotation(key))
    return pointer === null || !isAlone ? schema : asNode(valueAt(inline, pointer))
  }
  return mapSchemas(inline, schema => folded(schema, targetOf))
}

/** Where a place of the document with null among its types is in the document as it was. */
export const beforeNullTypes = (document: DocumentNode, pointer: Pointer): Pointer => {
  let here: Pointer = ''
  let node: unknown = document
  for (const name of steps(pointer)) {
    for (let hops = 0; hops < mostHops && isNode(node) && !Object.hasOwn(node, name); hops++) {
      const target = typeof node.$ref === 'string' ? localReference(node.$ref) : null
      const alternative = target === null ? alternativeIn(node) : null
      if (alternative !== null) here = step(step(here, alternative.keyword), alternative.index)
      node = target === null ? alternative?.schema : valueAt(document, target)
    }
    here = step(here, name)
    node = memberOf(node, name)
  }
  return here
}

/** References may lead round in circles. */
const mostHops = 50

type Alternative = {
  readonly keyword: 'anyOf' | 'oneOf'
  readonly index: number
  readonly schema: SchemaNode
}

/** The one alternative of a schema besides null; null if there is none, or more than one. */
const alternativeIn = (schema: SchemaNode): Alternative | null => {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const members = schema[keyword]
    if (!Array.isArray(members) || members.length !== 2) continue
    const index = members.findIndex(member => !isNullOnly(member))
    const other: unknown = members[index]
    if (isNode(other) && members.some(isNullOnly)) return { keyword, index, schema: other }
  }
  return null
}

const isNullOnly = (member: unknown): boolean =>
  isNode(member) &&
  member.type === 'null' &&
  Object.keys(member).every(key => key === 'type' || isAnnotation(key))

const folded = (schema: SchemaNode, targetOf: (schema: SchemaNode) => SchemaNode): SchemaNode => {
  const alternative = alternativeIn(schema)
  if (alternative === null) return schema
  const { [alternative.keyword]: _, ...siblings } = schema
  const target = targetOf(alternative.schema)
  if (!Object.keys(siblings).every(isAnnotation) || !isPlain(target)) return schema
  const { enum: values, readOnly: _r, writeOnly: _w, deprecated: _d, ...kept } = target
  return {
    ...kept,
    ...siblings,
    type: [...new Set([target.type, 'null'].flat())],
    ...(Array.isArray(values) ? { enum: values.includes(null) ? values : [...values, null] } : {}),
  }
}

/** Keywords that say something of null as well, or of the schema as a whole. */
const ofAnyValue = /^(?:\$.+|const|not|if|then|else|allOf|anyOf|oneOf|discriminator|unevaluated.+)$/

/** Whether a schema names its types, and the rest of it says nothing of values of another type. */
const isPlain = (schema: SchemaNode): boolean =>
  schema.type !== undefined && !Object.keys(schema).some(key => ofAnyValue.test(key))

const annotations: ReadonlySet<string> = new Set([...annotationKeywords, 'readOnly', 'writeOnly', 'xml'])

const isAnnotation = (key: string): boolean => annotations.has(key) || key.startsWith('x-')
