import type { Demand, Demands } from './demand.ts'
import type { SchemaDocument } from './document.ts'
import type { Breach } from './evaluate.ts'
import { stringFormats } from './formats.ts'
import { integerRange } from './integer-range.ts'
import { isSchemaObject, own, type SchemaObject, texts } from './keywords.ts'
import { type Place, placesOf } from './places.ts'

/** A keyword at a place that a value can break. */
export type Target = {
  /** The place: `''` the whole value, `/id`, `/tags/*` for any item, `/~1` for a name with a slash. */
  readonly instance: string
  readonly keyword: string
  /** For `required` and `dependentRequired` the missing name, for `type` the wrong type; else empty. */
  readonly detail: string
}

/** A target with the demands that a value breaking it meets, and the faults that it may have. */
export type Attack = {
  readonly target: Target
  readonly demands: readonly Demand[]
  readonly hits: (breaches: readonly Breach[]) => boolean
}

const typeNames = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const

const whole = new Set([
  ...['enum', 'const', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  ...['minProperties', 'maxProperties', 'propertyNames', 'anyOf', 'oneOf', 'not', 'if', 'dependentSchemas'],
])
const closing = new Set(['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'items'])
// A value of a wrong type is in no enum of right ones: these faults come with it.
const alongWithType = ['type', 'enum', 'const', 'anyOf', 'oneOf', 'not']

/** For every place and keyword the ways to break it, the strictest first. */
export const attacksOn = (document: SchemaDocument, demands: Demands): readonly (readonly Attack[])[] =>
  placesOf(document).flatMap(place =>
    targetsAt(place).map(target => attacks(document, demands, place, target)),
  )

const targetsAt = (place: Place): readonly Target[] => {
  const found = new Map<string, Target>()
  const add = (keyword: string, detail = ''): void => {
    const target = { instance: place.instance, keyword, detail }
    found.set(JSON.stringify(target), target)
  }
  const typed = place.holders.map(({ schema }) => own(schema, 'type')).filter(type => type !== undefined)
  if (typed.length > 0)
    for (const name of typeNames) if (typed.some(type => !listOf(type).includes(name))) add('type', name)
  for (const { schema } of place.holders)
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === 'required') for (const name of texts(value)) add(keyword, name)
      else if (keyword === 'dependentRequired' && isSchemaObject(value))
        for (const name of new Set(Object.values(value).flatMap(texts))) add(keyword, name)
      else if (keyword === 'format' && integerRange(value) === undefined && !stringFormats.has(String(value)))
        continue
      else if (whole.has(keyword) || (closing.has(keyword) && value === false)) add(keyword)
    }
  return [...found.values()]
}

const listOf = (type: unknown): readonly unknown[] => (Array.isArray(type) ? type : [type])

const attacks = (
  document: SchemaDocument,
  demands: Demands,
  place: Place,
  target: Target,
): readonly Attack[] => {
  const named = target.keyword === 'required' || target.keyword === 'dependentRequired'
  const detail = named ? target.detail : null
  const holders = place.holders.filter(({ schema }) => Object.hasOwn(schema, target.keyword))
  const broken =
    target.keyword === 'type'
      ? demands.plain(
          wrongType(
            target.detail,
            holders.flatMap(({ schema }) => listOf(own(schema, 'type'))),
          ),
        )
      : demands.some(holders.map(({ schema, scope }) => demands.break(schema, scope, target.keyword, detail)))
  const near = holders.flatMap(({ schema }) => nearMembers(schema, target.keyword))
  const alternatives = near.length === 0 ? broken : demands.some([broken, demands.plain({ enum: near })])
  const attack = (keywords: readonly string[]): Attack => ({
    target,
    // One demand for the place: two could be met at two items of an array.
    demands: [
      demands.omit(document.schema, document.scope, { steps: place.steps, keywords, detail }),
      demands.below(place.steps, alternatives),
    ],
    hits: breaches => isHit(breaches, target, keywords),
  })
  if (target.keyword === 'type') return [attack(['type']), attack(alongWithType)]
  return [
    attack(target.keyword === 'contains' ? ['contains', 'minContains', 'maxContains'] : [target.keyword]),
  ]
}

// What a server that converts before it checks would take for the right type: `"0"` for 0, `[1]` for 1.
const wrongType = (detail: string, allowed: readonly unknown[]): SchemaObject => {
  const near: unknown[] = []
  if (detail === 'string' && (allowed.includes('integer') || allowed.includes('number')))
    near.push('0', '1', '42', '-7')
  if (detail === 'string' && allowed.includes('boolean')) near.push('true', 'false')
  if (detail === 'string' && allowed.includes('null')) near.push('null', '')
  if (detail === 'number' && allowed.includes('boolean')) near.push(0, 1)
  if (detail === 'array' && allowed.includes('integer')) near.push([1])
  if (detail === 'array' && allowed.includes('string')) near.push(['a'])
  const any = near.length === 0 ? { type: detail } : { anyOf: [{ enum: near }, { type: detail }] }
  return detail === 'number' && allowed.includes('integer') ? { ...any, not: { type: 'integer' } } : any
}

// Members that a careless comparison takes for the same: another case, a blank at an end.
const nearMembers = (schema: SchemaObject, keyword: string): readonly string[] => {
  if (keyword !== 'enum' && keyword !== 'const') return []
  const members = [own(schema, 'enum'), own(schema, 'const')]
    .flat()
    .filter(member => typeof member === 'string')
  return members
    .flatMap(member => [member.toUpperCase(), member.toLowerCase(), `${member} `, ` ${member}`])
    .filter(text => !members.includes(text))
}

const isHit = (breaches: readonly Breach[], target: Target, keywords: readonly string[]): boolean => {
  const [first] = breaches
  if (first === undefined || !matches(target.instance, first.instance)) return false
  const aimed = (breach: Breach): boolean =>
    breach.keyword === target.keyword && (target.detail === '' || breach.detail === target.detail)
  return (
    breaches.some(aimed) &&
    breaches.every(
      breach =>
        breach.instance === first.instance &&
        (aimed(breach) || (breach.keyword !== target.keyword && keywords.includes(breach.keyword))),
    )
  )
}

const matches = (pattern: string, instance: string): boolean => {
  const [wanted, got] = [pattern.split('/'), instance.split('/')]
  return wanted.length === got.length && wanted.every((part, at) => part === '*' || part === got[at])
}
