/** Stores that take each value of a property only once are lawful, with whatever earlier runs left in them. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { type Contract, loadContract } from '../../spec/index.ts'
import { writeDocument } from '../spec/contracts.ts'
import { hasJsonType, strictJson } from '../strict-json.ts'

type Store = {
  /** The property of the body that has to be unique, and its schema. */
  readonly name: string
  readonly schema: { readonly type: string; readonly [keyword: string]: unknown }
  readonly status: number
  readonly canRemove: boolean
  /** What makes two values the same. */
  readonly sameAs?: (value: unknown) => unknown
  /** A fault: texts with this are rejected. */
  readonly rejects?: string
}

const json = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
const error = json({ type: 'object', required: ['message'], properties: { message: { type: 'string' } } })

const contractOf = ({ name, schema, status, canRemove }: Store): Promise<Contract> => {
  const fields = { [name]: schema, note: { type: 'string' } }
  const failed = { 400: error, 404: error, [status]: error }
  const item = json({
    type: 'object',
    required: ['id', name],
    properties: { id: { type: 'integer', readOnly: true }, ...fields },
  })
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
  return loadContract({
    from: writeDocument(
      'unique.json',
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'Unique', version: '1' },
        paths: {
          '/things': {
            post: {
              operationId: 'createThing',
              requestBody: {
                required: true,
                content: {
                  'application/json': { schema: { type: 'object', required: [name], properties: fields } },
                },
              },
              responses: { 201: item, ...failed },
            },
          },
          '/things/{id}': {
            parameters: [id],
            get: { operationId: 'getThing', responses: { 200: item, ...failed } },
            ...(canRemove
              ? {
                  delete: {
                    operationId: 'deleteThing',
                    responses: { 204: { description: 'gone' }, ...failed },
                  },
                }
              : {}),
          },
        },
      }),
    ),
  })
}

const serve = async ({ name, schema, status, sameAs = value => value, rejects }: Store) => {
  const instances = new Map<number, { readonly [key: string]: unknown }>()
  let next = 1
  const pattern = typeof schema.pattern === 'string' ? new RegExp(schema.pattern, 'u') : null
  const isValid = (value: unknown): boolean => {
    if (schema.type === 'integer')
      return typeof value === 'number' && Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 31
    if (typeof value !== 'string') return false
    const length = [...value].length
    if (
      length < Number(schema.minLength ?? 0) ||
      length > Number(schema.maxLength ?? Number.POSITIVE_INFINITY)
    )
      return false
    if (rejects !== undefined && value.includes(rejects)) return false
    return pattern === null || pattern.test(value)
  }
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray().catch(() => []))
    const answer = (code: number, value?: unknown): void => {
      response.writeHead(code, value === undefined ? {} : { 'Content-Type': 'application/json' })
      response.end(value === undefined ? undefined : JSON.stringify(value))
    }
    const reject = (message: string, code = 400): void => answer(code, { message })
    const path = request.url?.replace(/\?.*/, '') ?? ''
    if (path === '/things' && request.method === 'POST') {
      if (!hasJsonType(request)) return reject('type')
      const body = strictJson(bytes) as { [key: string]: unknown } | null | undefined
      if (body === undefined) return reject('JSON')
      if (body === null || typeof body !== 'object' || Array.isArray(body)) return reject('object')
      if (!isValid(body[name]) || !['string', 'undefined'].includes(typeof body.note))
        return reject(`invalid ${name}`)
      if ([...instances.values()].some(instance => sameAs(instance[name]) === sameAs(body[name])))
        return reject(`${String(body[name])} is taken`, status)
      const instance = {
        id: next++,
        [name]: body[name],
        ...(body.note === undefined ? {} : { note: body.note }),
      }
      instances.set(instance.id, instance)
      return answer(201, instance)
    }
    const id = /^\/things\/(-?\d+)$/.exec(path)?.[1]
    const instance = id === undefined ? undefined : instances.get(Number(id))
    if (instance === undefined) return reject('none', 404)
    if (request.method === 'GET') return answer(200, instance)
    if (request.method === 'DELETE') {
      instances.delete(Number(id))
      return answer(204)
    }
    reject('method', 404)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

const lower = (value: unknown): unknown => String(value).toLowerCase()

const stores: readonly (readonly [string, Store])[] = [
  ['a name, 409', { name: 'name', schema: { type: 'string' }, status: 409, canRemove: true }],
  [
    'a name, 400, and nothing can be removed',
    { name: 'name', schema: { type: 'string' }, status: 400, canRemove: false },
  ],
  [
    'a title without regard to case, 422',
    {
      name: 'title',
      schema: { type: 'string', minLength: 1, maxLength: 60 },
      status: 422,
      canRemove: false,
      sameAs: lower,
    },
  ],
  [
    'a code with a pattern',
    { name: 'code', schema: { type: 'string', pattern: '^[A-Z]{3,9}$' }, status: 409, canRemove: false },
  ],
  [
    'a number',
    { name: 'serial', schema: { type: 'integer', format: 'int32' }, status: 409, canRemove: false },
  ],
]

test.each(stores)(
  '%s: no run is to blame it, whatever is left in the store',
  { timeout: 120_000 },
  async (_title, store) => {
    const contract = await contractOf(store)
    const server = await serve(store)
    try {
      for (const seed of [1, 1, 2]) {
        const { findings, end } = await verify({
          target: server.url,
          contract,
          seed,
          strict: true,
          sustained: 0,
          cases: 700,
        })
        expect(findings.map(({ title, obligation }) => `${obligation}: ${title}`)).toEqual([])
        expect(end?.conclusion).not.toBe('inconclusive')
      }
    } finally {
      server.close()
    }
  },
)

test('what such a store rejects for another reason is found', { timeout: 60_000 }, async () => {
  const store: Store = {
    name: 'name',
    schema: { type: 'string' },
    status: 409,
    canRemove: false,
    rejects: '%',
  }
  const contract = await contractOf(store)
  const server = await serve(store)
  try {
    for (const seed of [1, 1]) {
      const { findings } = await verify({ target: server.url, contract, seed, sustained: 0, cases: 700 })
      expect(findings.map(({ obligation }) => obligation)).toEqual(['createThing/request/body/name/percent'])
    }
  } finally {
    server.close()
  }
})
