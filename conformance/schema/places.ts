import type { Step } from './demand.ts'
import type { SchemaDocument, Scope } from './document.ts'
import {
  isSchemaObject,
  namedSchemas,
  own,
  type Schema,
  type SchemaObject,
  subschema,
  subschemas,
} from './keywords.ts'

/** A schema that holds at a place, reached through `$ref` and `allOf` alone. */
type Holder = { readonly schema: SchemaObject; readonly scope: Scope }

/** One place of the values that a schema describes: how to get there, and all schemas that hold there. */
export type Place = {
  /** The instance pointer; `*` for any item or other property. */
  readonly instance: string
  readonly steps: readonly Step[]
  readonly holders: readonly Holder[]
}

const deepest = 8
const mostPlaces = 200

type Start = { readonly schema: Schema; readonly scope: Scope }
type Visit = {
  readonly instance: string
  readonly steps: readonly Step[]
  readonly starts: readonly Start[]
  readonly above: readonly SchemaObject[]
}

/** Places from the top down, the nearest two hundred; a schema that refers to itself is followed once around. */
export const placesOf = (document: SchemaDocument): readonly Place[] => {
  const found: Place[] = []
  const visits: Visit[] = [{ instance: '', steps: [], starts: [document], above: [] }]
  // Level by level, for a schema with very many places to keep the ones that matter most.
  for (const { instance, steps, starts, above } of visits) {
    if (found.length >= mostPlaces) break
    const holders = starts.flatMap(({ schema, scope }) => flatten(document, schema, scope, []))
    if (holders.length === 0) continue
    found.push({ instance, steps, holders })
    const path = holders.map(({ schema }) => schema)
    if (steps.length >= deepest || path.every(schema => above.includes(schema))) continue
    for (const { step, starts: inner } of below(holders))
      visits.push({
        instance: `${instance}/${segment(step)}`,
        steps: [...steps, step],
        starts: inner,
        above: [...above, ...path],
      })
  }
  return found
}

/** The steps down from a place, each with all that is said of the value there. */
const below = (
  holders: readonly Holder[],
): readonly { readonly step: Step; readonly starts: readonly Start[] }[] => {
  const children = new Map<string, { readonly step: Step; readonly starts: Start[] }>()
  const child = (step: Step, schema: Schema, scope: Scope): void => {
    const key = JSON.stringify(step)
    const known = children.get(key)
    if (known === undefined) children.set(key, { step, starts: [{ schema, scope }] })
    else known.starts.push({ schema, scope })
  }
  for (const { schema, scope } of holders) {
    for (const [name, member] of namedSchemas(schema, 'properties')) child({ name }, member, scope)
    for (const [index, member] of subschemas(schema, 'prefixItems').entries()) child({ index }, member, scope)
    const items = subschema(schema, 'items')
    if (items !== undefined) child('item', items, scope)
    for (const [pattern, member] of namedSchemas(schema, 'patternProperties'))
      child({ pattern }, member, scope)
    const other = subschema(schema, 'additionalProperties')
    if (other !== undefined) child('value', other, scope)
  }
  return [...children.values()]
}

const segment = (step: Step): string =>
  step === 'item' || step === 'value' || 'pattern' in step
    ? '*'
    : 'name' in step
      ? step.name.replaceAll('~', '~0').replaceAll('/', '~1')
      : String(step.index)

const flatten = (
  document: SchemaDocument,
  schema: Schema,
  outer: Scope,
  above: readonly SchemaObject[],
): readonly Holder[] => {
  if (!isSchemaObject(schema) || above.includes(schema)) return []
  const scope = document.enter(schema, outer)
  const path = [...above, schema]
  const targets = (['$ref', '$dynamicRef'] as const).flatMap(keyword =>
    typeof own(schema, keyword) === 'string' ? [document.follow(schema, keyword, scope)] : [],
  )
  return [
    { schema, scope },
    ...targets.flatMap(target => flatten(document, target.schema, target.scope, path)),
    ...subschemas(schema, 'allOf').flatMap(member => flatten(document, member, scope, path)),
  ]
}
