/** SwaggerParser follows the references of a document, and validates it: what is ours agrees with it, or a test says why not. */
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import SwaggerParser from '@apidevtools/swagger-parser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DocumentError, loadContract } from '../../../spec/index.ts'
import { bundle } from '../../../spec/openapi/bundle.ts'
import { readFile, readFiles } from '../../../spec/openapi/files.ts'
import { createReader } from '../../../spec/openapi/read-files.ts'
import { createSources } from '../../../spec/openapi/source-map.ts'
import { ordersDocument } from '../../documents/index.ts'
import { emptyFolder } from '../../folder.ts'
import { documentOf, type Node, placesIn } from '../contract/every-object.ts'
import { documentWith, writeDocument } from '../contracts.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const problemsOf = (from: string, officialSchema = false): Promise<readonly string[]> =>
  loadContract({ from, strictDocument: true, officialSchema }).then(
    () => [],
    (error: unknown) => {
      if (error instanceof DocumentError) return error.problems.map(({ message }) => message)
      throw error
    },
  )

const isValid = (from: string): Promise<boolean> =>
  SwaggerParser.validate(from, { resolve: { http: false } }).then(
    () => true,
    () => false,
  )

describe('validation', () => {
  /** Documents that SwaggerParser finds in order, and why this project does not. */
  const beyond: Readonly<Record<string, string>> = {
    'duplicate-operation-id.yaml': 'no JSON Schema compares two operations',
    'no-operations.yaml': 'nothing can be tested',
    'old-dialect.yaml': 'it does not look into the schemas of OpenAPI 3.1',
    'unknown-security.yaml': 'no JSON Schema looks up a name',
    'unknown-anchor.yaml': 'it follows a reference to a name only in a schema with an $id',
    'wrong-schema.yaml': 'it does not look into the schemas of OpenAPI 3.1',
  }
  const documents = globSync(
    [
      'spec/openapi/*.openapi.yaml',
      'examples/shop/*.openapi.yaml',
      'tests/{documents,mock,state}/**/*.openapi.{yaml,json}',
      'tests/documents/broken/*',
    ],
    { cwd: root },
  ).sort()

  test.each(documents)('%s', async file => {
    const from = join(root, file)
    const [theirs, ours] = [await isValid(from), (await problemsOf(from)).length === 0]
    expect(documents.length).toBeGreaterThan(30)
    if (beyond[basename(file)] === undefined) expect(ours).toBe(theirs)
    else expect({ theirs, ours }).toEqual({ theirs: true, ours: false })
  })

  const values = [null, 5, 'text', true, [], {}, ['x'], { a: 1 }]

  test.each(['3.0.3', '3.1.0'])(
    'OpenAPI %s: the official schema tells of one change only what the own check leaves out, and nothing if that finds nothing',
    async openapi => {
      const places = placesIn(documentOf(openapi), []).filter(({ length }) => length > 0)
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...places), fc.constantFrom(...values), async (at, value) => {
          const document = structuredClone(documentOf(openapi))
          const holder = at.slice(0, -1).reduce<Node>((node, name) => node[name] as Node, document)
          holder[at.at(-1) ?? ''] = structuredClone(value)
          const from = writeDocument('a.json', JSON.stringify(document, null, 1))
          const own = await problemsOf(from)
          const more = (await problemsOf(from, true)).filter(message => !own.includes(message))
          expect(own.length === 0 ? more : []).toEqual([])
          if (more.length > 0) expect(await isValid(from)).toBe(false)
        }),
        { numRuns: 50 },
      )
    },
  )

  const path = { in: 'path', name: 'id', type: 'string', required: true }
  const swagger = (operation: object, parameters: readonly object[] = [path]): object => ({
    swagger: '2.0',
    info: { title: 'Old', version: '1' },
    paths: { '/a/{id}': { get: { parameters, responses: { 200: { description: 'ok' } }, ...operation } } },
  })
  test.each([
    ['two bodies', swagger({}, [path, ...['a', 'b'].map(name => ({ in: 'body', name, schema: {} }))])],
    [
      'a body and a form',
      swagger({}, [
        path,
        { in: 'body', name: 'a', schema: {} },
        { in: 'formData', name: 'b', type: 'string' },
      ]),
    ],
    ['no parameter for the path', swagger({}, [])],
    ['a parameter that the path has not', swagger({}, [path, { ...path, name: 'other' }])],
    ['an optional parameter of the path', swagger({}, [{ ...path, required: false }])],
    ['a parameter twice', swagger({}, [path, path])],
    ['a list of anything', swagger({}, [path, { in: 'query', name: 'q', type: 'array' }])],
    ['a status that is none', swagger({ responses: { 999: { description: 'no' } } })],
    ['an unknown field', swagger({ unknown: 1 })],
    ['no responses', swagger({ responses: undefined })],
  ])('Swagger 2.0: both reject %s', async (_name, document) => {
    const from = writeDocument('a.json', JSON.stringify(document))
    expect(await isValid(from)).toBe(false)
    expect(await problemsOf(from, true)).not.toEqual([])
  })

  test('what only SwaggerParser finds is told with the line of the operation, and of the field', async () => {
    const two = ['a', 'b'].map(name => ({ in: 'body', name, schema: {} }))
    const from = writeDocument('a.json', JSON.stringify(swagger({}, [path, ...two]), null, 1))
    const { warnings } = await loadContract({ from, officialSchema: true })
    expect(
      warnings.map(({ message, place }) => ({ message, pointer: place?.pointer, line: place?.line })),
    ).toEqual([
      {
        message: 'Swagger 2.0: /paths/a/{id}/get has 2 body parameters. Only one is allowed',
        pointer: '/paths/~1a~1{id}/get',
        line: 9,
      },
    ])
    const other = writeDocument('b.json', documentWith(undefined, { components: { schemas: null } }))
    expect((await loadContract({ from: other, officialSchema: true })).warnings).toMatchObject([
      { message: 'the official JSON Schema of OpenAPI 3.1: must be object', place: { line: 19 } },
    ])
    expect((await loadContract({ from: other })).warnings).toEqual([])
  })

  test('what the schema of the package has wrong is not told', async () => {
    const from = writeDocument(
      'a.json',
      documentWith(undefined, {
        info: { title: 'A', version: '1', license: { name: 'MIT' } },
        servers: [{ url: 'https://{a}', variables: { a: { default: 'b', description: 'c' } } }],
        components: {
          links: { L: { operationId: 'a', server: { url: '/' } } },
          securitySchemes: { s: { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT' } },
        },
      }),
    )
    expect(await isValid(from)).toBe(false)
    expect((await loadContract({ from, officialSchema: true })).warnings).toEqual([])
  })
})

describe('references', () => {
  const fileOf = (folder: string, name: string, value: object): string => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), JSON.stringify(value, null, 1))
    return join(folder, name)
  }
  const answering = (schema: object): object => ({
    get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } },
  })
  /** The JSON files that are read for a document. */
  const readFor = async (from: string): Promise<readonly string[]> => {
    const reads = new Set<string>()
    await loadContract({ from, reads: path => reads.add(path) })
    return [...reads]
      .map(path => basename(path))
      .filter(name => name.endsWith('.json'))
      .sort()
  }

  test('a file is read for what is a reference, and not for a $ref in an example, an extension or another value', async () => {
    const folder = emptyFolder()
    const literal = { $ref: 'literal.json' }
    const schema = {
      type: 'object',
      properties: { a: { $ref: 'part.json' } },
      default: literal,
      enum: [literal],
      example: { deep: [literal] },
    }
    // What an extension names first and a reference later is read.
    const late = { $ref: 'later.json' }
    const part = { type: 'object', 'x-note': late, properties: { b: { $ref: 'meant.json' }, c: late } }
    for (const [name, value] of Object.entries({
      'literal.json': {},
      'meant.json': { type: 'string' },
      'later.json': { type: 'string' },
      'part.json': part,
    }))
      fileOf(folder, name, value)
    const from = fileOf(
      folder,
      'api.json',
      JSON.parse(documentWith({ '/a': { ...answering(schema), 'x-old': literal } }, { 'x-note': late })),
    )
    expect(await readFor(from)).toEqual(['api.json', 'later.json', 'meant.json', 'part.json'])
  })

  test('below an $id, a reference names the file beside its own, and no address is made of the $id', async () => {
    const folder = emptyFolder()
    fileOf(folder, 'near.json', { type: 'string' })
    const schema = { $id: 'http://127.0.0.1:9/far/', properties: { a: { $ref: 'near.json' } } }
    const from = fileOf(folder, 'api.json', JSON.parse(documentWith({ '/a': answering(schema) })))
    expect(await readFor(from)).toEqual(['api.json', 'near.json'])
    expect((await loadContract({ from, networkRefs: true })).warnings).toEqual([])
  })

  const texts = (name: string): object => ({ type: 'object', properties: { [name]: { type: 'string' } } })
  const folders: Readonly<Record<string, Readonly<Record<string, object>>>> = {
    'a chain of files in folders': {
      'api.json': { paths: { '/a': { $ref: 'paths/a.json#/item' } } },
      'paths/a.json': { item: answering({ $ref: '../schemas/b.json#/$defs/B' }) },
      'schemas/b.json': { $defs: { B: { type: 'array', items: { $ref: 'c.json' } } } },
      'schemas/c.json': texts('c'),
    },
    'files that refer to each other in a circle': {
      'api.json': { paths: { '/a': answering({ $ref: 'a.json' }) } },
      'a.json': { type: 'object', properties: { b: { $ref: 'b.json' } } },
      'b.json': {
        type: 'object',
        properties: { a: { $ref: 'a.json' }, c: { $ref: '#/properties/d' }, d: { type: 'null' } },
      },
    },
    'one part in several places': {
      'api.json': {
        paths: {
          '/a': answering({ $ref: 'p.json#/P' }),
          '/b': answering({ $ref: '#/components/schemas/P' }),
        },
        components: { schemas: { P: { $ref: 'p.json#/P' } } },
      },
      'p.json': { P: { anyOf: [{ $ref: '#/Q' }, texts('p')] }, Q: texts('q') },
    },
    'names with slashes, tildes and spaces': {
      'api.json': { paths: { '/a': { $ref: 'more%20paths.json#/~1a~1%7Bb%7D/x~0y' } } },
      'more paths.json': { '/a/{b}': { 'x~y': answering(texts('c')) } },
    },
  }

  /** A document in one piece, with everything in its place, by the bundle of this project; what has no place in it is beside it there. */
  const bundled = async (file: string): Promise<Node> => {
    const url = pathToFileURL(file).href
    const sources = createSources(url)
    const read = createReader(
      url,
      () => false,
      { refFolder: dirname(file) },
      () => {},
    )
    const value = (await readFile(url, sources, read)) as object
    const { document } = bundle(url, await readFiles(url, value, sources, read), sources, false)
    const { 'x-referenced': _, ...whole } = (await SwaggerParser.dereference(document as never)) as Node
    return whole
  }

  test.each<readonly [name: string, file: string]>([
    ['the orders of the tests', ordersDocument],
    ...Object.entries(folders).map(([name, files]) => {
      const folder = emptyFolder()
      const head = { openapi: '3.1.0', info: { title: 'A', version: '1' } }
      for (const [file, value] of Object.entries(files))
        fileOf(folder, file, file === 'api.json' ? { ...head, ...value } : value)
      return [name, join(folder, 'api.json')] as const
    }),
  ])('the bundle of %s has the values that SwaggerParser puts together', async (_name, file) => {
    expect(await bundled(file)).toEqual(await SwaggerParser.dereference(file))
  })
})
