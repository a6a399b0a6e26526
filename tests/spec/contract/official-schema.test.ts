/** Whether a document is in order: this project's own check, which knows what each fault costs, agrees with the official schemas. */
import { validate as validateOld } from '@hyperjump/json-schema/openapi-3-0'
import { validate as validateNew } from '@hyperjump/json-schema/openapi-3-1'
import { validate as validateNewest } from '@hyperjump/json-schema/openapi-3-2'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DocumentError, loadContract } from '../../../spec/index.ts'
import { writeDocument } from '../contracts.ts'

type Node = Record<string, unknown>

const url = 'https://example.com'
const text = { type: 'string' }
const responses = { 200: { description: 'ok' } }

const schema = {
  type: 'object',
  required: ['a'],
  properties: {
    a: { type: 'integer', minimum: 1, format: 'int32' },
    b: { type: 'array', items: { type: 'string', pattern: '^a', maxLength: 3 } },
    c: { $ref: '#/components/schemas/C' },
  },
  additionalProperties: false,
  description: 'all there is',
  example: { a: 1 },
  externalDocs: { url },
  xml: { name: 'x' },
  discriminator: { propertyName: 'a' },
  allOf: [{ type: 'object' }],
}

const components = {
  schemas: { C: { type: 'string', enum: ['a'], default: 'a' } },
  parameters: { P: { name: 'p', in: 'query', schema: { type: 'integer' } } },
  headers: { H: { schema: text } },
  examples: { E: { value: { a: 1 }, description: 'an example' } },
  responses: { R: { description: 'a response' } },
  links: { L: { operationRef: '#/paths/~1a~1{id}/get' } },
  callbacks: { B: { [url]: { get: { responses } } } },
  requestBodies: { Q: { content: { 'text/plain': { schema: text } } } },
  securitySchemes: {
    key: { type: 'apiKey', in: 'header', name: 'k', description: 'a key' },
    http: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    oidc: { type: 'openIdConnect', openIdConnectUrl: url },
    oauth: {
      type: 'oauth2',
      flows: {
        implicit: { authorizationUrl: url, scopes: { read: 'to read' }, refreshUrl: url },
        authorizationCode: { authorizationUrl: url, tokenUrl: url, scopes: {} },
      },
    },
  },
}

const get = {
  tags: ['t'],
  summary: 'short',
  description: 'long',
  operationId: 'g',
  deprecated: true,
  externalDocs: { url },
  parameters: [
    {
      name: 'q',
      in: 'query',
      required: false,
      allowEmptyValue: true,
      style: 'form',
      explode: true,
      schema: { type: 'array', items: text },
      examples: { e: { value: ['a'] } },
    },
    { $ref: '#/components/parameters/P' },
    { name: 'j', in: 'header', content: { 'application/json': { schema: text } } },
    { name: 'c', in: 'cookie', schema: text, example: 'x' },
  ],
  responses: {
    200: {
      description: 'ok',
      headers: {
        'X-A': { required: true, schema: text, style: 'simple' },
        'X-B': { $ref: '#/components/headers/H' },
      },
      content: { 'application/json': { schema, examples: { e: { $ref: '#/components/examples/E' } } } },
      links: {
        l: { operationId: 'g', parameters: { id: '$response.body#/a' } },
        m: { $ref: '#/components/links/L' },
      },
    },
    404: { $ref: '#/components/responses/R' },
    '5XX': { description: 'bad' },
    default: { description: 'anything' },
  },
  security: [{ oauth: ['read'] }, {}],
  callbacks: {
    c: { '{$request.body#/u}': { post: { responses } } },
    d: { $ref: '#/components/callbacks/B' },
  },
}

const post = {
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: { type: 'object', properties: { f: text } },
        encoding: {
          f: {
            contentType: 'text/plain',
            headers: { 'X-C': { schema: text } },
            style: 'form',
            explode: false,
          },
        },
      },
    },
  },
  responses,
}

/** A document with every kind of object. */
const documentOf = (openapi: string): Node => ({
  openapi,
  info: {
    title: 'All',
    version: '1',
    contact: { name: 'n', url, email: 'a@example.com' },
    license: { name: 'MIT', url },
  },
  servers: [
    {
      url: 'https://{h}.example.com',
      variables: { h: { default: 'a', enum: ['a'], description: 'a host' } },
    },
  ],
  tags: [{ name: 't', externalDocs: { url, description: 'more' } }],
  externalDocs: { url },
  security: [{ key: [] }],
  paths: {
    '/a/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: text, style: 'label', explode: true }],
      servers: [{ url: '/' }],
      get,
      post,
      put: { requestBody: { $ref: '#/components/requestBodies/Q' }, responses },
    },
  },
  components,
})

const placesIn = (node: unknown, at: readonly string[]): readonly (readonly string[])[] => [
  at,
  ...(typeof node === 'object' && node !== null
    ? Object.entries(node).flatMap(([name, child]) => placesIn(child, [...at, name]))
    : []),
]

const values = [null, 5, 'text', true, [], {}, ['x'], { a: 1 }]

/** Takes a member out, gives it another value, or adds an unknown one. */
const changed = (openapi: string, at: readonly string[], change: number): Node => {
  const document = structuredClone(documentOf(openapi))
  const holder = at.slice(0, -1).reduce<Node>((node, name) => node[name] as Node, document)
  const name = at.at(-1) ?? ''
  const value = holder[name]
  if (change < values.length) holder[name] = structuredClone(values[change])
  else if (change === values.length && !Array.isArray(holder)) delete holder[name]
  // What is beside a `$ref` is ignored, but for the dialect of these schemas.
  else if (typeof value === 'object' && value !== null && !Array.isArray(value) && !('$ref' in value))
    (value as Node).unknown = 1
  return document
}

/** What the official schemas cannot see. */
const beyond =
  /^discriminator has a field|the document declares no operation|is not declared|is not in the path|cannot be (?:resolved|read)|is not followed|used twice|declared twice|is the same as|refers to/

const versions = [
  ['3.0.3', await validateOld('https://spec.openapis.org/oas/3.0/schema')],
  ['3.1.0', await validateNew('https://spec.openapis.org/oas/3.1/schema-base')],
  ['3.2.0', await validateNewest('https://spec.openapis.org/oas/3.2/schema-base')],
] as const

test.each(versions)(
  'OpenAPI %s: a document with one change is in order if the official schema says so',
  async (openapi, official) => {
    const places = placesIn(documentOf(openapi), []).filter(({ length }) => length > 0)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.nat(values.length + 1), async (at, change) => {
        const document = changed(openapi, at, change)
        const from = writeDocument('a.json', JSON.stringify(document))
        const problems = await loadContract({ from, strictDocument: true }).then(
          () => [],
          (error: unknown) => {
            if (error instanceof DocumentError) return error.problems.map(({ message }) => message)
            throw error
          },
        )
        const isValid = official(document as never).valid
        expect([isValid, problems]).toEqual([
          isValid,
          isValid ? problems.filter(message => beyond.test(message)) : problems,
        ])
        if (!isValid) expect(problems).not.toEqual([])
      }),
      { numRuns: 120 },
    )
  },
)
