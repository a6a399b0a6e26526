/** A document as FastAPI and springdoc write it: optional values are `anyOf` with null, and pages are an object in the query. */
import { documentWith, writeDocument } from '../spec/contracts.ts'

const maybe = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] })
const listOf = (items: object, rest: object = {}): object => ({ type: 'array', items, ...rest })
const integer = { type: 'integer' }
const number = { type: 'number' }
const boolean = { type: 'boolean' }
const kind = { $ref: '#/components/schemas/Kind' }
const date = { type: 'string', format: 'date' }
const note = { type: 'string', minLength: 2, maxLength: 5 }
const file = { type: 'string', contentMediaType: 'application/octet-stream' }

const json = { 'application/json': { schema: { type: 'object' } } }
const responses = { 200: { description: 'ok', content: json }, 422: { description: 'no', content: json } }

const parameters = (part: string, schemas: Readonly<Record<string, object>>, required = false): object[] =>
  Object.entries(schemas).map(([name, schema]) => ({ name, in: part, required, schema }))

const get = (operationId: string, ...all: readonly object[]): object => ({
  get: { operationId, parameters: all, responses },
})

const post = (
  operationId: string,
  type: string,
  required: readonly string[],
  properties: object,
): object => ({
  post: {
    operationId,
    requestBody: {
      required: true,
      content: { [type]: { schema: { type: 'object', required, properties } } },
    },
    responses,
  },
})

/** The schemas of the values of a query, each alone. */
export const scalars = { n: integer, f: number, b: boolean, s: note, k: kind, d: date }

export const optionalDocument = (): string =>
  writeDocument(
    'optional.json',
    documentWith(
      {
        '/lists': get(
          'lists',
          ...parameters('query', {
            ids: maybe(listOf(integer)),
            xs: maybe(listOf(number)),
            flags: maybe(listOf(boolean)),
            kinds: maybe(listOf(kind)),
            days: maybe(listOf(date)),
          }),
          ...parameters('query', { some: listOf(integer, { minItems: 1, maxItems: 3 }) }, true),
        ),
        '/opt': get(
          'opt',
          ...parameters(
            'query',
            Object.fromEntries(Object.entries(scalars).map(([name, schema]) => [name, maybe(schema)])),
          ),
        ),
        '/head': get(
          'head',
          ...parameters('header', { 'x-n': maybe(integer), 'x-list': maybe(listOf(integer)) }),
          ...parameters('cookie', { c: maybe(integer), on: maybe(boolean) }),
        ),
        '/things/{n}/{s}': get(
          'thing',
          ...parameters('path', { n: integer, s: { type: 'string', pattern: '^[a-z]{2,4}$' } }, true),
        ),
        '/page': get('page', {
          name: 'pageable',
          in: 'query',
          required: true,
          schema: {
            type: 'object',
            properties: {
              page: { type: 'integer', minimum: 0 },
              size: { type: 'integer', minimum: 1 },
              sort: listOf({ type: 'string' }),
            },
          },
        }),
        '/form': post('form', 'application/x-www-form-urlencoded', ['n'], {
          n: integer,
          ids: maybe(listOf(integer)),
          note: maybe(note),
          on: maybe(boolean),
        }),
        '/upload': post('upload', 'multipart/form-data', ['file'], {
          file,
          n: integer,
          on: maybe(boolean),
          ids: maybe(listOf(integer)),
          more: maybe(listOf(file)),
        }),
      },
      { components: { schemas: { Kind: { type: 'string', enum: ['fern', 'moss'] } } } },
    ),
  )
