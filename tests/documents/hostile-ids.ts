import { loadContract } from '../../spec/index.ts'
import { writeDocument } from '../spec/contracts.ts'

/** Plain names of operations, and those that look like parts of ids, like patterns, and like each other's beginnings. */
export const hostileIds = {
  zqCreate: 'a/body/headers/echo/response/declared',
  zqList: 'mail/body/create',
  zqRead: 'a',
  zqReplace: 'a/request',
  zqRemove: 'x/request/body/type/string',
  zqUpload: '__proto__',
  zqForm: 'a/unspecified/other-path',
  zqSearch: '*',
  zqHealth: 'ü %2F {id} "q" v1.health:get',
  zqLogin: 'state/auth/absent/unspecified/undeclared-property',
} as const

type Name = keyof typeof hostileIds

const plainIds = Object.fromEntries(Object.keys(hostileIds).map(name => [name, name])) as Record<Name, string>

/** A value with each of its texts, at any depth, as `change` makes it. */
const mapped = (value: unknown, change: (text: string) => string): unknown => {
  const inside = (each: unknown): unknown => mapped(each, change)
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(inside)
  if (value instanceof Map) return new Map([...value].map(pair => inside(pair) as [unknown, unknown]))
  if (value instanceof Set) return new Set([...value].map(inside))
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return Object.fromEntries(Object.entries(value).map(entry => inside(entry) as [string, unknown]))
}

/** What is told of the document, wherever its file is. */
export const told = (value: unknown): unknown =>
  mapped(value, text => text.replace(/\S*twin\.json/g, 'twin.json'))

/** What is told of the document with plain ids, as it has to be told with hostile ones. */
export const renamed = (value: unknown): unknown =>
  mapped(told(value), text =>
    text.replace(/zq[A-Z][a-z]+/g, name =>
      Object.hasOwn(hostileIds, name) ? hostileIds[name as Name] : name,
    ),
  )

const json = (schema: object) => ({ 'application/json': { schema } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const path = { name: 'id', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }
const failed = { description: 'failed', content: json(ref('Failure')) }
const failures = { 400: failed, 401: failed }
const one = (description: string) => ({ description, content: json(ref('Note')) })

/** The document; `changed`: as a later version of it. */
const documentOf = (ids: Record<Name, string>, changed: boolean) => ({
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  security: [{ token: [] }],
  paths: {
    '/notes': {
      post: {
        operationId: ids.zqCreate,
        requestBody: { required: true, content: json(ref('NewNote')) },
        responses: {
          201: {
            ...one('created'),
            headers: { 'X-Body': { required: true, schema: { type: 'string', maxLength: changed ? 9 : 99 } } },
          },
          ...failures,
        },
      },
      get: {
        operationId: ids.zqList,
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: changed ? 50 : 100 } },
          { name: 'type/body', in: 'query', schema: { enum: ['open', 'done'] } },
        ],
        responses: {
          200: { description: 'all', content: json({ type: 'array', items: ref('Note') }) },
          ...(changed ? { 429: failed } : {}),
          ...failures,
        },
      },
    },
    '/notes/{id}': {
      parameters: [path],
      get: { operationId: ids.zqRead, responses: { 200: one('one'), 404: failed, ...failures } },
      put: {
        operationId: ids.zqReplace,
        requestBody: { required: true, content: json(ref('Change')) },
        responses: { 200: one('replaced'), 404: failed, ...failures },
      },
      delete: { operationId: ids.zqRemove, responses: { 204: { description: 'gone' }, 404: failed, ...failures } },
    },
    '/files': {
      post: {
        operationId: ids.zqUpload,
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['headers'],
                properties: { headers: { type: 'integer' }, body: { type: 'string', maxLength: 20 } },
              },
            },
          },
        },
        responses: { 200: { description: 'kept', content: json({ type: 'object' }) }, ...failures },
      },
    },
    '/forms': {
      post: {
        operationId: ids.zqForm,
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': {
              schema: { type: 'object', required: ['type'], properties: { type: { type: 'integer', maximum: 9 } } },
            },
          },
        },
        responses: { 200: { description: 'kept', content: json({ type: 'object' }) }, ...failures },
      },
    },
    '/search': {
      get: {
        operationId: ids.zqSearch,
        parameters: [{ name: 'q', in: 'query', required: true, schema: { type: 'string', minLength: changed ? 2 : 1 } }],
        responses: { 200: { description: 'found', content: json({ type: 'array', items: { type: 'string' } }) }, ...failures },
      },
    },
    '/health': {
      get: {
        operationId: ids.zqHealth,
        security: [],
        responses: { 200: { description: 'up', content: json({ type: 'object', required: ['body'], properties: { body: { type: 'boolean' } } }) } },
      },
    },
    '/words': {
      post: {
        operationId: ids.zqLogin,
        security: [],
        requestBody: {
          required: true,
          content: json({ oneOf: [{ type: 'string', minLength: 2 }, { type: 'integer' }] }),
        },
        responses: { 200: { description: 'kept', content: json({ type: 'object' }) }, 422: failed },
      },
    },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      NewNote: {
        type: 'object',
        required: ['type', ...(changed ? ['required'] : [])],
        properties: {
          type: { type: 'string', minLength: 1, maxLength: changed ? 40 : 60 },
          required: { type: 'boolean' },
          body: { type: 'object', required: ['headers'], properties: { headers: { type: 'integer', minimum: 0 } } },
        },
      },
      Change: {
        type: 'object',
        required: ['type'],
        properties: { type: { type: 'string', maxLength: 60 }, required: { type: ['boolean', 'null'] } },
      },
      Note: {
        type: 'object',
        required: ['id', 'type'],
        properties: {
          id: { type: 'integer', format: 'int64' },
          type: { type: 'string' },
          required: { type: changed ? ['boolean', 'null', 'string'] : ['boolean', 'null'] },
          body: { type: 'object', properties: { headers: { type: 'integer' } } },
        },
      },
      Failure: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
    },
  },
})

/** One contract with plain and with hostile ids, which stand on the same lines. */
export const loadTwins = async (changed = false) => {
  const load = (ids: Record<Name, string>) =>
    loadContract({ from: writeDocument('twin.json', JSON.stringify(documentOf(ids, changed), null, 2)) })
  return { plain: await load(plainIds), hostile: await load(hostileIds) }
}
