/** What is wrong with a document costs no more than it must. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Contract,
  createResponseJudge,
  DocumentError,
  documentNotes,
  loadContract,
  obligationsOf,
  problemLine,
  valueAt,
} from '../../../spec/index.ts'
import { documentWith, operationOf, writeDocument } from '../contracts.ts'
import { documentOf, type Node, placesIn } from './every-object.ts'

type Read = {
  readonly used: readonly string[]
  readonly leftOut: readonly string[]
  readonly warnings: readonly string[]
}

const summary = ({ operations, leftOut, warnings }: Contract): Read => ({
  used: operations.map(({ id }) => id),
  leftOut: leftOut.map(
    ({ method, path, problems }) => `${method} ${path}: ${problems.map(({ message }) => message).join('; ')}`,
  ),
  warnings: warnings.map(({ message }) => message),
})

const load = (document: object): Promise<Contract> =>
  loadContract({ from: writeDocument('a.json', JSON.stringify(document, null, 1)) })

const responses = { 200: { description: 'ok' } }
const good = { operationId: 'good', responses }
const body = (schema: unknown) => ({ content: { 'application/json': { schema } } })
const answer = (schema: unknown) => ({ 200: { description: 'ok', ...body(schema) } })

/** A document of one operation that is always right, and others. */
const withPaths = (paths: object, rest: object = {}): object => ({
  ...JSON.parse(documentWith()),
  paths: { '/good': { get: good }, ...paths },
  ...rest,
})

const post = (requestBody: unknown, more: object = {}): object => ({
  '/a': { post: { operationId: 'bad', requestBody, responses, ...more } },
})

const warned: readonly (readonly [name: string, document: object, warning: RegExp])[] = [
  [
    'an unknown field',
    withPaths({}, { unknown: 1 }),
    /^the document has no field "unknown" in OpenAPI 3\.1$/,
  ],
  ['no info', { openapi: '3.1.0', paths: { '/good': { get: good } } }, /must have required property 'info'/],
  [
    'a number for a version',
    withPaths({}, { info: { title: 'A', version: 1 } }),
    /version must be a text: put it/,
  ],
  [
    'a number for OpenAPI',
    withPaths({}, { openapi: 3.1 }),
    /openapi must be a text: put it in quotation marks/,
  ],
  [
    'a tag without a name',
    withPaths({}, { tags: [{ description: null }] }),
    /must have required property 'name'/,
  ],
  [
    'numbers for the values of a server variable',
    withPaths({}, { servers: [{ url: '/{v}', variables: { v: { enum: [1], default: '1' } } }] }),
    /enum\/0 must be a text/,
  ],
  [
    'examples of a schema as a map',
    withPaths({}, { components: { schemas: { A: { examples: { a: 1 } } } } }),
    /^examples must be a list$/,
  ],
  [
    'a dead reference that no operation needs',
    withPaths({}, { components: { schemas: { A: { $ref: '#/components/schemas/Gone' } } } }),
    /the \$ref "#\/components\/schemas\/Gone" cannot be resolved/,
  ],
  [
    'a dead reference to an example',
    withPaths({
      '/a': {
        get: {
          ...good,
          operationId: 'a',
          responses: {
            200: {
              description: 'ok',
              content: { 'application/json': { examples: { a: { $ref: '#/gone' } } } },
            },
          },
        },
      },
    }),
    /the \$ref "#\/gone" cannot be resolved/,
  ],
  [
    'an operationId used twice',
    withPaths({ '/a': { get: good } }),
    /the operationId "good" is used twice: this operation gets an id of its own/,
  ],
  [
    'a security scheme that is not declared',
    withPaths({ '/a': { get: { ...good, operationId: 'a', security: [{ key: [] }] } } }),
    /the security scheme "key" is not declared/,
  ],
  [
    'a header without a schema',
    withPaths({
      '/a': { get: { operationId: 'a', responses: { 200: { description: 'ok', headers: { 'X-A': {} } } } } },
    }),
    /the header must have required property 'schema' or 'content'/,
  ],
  [
    'a keyword of a response that cannot be read',
    withPaths({ '/a': { get: { operationId: 'a', responses: answer({ type: 'integer', minimum: '1' }) } } }),
    /the schema is invalid: minimum must be a number/,
  ],
  [
    'an enum without a member of the type',
    withPaths({
      '/a': { get: { operationId: 'a', responses: answer({ type: 'array', enum: ['x'] }) } },
    }),
    /^no value meets both type and enum: a response may have any value here, and a request has none$/,
  ],
  [
    'a type beside alternatives of others',
    withPaths(
      {
        '/a': {
          get: {
            operationId: 'a',
            responses: answer({
              type: 'null',
              oneOf: [{ type: 'string' }, { $ref: '#/components/schemas/N' }],
            }),
          },
        },
      },
      { components: { schemas: { N: { type: 'number' } } } },
    ),
    /^no value meets both type and oneOf: /,
  ],
  [
    'a webhook that is wrong',
    withPaths({}, { webhooks: { made: { post: { respones: {} } } } }),
    /post has no field "respones"/,
  ],
]

test.each(warned)(
  '%s is a warning with its line, and an error if the document is read strictly',
  async (_name, document, warning) => {
    const contract = await load(document)
    expect(contract.operations.map(({ id }) => id)).toContain('good')
    expect(contract.leftOut).toEqual([])
    expect(contract.warnings.map(({ message }) => message)).toContainEqual(expect.stringMatching(warning))
    for (const problem of contract.warnings) expect(problemLine(problem)).toMatch(/a\.json:\d+: /)
    expect(obligationsOf(contract).length).toBeGreaterThan(0)
    const strict = loadContract({
      from: writeDocument('a.json', JSON.stringify(document)),
      strictDocument: true,
    })
    await expect(strict).rejects.toThrow(DocumentError)
  },
)

const gone = { $ref: '#/components/schemas/Gone' }
const parameter = (more: object) => [{ name: 'q', in: 'query', schema: { type: 'string' }, ...more }]
const get = (more: object, path = '/a') => ({ [path]: { get: { operationId: 'bad', responses, ...more } } })

const unusable: readonly (readonly [name: string, paths: object, reason: RegExp])[] = [
  [
    'a dead reference of its body',
    post(body({ properties: { a: { items: gone } } })),
    /"#\/components\/schemas\/Gone" cannot/,
  ],
  [
    'a dead reference of a required parameter',
    get({ parameters: parameter({ required: true, schema: gone }) }),
    /cannot be resolved/,
  ],
  [
    'a dead reference to the parameter of its path',
    get({ parameters: [{ $ref: '#/gone' }] }, '/a/{x}'),
    /"#\/gone" cannot be resolved/,
  ],
  [
    'a keyword of its body that cannot be read',
    post(body({ type: 'integer', minimum: '1' })),
    /minimum must be a number/,
  ],
  [
    'a pattern that is none',
    post(body({ type: 'string', pattern: '(' })),
    /pattern must be a regular expression/,
  ],
  ['a path without a slash', get({}, 'a'), /the path "a" does not begin with a slash/],
  ['a path with a query', get({}, '/b?x=1'), /the path "\/b\?x=1" has a query: declare its parameters/],
  ['a path with a fragment', get({}, '/#b'), /the path "\/#b" has a fragment, which no request can send/],
  ['a path parameter without a name', get({}, '/a/{}'), /a parameter in the path \/a\/\{\} has no name/],
  [
    'the template of another',
    {
      ...get({ parameters: parameter({ name: 'x', in: 'path', required: true }) }, '/b/{x}'),
      '/b/{y}': { get: { parameters: parameter({ name: 'y', in: 'path', required: true }), responses } },
    },
    /is the same as "\/b\/\{x\}"/,
  ],
  [
    'a style that is not possible',
    get({ parameters: parameter({ required: true, style: 'matrix' }) }),
    /the style matrix is not possible in query/,
  ],
  ['a body without content', post({ required: true }), /must have required property 'content'/],
]

test.each(unusable)('an operation with %s is left out, and no other', async (_name, paths, reason) => {
  const contract = await load(withPaths(paths))
  const { used, leftOut, warnings } = summary(contract)
  expect(used).toContain('good')
  expect(used.length + leftOut.length).toBe(1 + Object.keys(paths).length)
  expect(leftOut).toEqual([expect.stringMatching(reason)])
  expect(warnings).toEqual([])
  expect(obligationsOf(contract).some(({ operation }) => operation === 'good')).toBe(true)
})

test('a document of which nothing can be used is rejected with all reasons', async () => {
  const document = withPaths({ ...post(body(gone)), b: { get: { responses } } })
  const { '/good': _, ...paths } = (document as { paths: Record<string, unknown> }).paths
  await expect(load({ ...document, paths })).rejects.toThrow(
    /a\.json:\d+: the \$ref .*Gone" cannot be resolved.*\n.*the path "b" does not begin with a slash/,
  )
})

test('a map that refers to what it is a part of is not copied there, each time twice as large', async () => {
  const parameters = Array.from({ length: 30 }, (_, index) => ({
    name: `p${index}`,
    in: 'query',
    schema: { properties: { $ref: '#' } },
  }))
  const { used, warnings } = summary(await load(withPaths(get({ parameters }))))
  expect(used).toEqual(['good', 'bad'])
  expect(warnings).toContainEqual(expect.stringMatching(/the optional parameter is left out/))
})

test('references that only refer to each other lead nowhere', async () => {
  const parameters = { A: { $ref: '#/components/parameters/B' }, B: { $ref: '#/components/parameters/A' } }
  const contract = await load(withPaths(get({ parameters: [parameters.A] }), { components: { parameters } }))
  const { used, leftOut, warnings } = summary(contract)
  expect([used, leftOut]).toEqual([['good', 'bad'], []])
  expect(warnings).toContainEqual(
    expect.stringMatching(/refers to itself without end: the parameter is left out$/),
  )
})

test('an operation is tested without the responses and parameters whose references lead nowhere', async () => {
  const remote = 'https://shop.test/all.yaml#/'
  const lost = (name: string) => ({ $ref: `${remote}${name}` })
  const contract = await load(
    withPaths(
      get({
        parameters: [lost('p'), { $ref: '#/gone' }, ...parameter({}), { $ref: '#/components/parameters/x' }],
        responses: {
          ...answer({ type: 'object' }),
          400: lost('r'),
          404: { $ref: '#/components/responses/not' },
          500: { description: 'no', headers: { 'X-A': lost('h') }, ...body(lost('s')) },
          503: 'none',
        },
      }),
      { components: { parameters: { x: lost('q') }, responses: { not: lost('t') } } },
    ),
  )
  const { used, leftOut, warnings } = summary(contract)
  expect([used, leftOut]).toEqual([['good', 'bad'], []])
  const operation = operationOf(contract, 'bad')
  expect(operation.parameters.map(({ name }) => name)).toEqual(['q'])
  expect(operation.responses.map(({ status, media }) => [status, media.map(({ schema }) => schema)])).toEqual(
    [
      ['200', [expect.any(String)]],
      ['400', []],
      ['404', []],
      ['500', [expect.any(String)]],
      ['503', []],
    ],
  )
  expect(warnings.filter(text => text.includes('declared twice'))).toEqual([])
  expect(warnings).toContainEqual(
    '503 must be an object: the status counts as declared, and its body is not checked',
  )
  const judge = createResponseJudge(contract, operation)
  const headers = [['Content-Type', 'application/json']] as const
  const answered = (status: number) => judge({ status, headers, body: Buffer.from('1') }, undefined)
  expect([400, 404, 500, 503].flatMap(answered)).toEqual([])
  expect(answered(401)).toHaveLength(1)
  expect([...contract.unresolved].sort()).toEqual(
    ['#/gone', ...['h', 'p', 'q', 'r', 's', 't'].map(name => `${remote}${name}`)].sort(),
  )
  expect(documentNotes(contract)).toEqual([
    expect.stringMatching(
      /^7 references of the document could not be resolved, so what they stand for is not checked: .*https:\/\/shop\.test\/all\.yaml#\/r.* and 2 more$/,
    ),
  ])
})

test('what can be spared of an operation is left out alone', async () => {
  const contract = await load(
    withPaths({
      '/a': {
        post: {
          operationId: 'a',
          parameters: [
            ...parameter({ schema: gone }),
            { name: 'p', in: 'query', schema: { type: 'integer' } },
          ],
          requestBody: {
            content: {
              'application/json': { schema: { type: 'object' } },
              'application/xml': { schema: gone },
            },
          },
          responses: {
            ...answer({ type: 'object', properties: { a: gone } }),
            404: { description: 'no', headers: { 'X-A': { $ref: '#/gone' } } },
          },
        },
      },
    }),
  )
  const operation = operationOf(contract, 'a')
  expect(operation.parameters.map(({ name }) => name)).toEqual(['p'])
  expect(operation.body?.media.map(({ type }) => type)).toEqual(['application/json'])
  expect(operation.responses.map(({ status, headers }) => [status, headers.length])).toEqual([
    ['200', 0],
    ['404', 0],
  ])
  const validate = contract.requests.schemas.validator(operation.responses[0]?.media[0]?.schema ?? '')
  expect(validate({ a: 1 })).toEqual([])
  expect(validate([])).toHaveLength(1)
  expect(contract.warnings.length).toBe(4)
  expect(contract.leftOut).toEqual([])
})

const older: readonly (readonly [
  name: string,
  schema: object,
  valid: readonly unknown[],
  invalid: readonly unknown[],
])[] = [
  ['nullable in 3.1', { type: 'string', nullable: true }, ['a', null], [1]],
  ['nullable without a type', { nullable: true }, ['a', null, 1], []],
  ['an exclusive minimum of 3.0', { type: 'integer', minimum: 3, exclusiveMinimum: true }, [4], [3]],
  [
    'a list of items',
    { type: 'array', items: [{ type: 'string' }], additionalItems: false },
    [['a']],
    [[1], ['a', 'b']],
  ],
  ['dependencies', { type: 'object', dependencies: { a: ['b'] } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
  [
    'a schema of draft 4',
    { $schema: 'http://json-schema.org/draft-04/schema#', id: 'x', type: 'integer' },
    [1],
    ['a'],
  ],
  ['a type of a programming language', { type: 'int' }, [1], ['a', 1.5]],
  ['a type in capitals', { type: 'String' }, ['a'], [1]],
  ['types of a programming language', { type: ['bool', 'null'] }, [true, null], ['a']],
  ['an asynchronous schema', { $async: true, type: 'integer' }, [1], ['a']],
]

test.each(older)('%s is read as it was meant, with a warning', async (name, schema, valid, invalid) => {
  const contract = await load(withPaths({}, { components: { schemas: { A: schema } } }))
  const validate = contract.requests.schemas.validator('/components/schemas/A')
  for (const value of valid) expect(validate(value as never)).toEqual([])
  for (const value of invalid) expect(validate(value as never).length).toBeGreaterThan(0)
  expect(contract.warnings.length).toBe(name === 'an asynchronous schema' ? 0 : 1)
})

test('OpenAPI 3.0 reads nullable and exclusive limits without a word, and newer keywords with one', async () => {
  const schema = { type: 'integer', nullable: true, minimum: 3, exclusiveMinimum: true, const: 4 }
  const contract = await load(withPaths({}, { openapi: '3.0.3', components: { schemas: { A: schema } } }))
  expect(summary(contract).warnings).toEqual([
    expect.stringContaining('nullable is contradicted by const'),
    'a schema has no keyword "const" in OpenAPI 3.0: it is read as in OpenAPI 3.1',
  ])
  const validate = contract.requests.schemas.validator('/components/schemas/A')
  expect([3, 4, 5, null].map(value => validate(value).length > 0)).toEqual([true, false, true, false])
})

test.each([
  ['^a\\-b$', 'a-b', 'a_b'],
  ['^[\\w-.]+$', 'a-.', '+'],
  ['^{[0-9]+}$', '{1}', '1'],
  ['^[a\\_\\@]+\\"$', 'a_@"', 'a'],
])('the pattern %s, which is none in Unicode mode, is read without', async (pattern, valid, invalid) => {
  const contract = await load(withPaths(post(body({ type: 'string', pattern }))))
  expect(contract.leftOut).toEqual([])
  expect(summary(contract).warnings).toEqual([
    expect.stringMatching(/^a pattern must be a regular expression of ECMAScript, .*: this one is read as /),
  ])
  const validate = contract.requests.schemas.validator(
    '/paths/~1a/post/requestBody/content/application~1json/schema',
  )
  expect(validate(valid)).toEqual([])
  expect(validate(invalid)).toHaveLength(1)
})

test('nothing in extensions, examples and values is a reference, an identifier or a keyword', async () => {
  const trap = { $ref: 'gone.yaml', $id: 'same', $anchor: 'same', type: 5 }
  const contract = await load(
    withPaths(
      post({
        content: {
          'application/json': {
            schema: {
              type: 'object',
              example: trap,
              examples: [trap, [trap]],
              default: trap,
              enum: [trap],
              'x-a': trap,
              properties: { example: { $id: 'same', type: 'string' } },
            },
            example: trap,
          },
        },
      }),
      {
        'x-a': trap,
        components: { examples: { a: { value: trap }, b: { value: { ...trap, $id: 'other' } } } },
      },
    ),
  )
  expect(summary(contract)).toEqual({ used: ['good', 'bad'], leftOut: [], warnings: [] })
  const validate = contract.requests.schemas.validator(
    '/paths/~1a/post/requestBody/content/application~1json/schema',
  )
  expect(
    validate({ ...trap, example: 1 })
      .map(({ keyword }) => keyword)
      .sort(),
  ).toEqual(['enum', 'type'])
  expect(JSON.stringify(contract.document)).toContain('gone.yaml')
})

test('a key that is used twice counts as it is written last', async () => {
  const json = documentWith({ '/a': { get: good } }).replace('"title": "A"', '"title": "A",\n"title": "B"')
  const yaml =
    'openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths:\n  /a: { get: { responses: {} } }\n  "/a": { put: { responses: {} } }\n'
  const [first, second] = [
    await loadContract({ from: writeDocument('a.json', json) }),
    await loadContract({ from: writeDocument('a.yaml', yaml) }),
  ]
  expect(first.title).toBe('B')
  expect(first.warnings.map(problemLine)[0]).toMatch(
    /a\.json:5: the key "title" is used twice: only the last one counts$/,
  )
  expect(second.operations.map(({ method }) => method)).toEqual(['PUT'])
  expect(second.place('/paths/~1a/put').line).toBe(5)
  expect(second.warnings.map(problemLine)[0]).toMatch(/a\.yaml:5: the key "\/a" is used twice/)
})

test('files may refer to each other and back, in circles', async () => {
  const root = writeDocument(
    'api.json',
    JSON.stringify({
      ...withPaths({ '/a': { $ref: 'paths/a.yaml' } }),
      components: {
        schemas: { Node: { type: 'object', properties: { next: { $ref: 'schemas/node.yaml#/Next' } } } },
      },
    }),
  )
  const folder = dirname(root)
  for (const name of ['paths', 'schemas']) mkdirSync(join(folder, name))
  writeFileSync(
    join(folder, 'paths/a.yaml'),
    "post:\n  operationId: a\n  requestBody: { content: { application/json: { schema: { $ref: '../api.json#/components/schemas/Node' } } } }\n  responses: { 200: { description: ok } }\n",
  )
  writeFileSync(
    join(folder, 'schemas/node.yaml'),
    "Next:\n  description: with a field beside the reference\n  required: [more]\n  $ref: '#/Other'\nOther:\n  type: object\n  properties:\n    back: { $ref: '../api.json#/components/schemas/Node' }\n    self: { $ref: '#/Next' }\n",
  )
  const contract = await loadContract({ from: root })
  expect(summary(contract)).toEqual({ used: ['good', 'a'], leftOut: [], warnings: [] })
  const schema = operationOf(contract, 'a').body?.media[0]?.schema ?? ''
  const validate = contract.requests.schemas.validator(schema)
  expect(validate({ next: { more: 1, back: { next: { more: 1 } }, self: { more: 1 } } })).toEqual([])
  expect(validate({ next: { more: 1, back: { next: { self: 5, more: 2 } } } })).toMatchObject([
    { at: '/next/back/next/self' },
  ])
  expect(validate({ next: { more: 1, self: {} } })).toMatchObject([{ keyword: 'required' }])
  const place = contract.place('/paths/~1a/post/responses')
  expect(place).toMatchObject({ line: 4, pointer: '/post/responses' })
  expect(place.file).toMatch(/paths\/a\.yaml$/)
})

test('the mapping of a discriminator may name files as well', async () => {
  const root = writeDocument('api.json', JSON.stringify(withPaths(post(body({ $ref: 'pets.yaml#/Pet' })))))
  writeFileSync(
    join(dirname(root), 'pets.yaml'),
    "Pet:\n  oneOf: [{ $ref: '#/Cat' }, { $ref: 'dog.yaml' }]\n  discriminator: { propertyName: kind, mapping: { cat: '#/Cat', dog: dog.yaml, bird: Bird } }\nCat: { type: object }\n",
  )
  writeFileSync(join(dirname(root), 'dog.yaml'), 'type: object\nrequired: [kind]\n')
  const { document, warnings } = await loadContract({ from: root })
  const at = '/paths/~1a/post/requestBody/content/application~1json/schema'
  expect(valueAt(document, `${at}/discriminator/mapping`)).toEqual({
    cat: '#/components/schemas/Cat',
    dog: '#/components/schemas/dog',
    bird: 'Bird',
  })
  expect(valueAt(document, '/components/schemas/dog/required')).toEqual(['kind'])
  expect(warnings.map(({ message }) => message)).toEqual([
    'the mapping of the discriminator leads nowhere for "bird": Bird is no schema',
  ])
})

test.each([300, 2000])('a ring of %d schemas can be read and used', async count => {
  const schemas = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `S${index}`,
      {
        type: 'object',
        required: ['value'],
        properties: {
          value: { type: 'integer' },
          next: { $ref: `#/components/schemas/S${(index + 1) % count}` },
        },
      },
    ]),
  )
  const contract = await load(
    withPaths(post(body({ $ref: '#/components/schemas/S0' })), { components: { schemas } }),
  )
  const validate = contract.requests.schemas.validator('/components/schemas/S0')
  expect(validate({ value: 1, next: { value: 2 } })).toEqual([])
  expect(validate({ value: 1, next: { value: 'a' } })).toMatchObject([
    { at: '/next/value', keyword: 'type', constraint: 'integer' },
  ])
  expect(obligationsOf(contract).length).toBeGreaterThan(10)
})

test('names of schemas are found as well as pointers', async () => {
  const contract = await load(
    withPaths(post(body({ $ref: '#named' })), {
      components: {
        schemas: {
          A: {
            $anchor: 'named',
            type: 'object',
            properties: {
              b: { $ref: 'https://example.com/b' },
              c: { $ref: 'https://example.com/b#/properties/d' },
            },
          },
          B: { $id: 'https://example.com/b', type: 'object', properties: { d: { type: 'integer' } } },
        },
      },
    }),
  )
  expect(summary(contract)).toEqual({ used: ['good', 'bad'], leftOut: [], warnings: [] })
  const validate = contract.requests.schemas.validator('/components/schemas/A')
  expect(validate({ b: { d: 1 }, c: 2 })).toEqual([])
  expect(validate({ b: { d: 'x' }, c: 'y' }).map(({ at }) => at)).toEqual(['/b/d', '/c'])
})

test('of two schemas with one anchor, what needs one of them is left out, with its line', async () => {
  const list = (name: string) => ({
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { [name]: { $dynamicRef: '#node' } },
  })
  const own = { ...list('c'), $id: 'https://example.com/own' }
  const requestFor = (name: string) => ({
    post: { operationId: name, requestBody: body({ $ref: `#/components/schemas/${name}` }), responses },
  })
  const contract = await load(
    withPaths(
      { '/a': requestFor('A'), '/b': requestFor('B'), '/c': requestFor('C') },
      { components: { schemas: { A: list('a'), B: list('b'), C: own } } },
    ),
  )
  expect(summary(contract)).toEqual({
    used: ['good', 'B', 'C'],
    leftOut: [
      'POST /a: the schema is invalid: the $dynamicAnchor "node" is also used by #/components/schemas/B',
    ],
    warnings: [],
  })
})

test('a document that nests too deeply is rejected in one line', async () => {
  const deep = `${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_000)}`
  const text = JSON.stringify(withPaths({}, { components: { schemas: { A: 0 } } })).replace(
    '"A":0',
    `"A":${deep}`,
  )
  await expect(loadContract({ from: writeDocument('a.json', text) })).rejects.toThrow(
    /a\.json is nested too deeply to be read$/,
  )
})

test('webhooks and callbacks are named as not tested', async () => {
  const callbacks = { done: { '{$request.body#/url}': { post: { responses } } } }
  const contract = await load(
    withPaths(
      { '/a': { get: { ...good, operationId: 'a', callbacks } } },
      { webhooks: { made: { post: { responses } } } },
    ),
  )
  expect(contract.notTested.map(({ message }) => message)).toEqual([
    'the callback "done" is not tested',
    'the webhook "made" is not tested',
  ])
  expect(contract.warnings).toEqual([])
  await expect(
    load({ ...withPaths({}, { webhooks: { made: { post: { responses } } } }), paths: {} }),
  ).rejects.toThrow(/the document declares no operation: the webhook "made" is not tested/)
})

test('header parameters that HTTP itself sets are named as not tested', async () => {
  const header = (name: string): object => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
  })
  const parameters = ['Content-Length', 'Accept', 'X-Mine'].map(header)
  const contract = await load(
    withPaths({ '/a': { parameters: [header('Expect')], get: { ...good, operationId: 'a', parameters } } }),
  )
  expect(operationOf(contract, 'a').parameters.map(({ name }) => name)).toEqual(['X-Mine'])
  expect(contract.notTested.map(({ message }) => message)).toEqual([
    'the header parameter Content-Length is not tested: HTTP sets it',
    'the header parameter Expect is not tested: HTTP sets it',
  ])
})

test('an operation that is left out has no requirement, and its contract is the same when it is read again', async () => {
  const contract = await load(withPaths(post(body(gone))))
  expect(obligationsOf(contract).some(({ operation }) => operation === 'bad')).toBe(false)
  const again = await load(contract.document)
  expect(again.digest).toBe(contract.digest)
  expect(again.operations.map(({ id }) => id)).toEqual(['good'])
})

const oddities: readonly unknown[] = [
  ...[null, 5, -1, 'text', '', true, '(', '#/x'],
  ...[[], {}, ['x'], [null], [{}], { a: 1 }, { type: 'string' }],
  ...['#/components/schemas/C', '#/gone', '#', '#/paths', 'gone.yaml'].map($ref => ({ $ref })),
  { allOf: [{ $ref: '#/components/schemas/C' }] },
]

const oddNames = [
  'example',
  'nullable',
  'items',
  'properties',
  'x-a',
  '$ref',
  '$id',
  'type',
  'allOf',
  'definitions',
]

/** The place of a change, by a number, so that earlier changes may have removed what was there. */
type Change = readonly [place: number, odd: unknown, name: string | null]

const withChanges = (openapi: string, changes: readonly Change[]): Node => {
  const document = structuredClone(documentOf(openapi))
  for (const [place, odd, name] of changes) {
    const places = placesIn(document, []).filter(({ length }) => length > 0)
    const at = places[place % places.length] ?? []
    const holder = at.slice(0, -1).reduce<Node>((node, key) => node[key] as Node, document)
    const key = name === null || Array.isArray(holder) ? (at.at(-1) ?? '') : name
    holder[key] = structuredClone(odd)
  }
  return document
}

test('whatever is wrong with a document, it is used or rejected, and nothing that is used fails', async () => {
  const change = fc.tuple(
    fc.nat(10_000),
    fc.constantFrom(...oddities),
    fc.option(fc.constantFrom(...oddNames)),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('3.0.3', '3.1.0', '3.2.0'),
      fc.array(change, { minLength: 1, maxLength: 5 }),
      async (openapi, changes) => {
        const contract = await load(withChanges(openapi, changes)).catch((error: unknown) => {
          if (error instanceof DocumentError) return null
          throw error
        })
        if (contract === null) return
        expect(obligationsOf(contract).length).toBeGreaterThan(0)
        for (const { body, responses, parameters } of contract.operations) {
          const media = [...(body?.media ?? []), ...responses.flatMap(response => response.media)]
          for (const { schema } of [...media, ...responses.flatMap(({ headers }) => headers), ...parameters])
            if (schema !== null)
              for (const { schemas } of [contract.requests, contract.responses])
                schemas.validator(schema)({ a: 1 })
        }
        for (const { place } of contract.warnings) expect(place?.line).toBeGreaterThan(0)
      },
    ),
    { numRuns: 150 },
  )
})

test('a part of a YAML document that contains itself is rejected in one line', async () => {
  const text = `openapi: 3.1.0\ninfo: { title: A, version: "1" }\npaths: {}\nx-a: &a\n  b: *a\n`
  await expect(loadContract({ from: writeDocument('a.yaml', text) })).rejects.toThrow(DocumentError)
})

test('a schema that several YAML aliases share is as wrong at each of them', async () => {
  const text = `openapi: 3.1.0
info: { title: A, version: "1" }
paths:
  /a:
    get: { responses: { 200: { description: ok, content: { application/json: { schema: &s { type: integer, minimum: "1" } } } } } }
    post: { requestBody: { content: { application/json: { schema: *s } } }, responses: { 200: { description: ok } } }
`
  const { operations, leftOut } = await loadContract({ from: writeDocument('a.yaml', text) })
  expect(operations.map(({ method }) => method)).toEqual(['GET'])
  expect(leftOut.map(({ method }) => method)).toEqual(['POST'])
})
