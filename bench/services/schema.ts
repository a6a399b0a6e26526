/**
 * A schema of a document as one of JSON Schema 2020-12 that stands alone: what it refers to is below `$defs`, and what OpenAPI 3.0 and
 * Swagger 2.0 write differently is rewritten.
 */
export const selfContained = (schema: unknown, document: Json): Json => {
  const isOld = !/^3\.[1-9]/.test(String(document.openapi ?? ''))
  const names = new Map<string, string>()
  const definitions: Record<string, unknown> = {}
  const convert = (node: unknown): unknown => {
    if (!isObject(node)) return node
    if (typeof node.$ref === 'string' && node.$ref.startsWith('#')) {
      const { $ref, ...others } = node
      return { ...(isOld ? {} : asObject(convert(others))), $ref: define($ref) }
    }
    const entries = Object.entries(node)
      .filter(([keyword]) => !dropped.has(keyword))
      .map(([keyword, value]) => [keyword, converted(keyword, value)])
    const { nullable: _, ...rest } = Object.fromEntries(entries)
    return isOld ? asToday(rest, node) : rest
  }
  const converted = (keyword: string, value: unknown): unknown => {
    if (maps.has(keyword) && isObject(value))
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, convert(each)]))
    if (lists.has(keyword) && Array.isArray(value)) return value.map(convert)
    if (schemas.has(keyword)) return convert(value)
    return value
  }
  const define = (reference: string): string => {
    const known = names.get(reference)
    if (known !== undefined) return `#/$defs/${known}`
    const name = `d${names.size}`
    names.set(reference, name)
    definitions[name] = convert(at(document, reference))
    return `#/$defs/${name}`
  }
  const root = convert(schema)
  return { allOf: [root], $defs: definitions }
}

export type Json = { readonly [name: string]: unknown }

const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const schemas = new Set([
  ...['items', 'additionalProperties', 'not', 'contains', 'if', 'then', 'else', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
])
const dropped = new Set([
  '$id',
  '$schema',
  '$anchor',
  'id',
  'example',
  'examples',
  'discriminator',
  'xml',
  'externalDocs',
])

/** `nullable`, exclusive limits that are flags, `type: file`, and required properties that only requests have. */
const asToday = (schema: Json, { nullable, properties }: Json): Json => {
  if (schema.type === 'file') return {}
  const { 'x-nullable': isNullable, ...rest } = schema
  const isWriteOnly = (name: unknown): boolean =>
    asObject(asObject(properties)[String(name)]).writeOnly === true
  const today: Record<string, unknown> = { ...rest }
  if (Array.isArray(rest.required)) today.required = rest.required.filter(name => !isWriteOnly(name))
  for (const [bound, exclusive] of limits) {
    if (typeof rest[exclusive] !== 'boolean') continue
    delete today[exclusive]
    if (rest[exclusive] !== true || rest[bound] === undefined) continue
    delete today[bound]
    today[exclusive] = rest[bound]
  }
  return nullable === true || isNullable === true ? { anyOf: [today, { type: 'null' }] } : today
}

const limits = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
] as const

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const asObject = (value: unknown): Json => (isObject(value) ? value : {})

/** What a local reference leads to. */
export const at = (document: Json, reference: string): unknown =>
  reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter(name => name !== '')
    .map(name => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (node, name) => (Array.isArray(node) ? node[Number(name)] : asObject(node)[name]),
      document,
    )
