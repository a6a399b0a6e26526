import { isTable, type MutableNode } from '../walk-references.ts'
import { rewriteNullable } from './nullable.ts'

/** Called with a keyword that the version of the document does not have, and what it is read as. */
type Report = (keyword: string, message: string) => void

/**
 * Rewrites what OpenAPI 3.0 and earlier drafts of JSON Schema write differently as JSON Schema 2020-12, in place: `nullable` becomes a
 * type, `exclusiveMinimum: true` a number, a list of `items` `prefixItems`. `isOld`: the document is of OpenAPI 3.0, which has the first two.
 * `isSwagger`: it was converted from Swagger 2.0.
 */
export const rewriteOlder = (
  document: object,
  schema: MutableNode,
  { isOld, isSwagger }: { readonly isOld: boolean; readonly isSwagger: boolean },
  report: Report,
): void => {
  // Swagger 2.0 has no null; this is how its documents say it.
  if (isSwagger && schema['x-nullable'] === true) schema.nullable = true
  if (Object.hasOwn(schema, 'nullable')) {
    if (!isOld)
      report(
        'nullable',
        'nullable is a keyword of OpenAPI 3.0 only, and is read as there: use a list of types',
      )
    rewriteNullable(document, schema, message => report('nullable', message))
  }
  rewriteType(schema, report)
  if (typeof schema.discriminator === 'string') {
    if (!isSwagger)
      report(
        'discriminator',
        'discriminator must be an object with a propertyName; a text is read as in Swagger 2.0',
      )
    schema.discriminator = { propertyName: schema.discriminator }
  }
  rewriteLimit(schema, 'exclusiveMinimum', 'minimum', isOld, report)
  rewriteLimit(schema, 'exclusiveMaximum', 'maximum', isOld, report)
  if (Array.isArray(schema.items)) {
    report('items', 'items must be one schema; a list of them is read as prefixItems')
    schema.prefixItems = schema.items
    delete schema.items
    if (schema.additionalItems !== undefined) schema.items = schema.additionalItems
  }
  delete schema.additionalItems
  if (isTable(schema.dependencies)) {
    report('dependencies', 'dependencies is a keyword of earlier drafts, and is read as there')
    for (const [name, dependency] of Object.entries(schema.dependencies)) {
      const keyword = Array.isArray(dependency) ? 'dependentRequired' : 'dependentSchemas'
      schema[keyword] = { ...(schema[keyword] as object | undefined), [name]: dependency }
    }
    delete schema.dependencies
  }
}

const rewriteLimit = (
  schema: MutableNode,
  exclusive: string,
  inclusive: string,
  isOld: boolean,
  report: Report,
): void => {
  if (isOld && typeof schema[exclusive] === 'number')
    report(exclusive, `${exclusive} must be true or false in OpenAPI 3.0: it is read as in 3.1`)
  if (typeof schema[exclusive] !== 'boolean') return
  if (!isOld) report(exclusive, `${exclusive} must be a number; true is read as in OpenAPI 3.0`)
  if (schema[exclusive] === true && schema[inclusive] !== undefined) {
    schema[exclusive] = schema[inclusive]
    delete schema[inclusive]
  } else delete schema[exclusive]
}

/** What programming languages call the types of JSON Schema, which documents have by mistake. */
const otherNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    integer: ['int', 'int32', 'int64', 'long', 'short', 'bigint'],
    number: ['float', 'double', 'decimal'],
    string: ['str', 'text', 'char', 'byte', 'bytes', 'uuid', 'date', 'datetime'],
    boolean: ['bool'],
    array: ['list', 'set', 'tuple'],
    object: ['dict', 'map'],
  }).flatMap(([type, names]) => [type, ...names].map(name => [name, type] as const)),
)

const rewriteType = (schema: MutableNode, report: Report): void => {
  const { type } = schema
  const read = (name: unknown): unknown => {
    const known = typeof name === 'string' ? otherNames.get(name.toLowerCase()) : undefined
    if (known === undefined || known === name) return name
    report('type', `there is no type ${JSON.stringify(name)}: it is read as ${JSON.stringify(known)}`)
    return known
  }
  if (Array.isArray(type)) schema.type = type.map(read)
  else if (type !== undefined) schema.type = read(type)
}
