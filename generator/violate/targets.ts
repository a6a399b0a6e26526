/**
 * Violating a schema on purpose: which keyword at which location a value can violate (`schema-locations.ts` finds the locations),
 * and the constraints on a value that violates this one and nothing else.
 */
import type { Constraint, ConstraintFactory } from '../constraints/constraint.ts'
import { canBreak } from '../constraints/negate.ts'
import { stringFormats } from '../domains/formats.ts'
import { integerRange } from '../domains/integer-range.ts'
import type { KeywordViolation } from '../oracles/evaluation.ts'
import type { SchemaDocument } from '../read/document.ts'
import { ownProperty, type SchemaObject, stringsIn } from '../read/keywords.ts'
import { type SchemaLocation, schemaLocations } from './schema-locations.ts'

/** A keyword at a location that a value can violate. */
export type ViolationTarget = {
  /** The location: `''` is the whole value, `/id`, `/tags/*` is any item, `/~1` a name with a slash. */
  readonly instance: string
  readonly keyword: string
  /** For `required` the missing name, for `type` the wrong type; else empty. */
  readonly detail: string
}

/** How to violate a target: the constraints on the value, and whether its violations are the intended ones alone. */
export type ViolationRecipe = {
  readonly target: ViolationTarget
  readonly constraints: readonly Constraint[]
  readonly isHit: (violations: readonly KeywordViolation[]) => boolean
}

const typeNames = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const

/** Keywords that are broken part by part, or only lead to other schemas; all others that can be broken are targets as a whole. */
const withParts = new Set([
  ...['type', 'required', 'allOf', '$ref', '$dynamicRef'],
  ...['properties', 'patternProperties', 'prefixItems'],
])
/** Keywords that are targets if they are `false`. */
const closingKeywords = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'items',
])
// A value of a wrong type is in no `enum` of right ones: it may violate these too.
const alongWithType = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'not']

/** The ways to violate one target, the strictest first; there is at least one. */
type Recipes = readonly [ViolationRecipe, ...ViolationRecipe[]]

/** For every location and keyword the recipes to violate it, the strictest first. */
export const violationRecipes = (
  document: SchemaDocument,
  constrain: ConstraintFactory,
): readonly Recipes[] =>
  schemaLocations(document).flatMap(location =>
    targetsAt(location).map(target => recipesFor(document, constrain, location, target)),
  )

const targetsAt = ({ instance, schemas }: SchemaLocation): readonly ViolationTarget[] => {
  const found = new Map<string, ViolationTarget>()
  const add = (keyword: string, detail = ''): void => {
    const target = { instance, keyword, detail }
    found.set(JSON.stringify(target), target)
  }
  const types = schemas.map(({ schema }) => ownProperty(schema, 'type')).filter(type => type !== undefined)
  if (types.length > 0)
    for (const name of typeNames) if (types.some(type => !listOf(type).includes(name))) add('type', name)
  for (const { schema } of schemas)
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'required') for (const name of stringsIn(value)) add(keyword, name)
      else if (keyword === 'format' && integerRange(value) === undefined && !stringFormats.has(String(value)))
        continue
      else if (closingKeywords.has(keyword) ? value === false : canBreak(keyword) && !withParts.has(keyword))
        add(keyword)
    }
  return [...found.values()]
}

const listOf = (type: unknown): readonly unknown[] => (Array.isArray(type) ? type : [type])

const recipesFor = (
  document: SchemaDocument,
  constrain: ConstraintFactory,
  { path, schemas }: SchemaLocation,
  target: ViolationTarget,
): Recipes => {
  const detail = target.keyword === 'required' ? target.detail : null
  const withKeyword = schemas.filter(({ schema }) => Object.hasOwn(schema, target.keyword))
  const violation =
    target.keyword === 'type'
      ? constrain.inline(
          wrongType(
            target.detail,
            withKeyword.flatMap(({ schema }) => listOf(ownProperty(schema, 'type'))),
          ),
        )
      : constrain.anyOf(
          withKeyword.map(({ schema, scope }) =>
            constrain.breakKeyword(schema, scope, target.keyword, detail),
          ),
        )
  const near = withKeyword.flatMap(({ schema }) => nearMembers(schema, target.keyword))
  const preferred =
    near.length === 0 ? violation : constrain.anyOf([violation, constrain.inline({ enum: near })])
  const recipe = (keywords: readonly string[]): ViolationRecipe => ({
    target,
    // One constraint for the location: two might be satisfied by two different items of an array.
    constraints: [
      constrain.satisfyWithout(document.schema, document.scope, { path, keywords, detail }),
      constrain.atPath(path, preferred),
    ],
    isHit: violations => isHit(violations, target, keywords),
  })
  if (target.keyword === 'type') return [recipe(['type']), recipe(alongWithType)]
  return [
    recipe(target.keyword === 'contains' ? ['contains', 'minContains', 'maxContains'] : [target.keyword]),
  ]
}

// What a server that converts before it validates would accept as the right type: `"0"` for 0, `[1]` for 1.
const wrongType = (type: string, allowed: readonly unknown[]): SchemaObject => {
  const near: unknown[] = []
  if (type === 'string' && (allowed.includes('integer') || allowed.includes('number')))
    near.push('0', '1', '42', '-7')
  if (type === 'string' && allowed.includes('boolean')) near.push('true', 'false')
  if (type === 'string' && allowed.includes('null')) near.push('null', '')
  if (type === 'number' && allowed.includes('boolean')) near.push(0, 1)
  if (type === 'array' && allowed.includes('integer')) near.push([1])
  if (type === 'array' && allowed.includes('string')) near.push(['a'])
  const any = near.length === 0 ? { type } : { anyOf: [{ enum: near }, { type }] }
  return type === 'number' && allowed.includes('integer') ? { ...any, not: { type: 'integer' } } : any
}

// What a careless comparison takes for a member: other case, a space at one end.
const nearMembers = (schema: SchemaObject, keyword: string): readonly string[] => {
  if (keyword !== 'enum' && keyword !== 'const') return []
  const members = [ownProperty(schema, 'enum'), ownProperty(schema, 'const')]
    .flat()
    .filter(member => typeof member === 'string')
  return members
    .flatMap(member => [member.toUpperCase(), member.toLowerCase(), `${member} `, ` ${member}`])
    .filter(text => !members.includes(text))
}

/** True if the target is violated, and at its location nothing else but `keywords`, and nothing elsewhere. */
const isHit = (
  violations: readonly KeywordViolation[],
  target: ViolationTarget,
  keywords: readonly string[],
): boolean => {
  const [first] = violations
  if (first === undefined || !matches(target.instance, first.instance)) return false
  const isIntended = ({ keyword, detail }: KeywordViolation): boolean =>
    keyword === target.keyword && (target.detail === '' || detail === target.detail)
  return (
    violations.some(isIntended) &&
    violations.every(
      violation =>
        violation.instance === first.instance &&
        (isIntended(violation) ||
          (violation.keyword !== target.keyword && keywords.includes(violation.keyword))),
    )
  )
}

const matches = (pattern: string, instance: string): boolean => {
  const [expected, actual] = [pattern.split('/'), instance.split('/')]
  return (
    expected.length === actual.length &&
    expected.every((segment, at) => segment === '*' || segment === actual[at])
  )
}
