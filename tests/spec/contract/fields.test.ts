/**
 * Nothing of a document is dropped in silence: each field of OpenAPI and each keyword of JSON Schema is read, warned about, or has no
 * effect on the wire.
 */
import { expect, test } from 'vitest'
import { loadContract, obligationsOf } from '../../../spec/index.ts'
import { keywords } from '../../../spec/openapi/check/keywords.ts'
import { objects } from '../../../spec/openapi/check/objects.ts'
import { writeDocument } from '../contracts.ts'
import { documentOf, type Node } from './every-object.ts'

/** The fields of each kind of object: `read` by contract and obligations, by the `mock` alone, or of `none` that counts on the wire. */
const fields: Readonly<Record<string, Readonly<Record<'read' | 'mock' | 'none', string>>>> = {
  root: {
    read: 'openapi info servers paths webhooks components security jsonSchemaDialect $self',
    mock: '',
    none: 'tags externalDocs',
  },
  info: { read: 'title version', mock: '', none: 'summary description termsOfService contact license' },
  contact: { read: '', mock: '', none: 'name url email' },
  license: { read: '', mock: '', none: 'name identifier url' },
  server: { read: 'url variables', mock: '', none: 'description name' },
  serverVariable: { read: 'default', mock: '', none: 'enum description' },
  components: {
    read: 'schemas responses parameters requestBodies headers securitySchemes callbacks pathItems mediaTypes links',
    mock: 'examples',
    none: '',
  },
  pathItem: {
    read: '$ref get put post delete options head patch trace query additionalOperations servers parameters',
    mock: '',
    none: 'summary description',
  },
  operation: {
    read: 'operationId parameters requestBody responses callbacks security servers summary description',
    mock: '',
    none: 'tags externalDocs deprecated',
  },
  externalDocs: { read: '', mock: '', none: 'description url' },
  parameter: {
    read: 'name in required allowEmptyValue style explode schema content',
    mock: 'example examples',
    // Reserved characters are sent escaped, which means the same.
    none: 'description deprecated allowReserved',
  },
  requestBody: { read: 'content required', mock: '', none: 'description' },
  media: {
    read: 'schema itemSchema encoding prefixEncoding itemEncoding',
    mock: 'example examples',
    none: '',
  },
  encoding: {
    read: 'contentType headers style explode encoding prefixEncoding itemEncoding',
    mock: '',
    none: 'allowReserved',
  },
  response: { read: 'headers content links', mock: '', none: 'summary description' },
  header: {
    read: 'required style explode schema content',
    mock: 'example examples',
    none: 'description deprecated allowEmptyValue allowReserved',
  },
  example: { read: '', mock: 'value dataValue serializedValue', none: 'summary description externalValue' },
  link: { read: 'operationRef operationId parameters', mock: '', none: 'requestBody description server' },
  tag: { read: '', mock: '', none: 'name summary description externalDocs parent kind' },
  securityScheme: {
    read: 'type name in scheme flows',
    mock: '',
    none: 'description bearerFormat openIdConnectUrl oauth2MetadataUrl deprecated',
  },
  flows: {
    read: 'implicit password clientCredentials authorizationCode deviceAuthorization',
    mock: '',
    none: '',
  },
  flow: { read: 'scopes', mock: 'tokenUrl refreshUrl', none: 'authorizationUrl deviceAuthorizationUrl' },
}

/** Keywords by which no value is judged or written. `$schema` and `$vocabulary` are warned about if they are of another dialect. */
const silent =
  '$comment $vocabulary contentEncoding contentMediaType contentSchema default deprecated description example examples externalDocs title'

const listed = (text: string): readonly string[] => text.split(' ').filter(Boolean)

test('the table has every field that the loader knows', () => {
  const table = Object.entries(fields).map(([kind, { read, mock, none }]) => [
    kind,
    [...listed(read), ...listed(mock), ...listed(none)].sort(),
  ])
  const known = [...objects].map(([kind, names]) => [kind, [...names.keys()].sort()])
  expect(Object.fromEntries(table)).toEqual(Object.fromEntries(known))
})

type Found = { readonly holder: Node; readonly kind: string }

const mapped: Readonly<Record<string, string>> = {
  requestContent: 'media',
  parameters: 'parameter',
  responses: 'response',
}

/** All objects of a document by their kinds. */
const objectsIn = (holder: unknown, kind: string): readonly Found[] => {
  if (typeof holder !== 'object' || holder === null || '$ref' in holder) return []
  const node = holder as Node
  const below = [...(objects.get(kind) ?? [])].flatMap(([name, { holds, many }]) => {
    const value = node[name]
    if (typeof value !== 'object' || value === null) return []
    if (kind === 'root' && name === 'paths')
      return Object.values(value).flatMap(each => objectsIn(each, 'pathItem'))
    if (kind === 'pathItem' && holds === 'any') return objectsIn(value, 'operation')
    const inner = mapped[holds] ?? holds
    if (!objects.has(inner)) return []
    return (many === null && mapped[holds] === undefined ? [value] : Object.values(value)).flatMap(each =>
      objectsIn(each, inner),
    )
  })
  return [{ holder: node, kind }, ...below]
}

const plain: Readonly<Record<string, unknown>> = {
  text: 'other',
  flag: true,
  any: { a: 1 },
  externalDocs: { url: 'https://example.com/other' },
  server: { url: 'https://example.com/other' },
  contact: { name: 'other' },
  license: { name: 'other' },
}

const probes = [[], [1], [1, 1], [1, 1, 1], {}, { a: 1 }, { a: 'x' }, { ab: 1, b: 2 }, 'a', 'ab', 3, 4]

/** What is known of a document: everything but its text. */
const seen = async (document: Node) => {
  const contract = await loadContract({ from: writeDocument('fields.json', JSON.stringify(document)) })
  return {
    operations: contract.operations,
    obligations: obligationsOf(contract).map(({ id, level, requirement, subject }) => [
      id,
      level,
      requirement,
      subject,
    ]),
    told: [...contract.warnings, ...contract.notTested].map(({ message }) => message),
    leftOut: contract.leftOut.map(({ path }) => path),
    judged: contract.operations.flatMap(({ body }) =>
      (body?.media ?? []).map(({ schema }) =>
        probes.map(value => contract.requests.schemas.validator(schema ?? '')(value).length === 0),
      ),
    ),
  }
}

const none = Object.entries(fields).flatMap(([kind, table]) =>
  listed(table.none).map(name => [kind, name] as const),
)

test.each(none)('%s.%s has no effect on the wire', async (kind, name) => {
  const before = await seen(documentOf('3.2.0'))
  const document = documentOf('3.2.0')
  const field = objects.get(kind)?.get(name)
  const found = objectsIn(document, 'root').filter(each => each.kind === kind)
  for (const { holder } of found) {
    if (Object.hasOwn(holder, name) && field?.isRequired !== true) delete holder[name]
    else {
      const value = plain[field?.holds ?? ''] ?? 'other'
      holder[name] = field?.many === 'list' ? [value] : field?.many === 'map' ? {} : value
    }
  }
  // A field in a wrong place is told, which is no effect.
  expect({ ...(await seen(document)), told: before.told }).toEqual(before)
})

const schemaOf = (rest: Node): Node => ({
  openapi: '3.1.0',
  info: { title: 'a', version: '1' },
  paths: {
    '/a': {
      post: {
        requestBody: { content: { 'application/json': { schema: { type: 'string', ...rest } } } },
        responses: { 200: { description: 'ok' } },
      },
    },
  },
})

test.each(listed(silent))('the keyword %s has no effect on the wire', async keyword => {
  const values: Readonly<Record<string, unknown>> = {
    examples: ['a'],
    externalDocs: { url: 'https://example.com' },
    deprecated: true,
    contentSchema: true,
    $vocabulary: {},
  }
  expect(keywords.has(keyword)).toBe(true)
  const changed = await seen(schemaOf({ [keyword]: values[keyword] ?? 'a' }))
  expect(changed).toEqual(await seen(schemaOf({})))
})

/** Each keyword that values are judged by, with a schema in which it counts. */
const counting: Readonly<Record<string, Node>> = {
  additionalProperties: { type: 'object', additionalProperties: false },
  allOf: { allOf: [{ minLength: 2 }] },
  anyOf: { anyOf: [{ minLength: 2 }, { maxLength: 1 }] },
  const: { const: 'a' },
  contains: { type: 'array', contains: { type: 'integer' } },
  dependentRequired: { type: 'object', dependentRequired: { a: ['b'] } },
  dependentSchemas: { type: 'object', dependentSchemas: { a: { required: ['b'] } } },
  discriminator: {
    oneOf: [{ type: 'object' }],
    discriminator: { propertyName: 'a', mapping: { a: 'Gone' } },
  },
  enum: { enum: ['a', 'b'] },
  exclusiveMaximum: { type: 'integer', exclusiveMaximum: 3 },
  exclusiveMinimum: { type: 'integer', exclusiveMinimum: 3 },
  format: { format: 'date' },
  if: { if: { minLength: 2 }, else: false },
  items: { type: 'array', items: { type: 'integer' } },
  maxContains: { type: 'array', contains: { type: 'integer' }, maxContains: 2 },
  maximum: { type: 'integer', maximum: 3 },
  maxItems: { type: 'array', maxItems: 3 },
  maxLength: { maxLength: 3 },
  maxProperties: { type: 'object', maxProperties: 2 },
  minContains: { type: 'array', contains: { type: 'integer' }, minContains: 2 },
  minimum: { type: 'integer', minimum: 3 },
  minItems: { type: 'array', minItems: 3 },
  minLength: { minLength: 3 },
  minProperties: { type: 'object', minProperties: 2 },
  multipleOf: { type: 'integer', multipleOf: 3 },
  not: { not: { const: 'a' } },
  oneOf: { oneOf: [{ minLength: 2 }, { maxLength: 1 }] },
  pattern: { pattern: '^a' },
  patternProperties: { type: 'object', patternProperties: { '^a': { type: 'integer' } } },
  prefixItems: { type: 'array', prefixItems: [{ type: 'integer' }] },
  properties: { type: 'object', properties: { a: { type: 'integer' } } },
  propertyNames: { type: 'object', propertyNames: { minLength: 2 } },
  readOnly: { type: 'object', properties: { a: { type: 'integer', readOnly: true } } },
  required: { type: 'object', required: ['a'] },
  type: { type: 'integer' },
  unevaluatedItems: { type: 'array', prefixItems: [{ type: 'integer' }], unevaluatedItems: false },
  unevaluatedProperties: { type: 'object', unevaluatedProperties: false },
  uniqueItems: { type: 'array', uniqueItems: true },
}

test.each(Object.entries(counting))('the keyword %s counts', async (keyword, schema) => {
  const without = structuredClone(schema)
  const strip = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    delete (node as Node)[keyword]
    Object.values(node).forEach(strip)
  }
  strip(without)
  expect(await seen(schemaOf(schema))).not.toEqual(await seen(schemaOf(without)))
})

test('each keyword that the loader knows is in one of the tables, or names or refers to a schema', () => {
  const naming = '$anchor $defs $dynamicAnchor $dynamicRef $id $ref $schema then else writeOnly xml'
  const all = [...listed(silent), ...Object.keys(counting), ...listed(naming)].sort()
  expect(all).toEqual([...keywords.keys()].sort())
})

test('what the loader does not know is told', async () => {
  const document = documentOf('3.2.0')
  const found = objectsIn(document, 'root').filter(({ kind }) => kind !== 'flows')
  for (const { holder } of found) holder.unknownField = 'a'
  const contract = await loadContract({ from: writeDocument('unknown.json', JSON.stringify(document)) })
  const told = [...contract.warnings, ...contract.leftOut.flatMap(({ problems }) => problems)]
  const lines = new Set(
    told.filter(({ message }) => message.includes('unknownField')).map(({ place }) => place?.pointer),
  )
  expect(lines.size).toBeGreaterThanOrEqual(found.length * 0.9)
})
