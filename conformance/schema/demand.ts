import type { Scope } from './document.ts'
import type { Schema, SchemaObject } from './keywords.ts'

/** A step down into a value: to a named property, a numbered item, any one item, any one undeclared property. */
export type Step =
  | { readonly name: string }
  | { readonly index: number }
  | { readonly pattern: string }
  | 'item'
  | 'value'

/** What is left out of a schema so that it can be broken: these keywords at the end of these steps. */
export type Omission = {
  readonly steps: readonly Step[]
  readonly keywords: readonly string[]
  /** The one part that is left out of `required` and the like; null for the whole keyword. */
  readonly detail: string | null
}

/** Something that a value has to do. A set of demands is met by a value that meets each. */
export type Demand = { readonly id: number } & (
  | { readonly kind: 'meet'; readonly schema: Schema; readonly scope: Scope }
  | { readonly kind: 'fail'; readonly schema: Schema; readonly scope: Scope }
  | {
      readonly kind: 'break'
      readonly schema: SchemaObject
      readonly scope: Scope
      readonly keyword: string
      readonly detail: string | null
    }
  | {
      readonly kind: 'omit'
      readonly schema: SchemaObject
      readonly scope: Scope
      readonly omission: Omission
    }
  | { readonly kind: 'some'; readonly of: readonly Demand[] }
  | { readonly kind: 'below'; readonly steps: readonly Step[]; readonly demand: Demand }
)

/** Makes demands; the same demand made twice is the same object, so that sets of them can be compared. */
export type Demands = {
  readonly meet: (schema: Schema, scope: Scope) => Demand
  readonly fail: (schema: Schema, scope: Scope) => Demand
  /** Fails this one keyword, or one part of it; the others are another demand's business. */
  readonly break: (schema: SchemaObject, scope: Scope, keyword: string, detail: string | null) => Demand
  readonly omit: (schema: Schema, scope: Scope, omission: Omission) => Demand
  readonly some: (of: readonly Demand[]) => Demand
  readonly below: (steps: readonly Step[], demand: Demand) => Demand
  /** A demand for a schema that stands in no document, given by its JSON. */
  readonly plain: (schema: SchemaObject) => Demand
}

export const createDemands = (): Demands => {
  const numbers = new Map<unknown, number>()
  const number = (thing: unknown): number => {
    const found = numbers.get(thing)
    if (found !== undefined) return found
    numbers.set(thing, numbers.size)
    return numbers.size - 1
  }
  const made = new Map<string, Demand>()
  const plains = new Map<string, SchemaObject>()
  const intern = (key: string, make: (id: number) => Demand): Demand => {
    const found = made.get(key)
    if (found !== undefined) return found
    const demand = make(made.size)
    made.set(key, demand)
    return demand
  }
  const schemaKey = (schema: Schema, scope: Scope): string =>
    typeof schema === 'boolean' ? String(schema) : `${number(schema)}@${scope.map(number).join('>')}`
  const meet: Demands['meet'] = (schema, scope) =>
    intern(`meet ${schemaKey(schema, scope)}`, id => ({ id, kind: 'meet', schema, scope }))
  return {
    meet,
    fail: (schema, scope) =>
      intern(`fail ${schemaKey(schema, scope)}`, id => ({ id, kind: 'fail', schema, scope })),
    break: (schema, scope, keyword, detail) =>
      intern(`break ${schemaKey(schema, scope)} ${JSON.stringify([keyword, detail])}`, id => ({
        id,
        kind: 'break',
        schema,
        scope,
        keyword,
        detail,
      })),
    omit: (schema, scope, omission) =>
      typeof schema === 'boolean'
        ? meet(schema, scope)
        : intern(`omit ${schemaKey(schema, scope)} ${JSON.stringify(omission)}`, id => ({
            id,
            kind: 'omit',
            schema,
            scope,
            omission,
          })),
    some: of => intern(`some ${of.map(({ id }) => id).join(' ')}`, id => ({ id, kind: 'some', of })),
    below: (steps, demand) =>
      steps.length === 0
        ? demand
        : intern(`below ${JSON.stringify(steps)} ${demand.id}`, id => ({ id, kind: 'below', steps, demand })),
    plain: schema => {
      const text = JSON.stringify(schema)
      const known = plains.get(text) ?? schema
      plains.set(text, known)
      return meet(known, [])
    },
  }
}

export const keyOf = (demands: readonly Demand[]): string =>
  [...new Set(demands.map(({ id }) => id))].sort((left, right) => left - right).join(' ')
