/** A document with every kind of object, and changes to it. */

export type Node = Record<string, unknown>

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

export const documentOf = (openapi: string): Node => ({
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

/** The names on the way to every value. */
export const placesIn = (node: unknown, at: readonly string[]): readonly (readonly string[])[] => [
  at,
  ...(typeof node === 'object' && node !== null
    ? Object.entries(node).flatMap(([name, child]) => placesIn(child, [...at, name]))
    : []),
]
