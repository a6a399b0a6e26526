import { type DynamicScope, openDocument } from './document.ts'
import {
  isSchemaObject,
  listApplicators,
  namedApplicators,
  ownProperty,
  type Schema,
  type SchemaLookup,
  type SchemaObject,
  singleApplicators,
} from './keywords.ts'
import { throwUnsupported } from './unsupported.ts'

const mostDefinitions = 300
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
 * The same schema without identifiers and dynamic references: every reference points to a definition in `$defs`, one for
 * each schema and dynamic scope. For validators that do not accept the original.
 */
export const resolveReferences = (schema: Schema, lookup: SchemaLookup): Schema => {
  const document = openDocument(schema, undefined, lookup)
  const definitions = new Map<string, { readonly schema: SchemaObject; readonly scope: DynamicScope }>()
  const numbers = new Map<unknown, number>()
  const numberOf = (value: unknown): number => {
    if (!numbers.has(value)) numbers.set(value, numbers.size)
    return numbers.get(value) as number
  }
  const define = (target: Schema, scope: DynamicScope): Schema => {
    if (!isSchemaObject(target)) return target
    const name = `${numberOf(target)}-${scope.map(numberOf).join('-')}`
    if (!definitions.has(name)) definitions.set(name, { schema: target, scope })
    if (definitions.size > mostDefinitions)
      return throwUnsupported('the references of the schema lead to too many schemas')
    return { $ref: `#/$defs/${name}` }
  }
  const copy = (from: unknown, outer: DynamicScope): unknown => {
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
    const alsoApply = (member: Schema): void => {
      made.allOf = [...(Array.isArray(made.allOf) ? made.allOf : []), member]
    }
    // Ajv rejects an empty `enum`.
    if (Array.isArray(made.enum) && made.enum.length === 0) {
      delete made.enum
      alsoApply(false)
    }
    for (const keyword of ['$ref', '$dynamicRef'] as const)
      if (typeof ownProperty(from, keyword) === 'string') {
        const target = document.follow(from, keyword, scope)
        delete made[keyword]
        alsoApply(define(target.schema, target.scope))
      }
    return made
  }
  const main = define(schema, document.scope)
  const copied: Record<string, unknown> = {}
  // Copying a definition may add others, which this loop then reaches.
  for (const [name, { schema: from, scope }] of definitions) copied[name] = copy(from, scope)
  return isSchemaObject(main) ? { ...main, $defs: copied } : main
}
