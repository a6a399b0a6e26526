/**
 * Constraints are what a value has to satisfy: this schema, the opposite of that one. This sub-room turns a set of them into
 * normal forms, from which values can be built without searching:
 *
 * - `rewrite.ts` reads one constraint keyword by keyword (`satisfy.ts`, `negate.ts`) and gives rewrite steps;
 * - `alternatives.ts` applies the steps, branching wherever a keyword such as `anyOf` leaves a choice;
 * - each branch that does not contradict itself ends as a normal form (`normal-form.ts`).
 */
import type { DynamicScope } from '../read/document.ts'
import type { Schema, SchemaObject } from '../read/keywords.ts'

/** A segment of a path into a value: a named property, a numbered item, any item, or any undeclared property. */
export type PathSegment =
  | { readonly name: string }
  | { readonly index: number }
  | { readonly pattern: string }
  | 'item'
  | 'value'

/** What is left out of a schema so that a value can violate it there: these keywords at the end of the path. */
export type Omission = {
  readonly path: readonly PathSegment[]
  readonly keywords: readonly string[]
  /** The one part that is left out of `required` and the like; null for the whole keyword. */
  readonly detail: string | null
}

export type Constraint = { readonly id: number } & (
  | { readonly kind: 'satisfy'; readonly schema: Schema; readonly scope: DynamicScope }
  | { readonly kind: 'negate'; readonly schema: Schema; readonly scope: DynamicScope }
  | {
      readonly kind: 'break-keyword'
      readonly schema: SchemaObject
      readonly scope: DynamicScope
      readonly keyword: string
      readonly detail: string | null
    }
  | {
      readonly kind: 'satisfy-without'
      readonly schema: SchemaObject
      readonly scope: DynamicScope
      readonly omission: Omission
    }
  | { readonly kind: 'any-of'; readonly members: readonly Constraint[] }
  | { readonly kind: 'at-path'; readonly path: readonly PathSegment[]; readonly constraint: Constraint }
)

/** Makes constraints. Equal constraints are the same object, so that sets of them can be compared by their ids. */
export type ConstraintFactory = {
  readonly satisfy: (schema: Schema, scope: DynamicScope) => Constraint
  readonly negate: (schema: Schema, scope: DynamicScope) => Constraint
  /** Violates this keyword, or one part of it, whatever the value makes of the others. */
  readonly breakKeyword: (
    schema: SchemaObject,
    scope: DynamicScope,
    keyword: string,
    detail: string | null,
  ) => Constraint
  readonly satisfyWithout: (schema: Schema, scope: DynamicScope, omission: Omission) => Constraint
  readonly anyOf: (members: readonly Constraint[]) => Constraint
  readonly atPath: (path: readonly PathSegment[], constraint: Constraint) => Constraint
  /** Satisfies a schema that is part of no document, given by its JSON. */
  readonly inline: (schema: SchemaObject) => Constraint
}

export const createConstraintFactory = (): ConstraintFactory => {
  const numbers = new Map<unknown, number>()
  const numberOf = (value: unknown): number => {
    const known = numbers.get(value)
    if (known !== undefined) return known
    numbers.set(value, numbers.size)
    return numbers.size - 1
  }
  const interned = new Map<string, Constraint>()
  const inlined = new Map<string, SchemaObject>()
  const intern = (key: string, make: (id: number) => Constraint): Constraint => {
    const known = interned.get(key)
    if (known !== undefined) return known
    const constraint = make(interned.size)
    interned.set(key, constraint)
    return constraint
  }
  const schemaKey = (schema: Schema, scope: DynamicScope): string =>
    typeof schema === 'boolean' ? String(schema) : `${numberOf(schema)}@${scope.map(numberOf).join('>')}`
  const satisfy: ConstraintFactory['satisfy'] = (schema, scope) =>
    intern(`satisfy ${schemaKey(schema, scope)}`, id => ({ id, kind: 'satisfy', schema, scope }))
  return {
    satisfy,
    negate: (schema, scope) =>
      intern(`negate ${schemaKey(schema, scope)}`, id => ({ id, kind: 'negate', schema, scope })),
    breakKeyword: (schema, scope, keyword, detail) =>
      intern(`break ${schemaKey(schema, scope)} ${JSON.stringify([keyword, detail])}`, id => ({
        id,
        kind: 'break-keyword',
        schema,
        scope,
        keyword,
        detail,
      })),
    satisfyWithout: (schema, scope, omission) =>
      typeof schema === 'boolean'
        ? satisfy(schema, scope)
        : intern(`without ${schemaKey(schema, scope)} ${JSON.stringify(omission)}`, id => ({
            id,
            kind: 'satisfy-without',
            schema,
            scope,
            omission,
          })),
    anyOf: members =>
      intern(`any ${members.map(({ id }) => id).join(' ')}`, id => ({ id, kind: 'any-of', members })),
    atPath: (path, constraint) =>
      path.length === 0
        ? constraint
        : intern(`at ${JSON.stringify(path)} ${constraint.id}`, id => ({
            id,
            kind: 'at-path',
            path,
            constraint,
          })),
    inline: schema => {
      const text = JSON.stringify(schema)
      const known = inlined.get(text) ?? schema
      inlined.set(text, known)
      return satisfy(known, [])
    },
  }
}

/** The same key for the same set of constraints. */
export const keyOf = (constraints: readonly Constraint[]): string =>
  [...new Set(constraints.map(({ id }) => id))].sort((left, right) => left - right).join(' ')
