/** Documents of Swagger 2.0 are converted, and every place is told by its line in the original. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { type Contract, loadContract, obligationsOf, problemLine } from '../../../../spec/index.ts'
import { valueAt } from '../../../../spec/json/pointer.ts'
import { formFieldsOf, operationOf, writeDocument } from '../../contracts.ts'

const path = { in: 'path', name: 'id', type: 'string', required: true }
const list = (name: string, more: object): object => ({
  in: 'query',
  name,
  type: 'array',
  items: { type: 'integer', minimum: 2, collectionFormat: 'csv' },
  ...more,
})

const swagger = {
  swagger: '2.0',
  info: { title: 'Old', version: '1' },
  host: 'example.com',
  basePath: '/v1',
  consumes: ['application/json', 'application/xml'],
  produces: ['application/json'],
  securityDefinitions: {
    basic: { type: 'basic' },
    key: { type: 'apiKey', in: 'query', name: 'key' },
    code: {
      type: 'oauth2',
      flow: 'accessCode',
      authorizationUrl: 'https://example.com/a',
      tokenUrl: 'https://example.com/t',
      scopes: { read: 'to read' },
    },
  },
  parameters: {
    Body: { in: 'body', name: 'anything', required: true, schema: { $ref: '#/definitions/A' } },
    File: { in: 'formData', name: 'file', type: 'file', required: true },
    Page: { in: 'query', name: 'page', type: 'integer', minimum: 1 },
  },
  responses: {
    Shared: {
      description: 'shared',
      schema: { $ref: '#/definitions/A' },
      headers: { 'X-Count': { type: 'integer', maximum: 9 } },
      examples: { 'application/json': { kind: 'a' } },
    },
  },
  definitions: {
    A: {
      type: 'object',
      discriminator: 'kind',
      required: ['kind'],
      properties: { kind: { type: 'string' }, parameters: { type: 'string', 'x-nullable': true } },
    },
  },
  paths: {
    '/a/{id}': {
      parameters: [path],
      post: {
        operationId: 'shared',
        parameters: [{ $ref: '#/parameters/Body' }, { $ref: '#/parameters/Page' }],
        responses: { 200: { $ref: '#/responses/Shared' }, 204: { description: 'nothing' } },
        security: [{ basic: [] }, { code: ['read'] }],
      },
      get: {
        operationId: 'lists',
        parameters: [
          list('csv', {}),
          list('multi', { collectionFormat: 'multi' }),
          list('pipes', { collectionFormat: 'pipes' }),
          list('ssv', { collectionFormat: 'ssv' }),
          list('tsv', { collectionFormat: 'tsv' }),
          { in: 'header', name: 'limit', type: 'number', maximum: 5, exclusiveMaximum: true },
        ],
        responses: {
          200: { description: 'ok', schema: { $ref: '#/paths/~1a~1{id}/put/responses/200/schema' } },
          default: { description: 'a file', schema: { type: 'file' } },
        },
      },
      put: {
        operationId: 'form',
        consumes: ['application/x-www-form-urlencoded'],
        parameters: [
          { in: 'formData', name: 'count', type: 'integer', required: true, description: 'how many' },
          { in: 'formData', name: 'tags', type: 'array', items: { type: 'string' } },
        ],
        responses: { 200: { description: 'ok', schema: { type: 'integer' } } },
      },
      patch: {
        operationId: 'upload',
        parameters: [{ $ref: '#/parameters/File' }, { in: 'formData', name: 'note', type: 'string' }],
        responses: { 200: { description: 'ok' } },
      },
    },
  },
}

const file = writeDocument('old.yaml', stringify(swagger))
const contract: Contract = await loadContract({ from: file })

const lineOf = (pointer: string): string =>
  readFileSync(file, 'utf8').split('\n')[contract.place(pointer).line - 1]?.trim() ?? ''

test('all operations are there, without a warning but for what OpenAPI cannot say', () => {
  expect(contract.operations.map(({ id }) => id)).toEqual(['lists', 'form', 'shared', 'upload'])
  expect(contract.convertedFrom).toBe('Swagger 2.0')
  expect(contract.openapi).toBe('3.0.4')
  expect(contract.leftOut).toEqual([])
  expect(contract.warnings).toEqual([])
  expect(contract.notTested.map(({ message }) => message)).toEqual([
    'the style tsv is not possible in query: use form, spaceDelimited, pipeDelimited, deepObject: the optional parameter is left out',
    'the content of application/xml requests (no `xml` in its schema says how it is written) is not tested',
    'the security scheme "code" is only tested with made-up credentials, as "basic" will do',
  ])
})

test('bodies come from parameters, also shared ones, with all media types that hold', () => {
  const shared = operationOf(contract, 'shared').body
  expect(shared?.required).toBe(true)
  expect(shared?.media.map(({ type }) => type)).toEqual(['application/json', 'application/xml'])
  const validate = contract.requests.schemas.validator(shared?.media[0]?.schema ?? '')
  expect(validate({ kind: 'a', parameters: null })).toEqual([])
  expect(validate({ kind: 1 })).toMatchObject([{ at: '/kind', keyword: 'type' }])
  const form = operationOf(contract, 'form').body
  expect(form?.required).toBe(true)
  expect(form?.media.map(({ type }) => type)).toEqual(['application/x-www-form-urlencoded'])
  expect(formFieldsOf(form).map(({ name, style, explode }) => [name, style, explode])).toEqual([
    ['count', 'form', true],
    ['tags', 'form', false],
  ])
  expect(operationOf(contract, 'upload').body?.media.map(({ type }) => type)).toEqual(['multipart/form-data'])
})

test('parameters and headers get a schema, and lists a style', () => {
  const { parameters } = operationOf(contract, 'lists')
  expect(parameters.map(({ name, in: part, style, explode }) => [name, part, style, explode])).toEqual([
    ['id', 'path', 'simple', false],
    ['csv', 'query', 'form', false],
    ['multi', 'query', 'form', true],
    ['pipes', 'query', 'pipeDelimited', false],
    ['ssv', 'query', 'spaceDelimited', false],
    ['limit', 'header', 'simple', false],
  ])
  const [, csv] = parameters
  expect(contract.requests.schemas.validator(csv?.schema ?? '')([1])).toMatchObject([
    { at: '/0', keyword: 'minimum' },
  ])
  expect(contract.requests.schemas.validator(parameters.at(-1)?.schema ?? '')(5)).toMatchObject([
    { keyword: 'exclusiveMaximum' },
  ])
  expect(operationOf(contract, 'shared').parameters.map(({ name }) => name)).toEqual(['id', 'page'])
})

test('responses have content for each type that is produced', () => {
  const [ok, empty] = operationOf(contract, 'shared').responses
  expect(ok?.media.map(({ type }) => type)).toEqual(['application/json'])
  expect(ok?.headers.map(({ name }) => name)).toEqual(['X-Count'])
  expect(contract.requests.schemas.validator(ok?.headers[0]?.schema ?? '')(10)).toHaveLength(1)
  expect(empty?.media).toEqual([])
  const [referred, bytes] = operationOf(contract, 'lists').responses
  expect(contract.requests.schemas.validator(referred?.media[0]?.schema ?? '')('a')).toMatchObject([
    { keyword: 'type' },
  ])
  expect(bytes?.media.map(({ schema }) => schema)).toEqual([null])
})

test('credentials are those of the definitions', () => {
  expect(
    operationOf(contract, 'shared').security.map(schemes => schemes.map(({ kind, name }) => [kind, name])),
  ).toEqual([[['basic', 'basic']], [['bearer', 'code']]])
})

test('every place is that of the original document', () => {
  const pointers: readonly (readonly [string, string])[] = [
    ['/components/schemas/A/properties/kind/type', 'type: string'],
    ['/components/securitySchemes/code', 'code:'],
    ['/components/parameters/Page/schema/minimum', 'minimum: 1'],
    ['/components/responses/Shared/content/application~1json/schema', 'schema:'],
    ['/components/responses/Shared/headers/X-Count/schema/maximum', 'maximum: 9'],
    ['/paths/~1a~1{id}/post/requestBody', 'Body:'],
    ['/paths/~1a~1{id}/get/parameters/1', '- in: query'],
    [
      '/paths/~1a~1{id}/put/requestBody/content/application~1x-www-form-urlencoded/schema/properties/count',
      '- in: formData',
    ],
    ['/paths/~1a~1{id}/put/responses/200/content/application~1json/schema/type', 'type: integer'],
  ]
  for (const [pointer, line] of pointers) expect([pointer, lineOf(pointer)]).toEqual([pointer, line])
  for (const { clause } of obligationsOf(contract)) expect(clause.place.line).toBeGreaterThan(1)
})

test('a fault is told at its line in the original, and costs as much as elsewhere', async () => {
  const document = structuredClone(swagger) as unknown as { paths: Record<string, Record<string, object>> }
  const item = document.paths['/a/{id}'] as Record<string, object>
  item.post = {
    parameters: [{ in: 'body', name: 'b', schema: { $ref: '#/definitions/Gone' } }],
    responses: {},
  }
  const text = JSON.stringify(document, null, 1)
  const read = await loadContract({ from: writeDocument('old.json', text) })
  expect(read.operations.map(({ id }) => id)).toEqual(['lists', 'form', 'upload'])
  expect(read.leftOut.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /a/{id}'])
  const [problem] = read.leftOut.flatMap(({ problems }) => problems)
  expect(problem?.message).toBe('the $ref "#/definitions/Gone" cannot be resolved')
  expect(text.split('\n')[(problem?.place?.line ?? 0) - 1]).toContain('"$ref": "#/definitions/Gone"')
})

test('a parameter whose reference leads nowhere may be the body, but only where there can be one', async () => {
  const operation = { parameters: [{ $ref: '#/parameters/Gone' }], responses: { 200: { description: 'ok' } } }
  const document = { ...structuredClone(swagger), paths: { '/a': { get: operation, post: operation } } }
  const { operations, leftOut } = await loadContract({
    from: writeDocument('old.json', JSON.stringify(document)),
  })
  expect(operations.map(({ method }) => method)).toEqual(['GET'])
  expect(leftOut.map(({ method }) => method)).toEqual(['POST'])
})

test('an unknown version of Swagger is rejected', async () => {
  const from = writeDocument('old.json', JSON.stringify({ swagger: '1.2' }))
  await expect(loadContract({ from })).rejects.toThrow(
    /old\.json:1:2: Swagger 1\.2 is not supported: Swagger 2\.0 and OpenAPI 3\.0, 3\.1 and 3\.2 are/,
  )
})

test('the lines of problems are printed as for any document', () => {
  expect(contract.notTested.map(problemLine)[0]).toMatch(/old\.yaml:\d+: the style tsv /)
})

test('of a body and fields of a form, each describes the types that it can be written in', async () => {
  const both = await loadContract({
    from: writeDocument(
      'both.yaml',
      stringify({
        swagger: '2.0',
        info: { title: 'Both', version: '1' },
        paths: {
          '/files': {
            post: {
              consumes: ['application/json', 'multipart/form-data'],
              parameters: [
                {
                  in: 'body',
                  name: 'body',
                  schema: { type: 'object', properties: { url: { type: 'string' } } },
                },
                { in: 'formData', name: 'name', type: 'string', required: true },
                { in: 'formData', name: 'file', type: 'file' },
              ],
              responses: { 201: { description: 'made' } },
            },
          },
        },
      }),
    ),
  })
  const { content, required } = valueAt(both.document, '/paths/~1files/post/requestBody') as {
    readonly content: Readonly<Record<string, { readonly schema: object }>>
    readonly required: boolean
  }
  expect(required).toBe(true)
  expect(content['application/json']?.schema).toMatchObject({ properties: { url: { type: 'string' } } })
  expect(content['multipart/form-data']?.schema).toMatchObject({
    required: ['name'],
    properties: { name: { type: 'string' }, file: { format: 'binary' } },
  })
  expect(both.notTested).toEqual([])
})
