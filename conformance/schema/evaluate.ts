import { isArray, isObject, type Json, type JsonObject, step } from '../../spec/index.ts'
import { assertions } from './assertions.ts'
import type { SchemaDocument, Scope } from './document.ts'
import { expression } from './expression.ts'
import {
  countOf,
  isSchemaObject,
  namedSchemas,
  own,
  type Schema,
  type SchemaObject,
  subschema,
  subschemas,
} from './keywords.ts'
import { attempt, isRefusal, refuse } from './refusal.ts'

/** A keyword that a value breaks, and where: the instance pointer, the keyword, its part (see `Target`). */
export type Breach = { readonly instance: string; readonly keyword: string; readonly detail: string }

/** Judges values by the schemas of one document, with exact numbers. */
export type Judge = {
  readonly holds: (schema: Schema, scope: Scope, value: Json) => boolean
  readonly breaches: (schema: Schema, scope: Scope, value: Json) => readonly Breach[]
  /** True where a validator that looks at everything, and never stops early, has no more than `most` looks to take. */
  readonly isLight: (schema: Schema, scope: Scope, value: Json, most: number) => boolean
}

/** Names and indexes that the schemas so far have looked at, for `unevaluated…`. */
type Seen = { readonly names: Set<string>; readonly items: Set<number> }

type View = {
  readonly scope: Scope
  readonly place: string
  readonly out: Breach[] | null
  readonly seen: Seen | null
  readonly depth: number
  /** The looks that are left where everything is looked at; null where the first breach is enough. */
  readonly looks: { left: number } | null
}

/** Once a value does not hold, more work serves only a list of its breaches or a count. */
const isSettled = (valid: boolean, view: View): boolean => !valid && view.out === null && view.looks === null

const deepest = 600

export const createJudge = (document: SchemaDocument, formats: boolean): Judge => {
  const judge = (schema: Schema, value: Json, outer: View): boolean => {
    if (outer.looks !== null) {
      outer.looks.left -= 1
      if (outer.looks.left < 0) return refuse('the value is too much work')
    }
    if (schema === true) return true
    const fail = (keyword: string, detail: string): false => {
      outer.out?.push({ instance: outer.place, keyword, detail })
      return false
    }
    if (schema === false) return fail('false', '')
    if (outer.depth > deepest) return refuse('the schema refers to itself without an end')
    const scope = document.enter(schema, outer.scope)
    const tracks = document.hasUnevaluated
    const seen: Seen | null = tracks ? { names: new Set(), items: new Set() } : null
    const view: View = { ...outer, scope, seen, depth: outer.depth + 1 }
    let valid = true
    assertions(schema, value, formats, (keyword, detail) => {
      valid = fail(keyword, detail)
    })
    if (isSettled(valid, outer)) return false

    // In place, keeping what a member that holds has seen.
    const inPlace = (member: Schema, at: View, quiet: boolean): boolean => {
      const own: Seen | null = tracks ? { names: new Set(), items: new Set() } : null
      const holds = judge(member, value, { ...at, seen: own, out: quiet ? null : at.out })
      if (holds && seen !== null && own !== null) {
        for (const name of own.names) seen.names.add(name)
        for (const index of own.items) seen.items.add(index)
      }
      return holds
    }
    const need = (holds: () => boolean): void => {
      if (!isSettled(valid, outer) && !holds()) valid = false
    }

    for (const keyword of ['$ref', '$dynamicRef'] as const)
      if (typeof own(schema, keyword) === 'string') {
        const target = document.follow(schema, keyword, scope)
        need(() => inPlace(target.schema, { ...view, scope: target.scope }, false))
      }
    for (const member of subschemas(schema, 'allOf')) need(() => inPlace(member, view, false))
    if (isSettled(valid, outer)) return false
    if (Object.hasOwn(schema, 'anyOf')) {
      let any = false
      // Each member may see something for `unevaluated…`.
      for (const member of subschemas(schema, 'anyOf'))
        if (!any || tracks || outer.looks !== null) any = inPlace(member, view, true) || any
      if (!any) valid = fail('anyOf', '')
    }
    if (Object.hasOwn(schema, 'oneOf')) {
      let count = 0
      for (const member of subschemas(schema, 'oneOf'))
        if ((count < 2 || outer.looks !== null) && inPlace(member, view, true)) count += 1
      if (count !== 1) valid = fail('oneOf', '')
    }
    if (isSettled(valid, outer)) return false
    const negated = subschema(schema, 'not')
    if (negated !== undefined && judge(negated, value, { ...view, out: null })) valid = fail('not', '')
    const condition = subschema(schema, 'if')
    if (condition !== undefined) {
      const branch = subschema(schema, inPlace(condition, view, true) ? 'then' : 'else')
      if (branch !== undefined) need(() => inPlace(branch, view, true) || fail('if', ''))
    }
    if (isObject(value)) {
      for (const [name, member] of namedSchemas(schema, 'dependentSchemas'))
        if (Object.hasOwn(value, name))
          need(() => inPlace(member, view, true) || fail('dependentSchemas', ''))
      need(() => judgeProperties(schema, value, view, seen, judge, fail))
    } else if (isArray(value)) need(() => judgeItems(schema, value, view, seen, judge, fail))
    if (valid && outer.seen !== null && seen !== null) {
      for (const name of seen.names) outer.seen.names.add(name)
      for (const index of seen.items) outer.seen.items.add(index)
    }
    return valid
  }

  const start = (scope: Scope, out: Breach[] | null, looks: View['looks'] = null): View => ({
    scope,
    looks,
    place: '',
    out,
    seen: null,
    depth: 0,
  })
  return {
    // A value that leads round and round cannot be said to hold.
    holds: (schema, scope, value) => attempt(() => judge(schema, value, start(scope, null))) === true,
    breaches: (schema, scope, value) => {
      const out: Breach[] = []
      return isRefusal(attempt(() => judge(schema, value, start(scope, out)))) ? [] : out
    },
    isLight: (schema, scope, value, most) =>
      !isRefusal(attempt(() => judge(schema, value, start(scope, null, { left: most })))),
  }
}

type Recurse = (schema: Schema, value: Json, view: View) => boolean
type Fail = (keyword: string, detail: string) => false

const below = (view: View, key: string | number): View => ({
  ...view,
  seen: null,
  place: view.out === null ? '' : step(view.place, key),
})

const judgeProperties = (
  schema: SchemaObject,
  value: JsonObject,
  view: View,
  seen: Seen | null,
  judge: Recurse,
  fail: Fail,
): boolean => {
  let valid = true
  // `false` for a name is that name's own fault: told where the object is, by the keyword that closes it.
  const child = (keyword: string, member: Schema, name: string): void => {
    if (isSettled(valid, view)) return
    seen?.names.add(name)
    if (member === false) valid = fail(keyword, '')
    else if (!judge(member, value[name] as Json, below(view, name))) valid = false
  }
  const declared = own(schema, 'properties')
  if (isSchemaObject(declared))
    for (const [name, member] of namedSchemas(schema, 'properties'))
      if (Object.hasOwn(value, name)) child('properties', member, name)
  const patterns = namedSchemas(schema, 'patternProperties')
  for (const [pattern, member] of patterns)
    for (const name of Object.keys(value))
      if (expression(pattern).test(name)) child('patternProperties', member, name)
  const additional = subschema(schema, 'additionalProperties')
  if (additional !== undefined)
    for (const name of Object.keys(value))
      if (
        !(isSchemaObject(declared) && Object.hasOwn(declared, name)) &&
        !patterns.some(([pattern]) => expression(pattern).test(name))
      )
        child('additionalProperties', additional, name)
  const names = subschema(schema, 'propertyNames')
  if (names !== undefined)
    for (const name of Object.keys(value))
      if (!judge(names, name, { ...below(view, name), out: null })) valid = fail('propertyNames', '')
  const rest = subschema(schema, 'unevaluatedProperties')
  if (rest !== undefined && seen !== null)
    for (const name of Object.keys(value))
      if (!seen.names.has(name)) child('unevaluatedProperties', rest, name)
  return valid
}

const judgeItems = (
  schema: SchemaObject,
  value: readonly Json[],
  view: View,
  seen: Seen | null,
  judge: Recurse,
  fail: Fail,
): boolean => {
  let valid = true
  const child = (keyword: string, member: Schema, index: number): void => {
    if (isSettled(valid, view)) return
    seen?.items.add(index)
    if (member === false) valid = fail(keyword, '')
    else if (!judge(member, value[index] as Json, below(view, index))) valid = false
  }
  const prefix = subschemas(schema, 'prefixItems')
  for (let index = 0; index < Math.min(prefix.length, value.length); index += 1)
    child('prefixItems', prefix[index] as Schema, index)
  const items = subschema(schema, 'items')
  if (items !== undefined)
    for (let index = prefix.length; index < value.length; index += 1) child('items', items, index)
  const contained = subschema(schema, 'contains')
  if (contained !== undefined) {
    let count = 0
    value.forEach((item, index) => {
      if (!judge(contained, item, { ...below(view, index), out: null })) return
      count += 1
      seen?.items.add(index)
    })
    const most = countOf(schema, 'maxContains') ?? Number.POSITIVE_INFINITY
    if (count < (countOf(schema, 'minContains') ?? 1) || count > most) valid = fail('contains', '')
  }
  const rest = subschema(schema, 'unevaluatedItems')
  if (rest !== undefined && seen !== null)
    for (let index = 0; index < value.length; index += 1)
      if (!seen.items.has(index)) child('unevaluatedItems', rest, index)
  return valid
}
