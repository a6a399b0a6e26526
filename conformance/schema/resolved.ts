import { openDocument, type Scope } from './document.ts'
import {
  isSchemaObject,
  type KnownSchema,
  listApplicators,
  namedApplicators,
  own,
  type Schema,
  type SchemaObject,
  singleApplicators,
} from './keywords.ts'
import { refuse } from './refusal.ts'

const mostParts = 300
const identifiers = [
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$defs',
  'definitions',
  '$schema',
  '$vocabulary',
  '$comment',
]

/**
 * The same schema with every reference resolved to a part of its own, one for each way of reaching it: for a
 * validator that does not take the identifiers, or the dynamic references, as they are.
 */
export const resolved = (schema: Schema, known: KnownSchema): Schema => {
  const document = openDocument(schema, undefined, known)
  const parts = new Map<string, { readonly schema: SchemaObject; readonly scope: Scope }>()
  const numbers = new Map<unknown, number>()
  const number = (thing: unknown): number => {
    if (!numbers.has(thing)) numbers.set(thing, numbers.size)
    return numbers.get(thing) as number
  }
  const part = (target: Schema, scope: Scope): Schema => {
    if (!isSchemaObject(target)) return target
    const name = `${number(target)}-${scope.map(number).join('-')}`
    if (!parts.has(name)) parts.set(name, { schema: target, scope })
    if (parts.size > mostParts) return refuse('the references of the schema lead to too many places')
    return { $ref: `#/$defs/${name}` }
  }
  const copy = (from: unknown, outer: Scope): unknown => {
    if (!isSchemaObject(from)) return from
    const scope = document.enter(from, outer)
    const made: Record<string, unknown> = Object.fromEntries(
      Object.entries(from).filter(([keyword]) => !identifiers.includes(keyword)),
    )
    const named = (value: unknown): unknown =>
      isSchemaObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, child]) => [name, copy(child, scope)]))
        : value
    for (const keyword of Object.keys(made))
      if (singleApplicators.some(name => name === keyword)) made[keyword] = copy(made[keyword], scope)
      else if (namedApplicators.some(name => name === keyword)) made[keyword] = named(made[keyword])
      else if (listApplicators.some(name => name === keyword) && Array.isArray(made[keyword]))
        made[keyword] = (made[keyword] as readonly unknown[]).map(child => copy(child, scope))
    // Ajv takes no empty list.
    if (Array.isArray(made.enum) && made.enum.length === 0) {
      delete made.enum
      made.allOf = [...(Array.isArray(made.allOf) ? made.allOf : []), false]
    }
    for (const keyword of ['$ref', '$dynamicRef'] as const)
      if (typeof own(from, keyword) === 'string') {
        const target = document.follow(from, keyword, scope)
        delete made[keyword]
        made.allOf = [...(Array.isArray(made.allOf) ? made.allOf : []), part(target.schema, target.scope)]
      }
    return made
  }
  const main = part(schema, document.scope)
  const copied: Record<string, unknown> = {}
  // Copying a part may find others, which the map then goes on to.
  for (const [name, { schema: from, scope }] of parts) copied[name] = copy(from, scope)
  return isSchemaObject(main) ? { ...main, $defs: copied } : main
}
