import { step } from '../../spec/index.ts'
import type { PathSegment } from '../constraints/constraint.ts'
import {
  type DynamicScope,
  referenceTargets,
  type SchemaDocument,
  type ScopedSchema,
} from '../read/document.ts'
import {
  isSchemaObject,
  namedSchemas,
  type Schema,
  type SchemaObject,
  subschema,
  subschemas,
} from '../read/keywords.ts'

/** A schema that every value at a location has to satisfy: reached through `$ref` and `allOf` alone. */
type ApplicableSchema = { readonly schema: SchemaObject; readonly scope: DynamicScope }

/** One location in the values that a schema describes. */
export type SchemaLocation = {
  /** The instance pointer, with `*` for any item or any undeclared property. */
  readonly instance: string
  readonly path: readonly PathSegment[]
  readonly schemas: readonly ApplicableSchema[]
}

const deepest = 8
const mostLocations = 200

type Visit = {
  readonly instance: string
  readonly path: readonly PathSegment[]
  readonly starts: readonly ScopedSchema[]
  readonly above: readonly SchemaObject[]
}

/** The two hundred locations nearest to the top, from there down; a recursive schema is followed once around. */
export const schemaLocations = (document: SchemaDocument): readonly SchemaLocation[] => {
  const found: SchemaLocation[] = []
  const visits: Visit[] = [{ instance: '', path: [], starts: [document], above: [] }]
  // Breadth first, so that of very many locations those remain that matter most.
  for (const { instance, path, starts, above } of visits) {
    if (found.length >= mostLocations) break
    const applicable = starts.flatMap(({ schema, scope }) => applicableSchemas(document, schema, scope, []))
    if (applicable.length === 0) continue
    found.push({ instance, path, schemas: applicable })
    const here = applicable.map(({ schema }) => schema)
    if (path.length >= deepest || here.every(schema => above.includes(schema))) continue
    for (const { segment, starts: inner } of childrenOf(applicable))
      visits.push({
        instance: step(instance, pointerSegment(segment)),
        path: [...path, segment],
        starts: inner,
        above: [...above, ...here],
      })
  }
  return found
}

type Child = { readonly segment: PathSegment; readonly starts: readonly ScopedSchema[] }

/** The children of a location, each with all schemas that apply to it. */
const childrenOf = (parents: readonly ApplicableSchema[]): readonly Child[] => {
  const children = new Map<string, { readonly segment: PathSegment; readonly starts: ScopedSchema[] }>()
  const add = (segment: PathSegment, schema: Schema, scope: DynamicScope): void => {
    const key = JSON.stringify(segment)
    const known = children.get(key)
    if (known === undefined) children.set(key, { segment, starts: [{ schema, scope }] })
    else known.starts.push({ schema, scope })
  }
  for (const { schema, scope } of parents) {
    for (const [name, member] of namedSchemas(schema, 'properties')) add({ name }, member, scope)
    for (const [index, member] of subschemas(schema, 'prefixItems').entries()) add({ index }, member, scope)
    const items = subschema(schema, 'items')
    if (items !== undefined) add('item', items, scope)
    for (const [pattern, member] of namedSchemas(schema, 'patternProperties')) add({ pattern }, member, scope)
    const additional = subschema(schema, 'additionalProperties')
    if (additional !== undefined) add('value', additional, scope)
  }
  return [...children.values()]
}

const pointerSegment = (segment: PathSegment): string | number =>
  segment === 'item' || segment === 'value' || 'pattern' in segment
    ? '*'
    : 'name' in segment
      ? segment.name
      : segment.index

const applicableSchemas = (
  document: SchemaDocument,
  schema: Schema,
  outer: DynamicScope,
  above: readonly SchemaObject[],
): readonly ApplicableSchema[] => {
  if (!isSchemaObject(schema) || above.includes(schema)) return []
  const scope = document.enter(schema, outer)
  const path = [...above, schema]
  return [
    { schema, scope },
    ...referenceTargets(document, schema, scope).flatMap(target =>
      applicableSchemas(document, target.schema, target.scope, path),
    ),
    ...subschemas(schema, 'allOf').flatMap(member => applicableSchemas(document, member, scope, path)),
  ]
}
