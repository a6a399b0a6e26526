/** What a run leaves out is never sent, whatever asks for it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  destructiveOperations,
  planSlices,
  type VerifyOptions,
  verify,
  verifyShard,
} from '../../../conformance/index.ts'
import { createRouter, loadContract } from '../../../spec/index.ts'
import { bodyOf, writeDocument } from '../../spec/contracts.ts'

const json = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
const instance = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
}
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
const failed = { 400: json({ type: 'object' }), 404: json({ type: 'object' }) }
const newInstance = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1 } },
}

const contract = await loadContract({
  from: writeDocument(
    'left-out.json',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Things', version: '1' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      security: [{ bearer: [] }],
      paths: {
        '/things': {
          get: {
            operationId: 'listThings',
            responses: { 200: json({ type: 'array', items: instance }), ...failed },
          },
          post: {
            operationId: 'createThing',
            requestBody: bodyOf(newInstance),
            responses: { 201: json(instance), ...failed },
          },
        },
        '/things/{id}': {
          get: { operationId: 'getThing', parameters: [id], responses: { 200: json(instance), ...failed } },
          put: {
            operationId: 'replaceThing',
            parameters: [id],
            requestBody: bodyOf(newInstance),
            responses: { 200: json(instance), ...failed },
          },
          delete: {
            operationId: 'deleteThing',
            parameters: [id],
            responses: { 204: { description: 'gone' }, ...failed },
          },
        },
        '/settings': {
          get: { operationId: 'getSettings', responses: { 200: json({ type: 'object' }), ...failed } },
          put: {
            operationId: 'putSettings',
            requestBody: bodyOf({ type: 'object' }),
            responses: { 200: json({ type: 'object' }), ...failed },
          },
        },
        '/admin/storage': {
          delete: { operationId: 'dropStorage', responses: { 204: { description: 'gone' }, ...failed } },
        },
        '/admin/users/{id}': {
          delete: {
            operationId: 'removeUser',
            parameters: [id],
            responses: { 204: { description: 'gone' }, ...failed },
          },
        },
        '/things/bulk_delete': {
          post: {
            operationId: 'bulkDelete',
            requestBody: bodyOf({ type: 'object' }),
            responses: { 200: json({ type: 'object' }), ...failed },
          },
        },
        '/shutdown': { post: { operationId: 'stop', responses: { 200: json({ type: 'object' }) } } },
        '/session/logout': { get: { operationId: 'leave', responses: { 200: json({ type: 'object' }) } } },
      },
    }),
  ),
})

type Seen = { readonly method: string; readonly path: string }

/** A server of the contract that keeps resources, and a record of what it was asked. */
const startServer = async () => {
  const seen: Seen[] = []
  const instances = new Map<number, object>()
  const route = createRouter(contract)
  let next = 1
  const server = createServer(async (request, response) => {
    const path = request.url?.replace(/\?.*/, '') ?? ''
    seen.push({ method: request.method ?? '', path })
    const text = Buffer.concat(await request.toArray().catch(() => [])).toString()
    const answer = (status: number, value?: unknown): void => {
      response.writeHead(status, value === undefined ? {} : { 'Content-Type': 'application/json' })
      response.end(value === undefined ? undefined : JSON.stringify(value))
    }
    if (request.headers.authorization !== 'Bearer secret') return answer(400, {})
    const found = route(request.method ?? '', path)
    if (found.kind !== 'operation') return answer(404, {})
    const key = Number(path.split('/').at(-1))
    const read = (): { name?: unknown } | null => {
      try {
        return JSON.parse(text)
      } catch {
        return null
      }
    }
    const isValid = (): boolean => typeof read()?.name === 'string' && read()?.name !== ''
    switch (found.operation.id) {
      case 'listThings':
        return answer(200, [...instances.values()])
      case 'createThing': {
        if (!isValid()) return answer(400, {})
        const made = { id: next++, name: read()?.name }
        instances.set(made.id, made)
        return answer(201, made)
      }
      case 'getThing':
        return instances.has(key) ? answer(200, instances.get(key)) : answer(404, {})
      case 'replaceThing':
        if (!instances.has(key)) return answer(404, {})
        if (!isValid()) return answer(400, {})
        instances.set(key, { id: key, name: read()?.name })
        return answer(200, instances.get(key))
      case 'deleteThing':
        return instances.delete(key) ? answer(204) : answer(404, {})
      default:
        return answer(200, {})
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { seen, url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const ids = contract.operations.map(operation => operation.id)
const destructive = ['putSettings', 'dropStorage', 'removeUser', 'bulkDelete', 'stop', 'leave']

test('what may destroy what the run did not create is known before the first request', () => {
  expect(destructiveOperations({ contract }).map(each => each.id)).toEqual(destructive)
  // What may end the access of the run itself has to be named.
  expect(destructiveOperations({ contract, include: ['*'] }).map(each => each.id)).toEqual(['leave'])
  expect(destructiveOperations({ contract, include: ['*', 'leave'] })).toEqual([])
  expect(
    destructiveOperations({ contract, include: ['GET /session/*', 'POST *'] }).map(each => each.id),
  ).toEqual(['putSettings', 'dropStorage', 'removeUser'])
  expect(destructiveOperations({ contract, fixtures: { '*.id': [7] } }).map(each => each.id)).not.toContain(
    'removeUser',
  )
  expect(destructiveOperations({ contract, stateless: true }).map(each => each.id)).toEqual(['stop', 'leave'])
  expect(destructiveOperations({ contract, skip: ['stop'] }).map(each => each.id)).not.toContain('stop')
})

const some = (of: readonly string[]) => fc.subarray([...of], { maxLength: 3 })
const selections = fc.record({
  only: some(ids.flatMap(of => [of, `${of}/response`, `${of}/request/valid`])),
  skip: some(ids),
  never: some(['DELETE *', 'DELETE /admin/*', '/things', 'deleteThing', 'get*', 'PUT /things/{id}']),
  include: some(['*', '/admin/*', 'POST /shutdown', 'createThing', 'putSettings']),
})
const manners = fc.record({
  seed: fc.nat(1000),
  cases: fc.integer({ min: 1, max: 150 }),
  concurrency: fc.integer({ min: 1, max: 16 }),
  sustained: fc.constantFrom(0, 40),
  token: fc.constantFrom('secret', undefined),
  malformedHttp: fc.boolean(),
  stateless: fc.boolean(),
  strict: fc.boolean(),
  bail: fc.boolean(),
  keep: fc.boolean(),
  maxSeconds: fc.constantFrom(undefined, 0.5),
  fixtures: fc.constantFrom({}, { 'getThing.id': [1] }),
  isShard: fc.boolean(),
})

const plainManner = {
  seed: 0,
  cases: 5,
  concurrency: 1,
  sustained: 0,
  token: 'secret',
  malformedHttp: false,
  stateless: false,
  strict: false,
  bail: false,
  keep: false,
  maxSeconds: undefined,
  fixtures: {},
  isShard: false,
} as const

/** Whether a pattern names a request, said in another way than the product does. */
const names = (
  pattern: string,
  operation: { id: string; method: string; path: string } | null,
  { method, path }: Seen,
): boolean => {
  const [of, place] = pattern.includes(' ') ? (pattern.split(' ') as [string, string]) : [null, pattern]
  const like = (text: string, form: string): boolean =>
    form.endsWith('*') ? text.startsWith(form.slice(0, -1)) : text === form
  if (of !== null && of !== method) return false
  if (place === '*') return true
  if (!place.startsWith('/')) return operation !== null && like(operation.id, place)
  return like(path, place) || (operation !== null && like(operation.path, place))
}

test('nothing that is left out reaches the server, whatever the options', { timeout: 240_000 }, async () => {
  const route = createRouter(contract)
  await fc.assert(
    fc.asyncProperty(selections, manners, async ({ only, skip, never, include }, { isShard, ...manner }) => {
      const server = await startServer()
      const options: VerifyOptions & { seed: number } = {
        ...{ target: server.url, contract, timeoutMs: 2000 },
        ...manner,
        ...{ only, skip, never, include },
      }
      try {
        if (isShard) {
          const slices = planSlices(contract, options).map(({ name }) => name)
          const { maxSeconds: _, ...whole } = options
          await verifyShard({ ...whole, slices: slices.filter((_slice, index) => index % 2 === 0) })
        } else await verify(options)
        const isSelected = (of: string): boolean =>
          (only.length === 0 || only.some(pattern => pattern.split('/')[0] === of)) && !skip.includes(of)
        for (const request of server.seen) {
          const found = route(request.method, request.path)
          const operation = found.kind === 'operation' ? found.operation : null
          expect(never.filter(pattern => names(pattern, operation, request))).toEqual([])
          if (operation === null) continue
          const isIncluded = include.some(pattern => names(pattern, operation, request))
          const isAsked = isSelected(operation.id) || (isIncluded && !skip.includes(operation.id))
          const isSafe =
            isIncluded ||
            !destructive.includes(operation.id) ||
            (manner.stateless && !['stop', 'leave'].includes(operation.id))
          expect({ request, isAsked, isSafe }).toEqual({ request, isAsked: true, isSafe: true })
        }
      } finally {
        server.close()
      }
    }),
    {
      numRuns: 60,
      examples: [
        // What `never` names is sent for no other operation either, though `include` names it as well.
        [{ only: ['getThing'], skip: [], never: ['deleteThing'], include: ['*'] }, plainManner],
        [{ only: ['getThing'], skip: [], never: ['create*'], include: ['createThing'] }, plainManner],
      ],
    },
  )
})

test('what is left out by default is untested, and the reason says how to have it sent', async () => {
  const server = await startServer()
  try {
    const ledger = await verify({ target: server.url, contract, token: 'secret', seed: 1, cases: 60 })
    expect(server.seen.map(({ path }) => path)).not.toContain('/admin/storage')
    expect(
      ledger.entries.find(({ obligation }) => obligation.id === 'dropStorage/request/valid')?.verdict,
    ).toEqual({
      kind: 'untested',
      cause: 'selection',
      reason:
        "DELETE /admin/storage may destroy what the run did not create (it is a DELETE, and no operation creates what it changes): send it with --include 'DELETE /admin/storage'",
    })
  } finally {
    server.close()
  }
})

test('a thing is not created by an operation that is left out, and the reason names it', async () => {
  const server = await startServer()
  try {
    const run = { target: server.url, contract, token: 'secret', seed: 1, only: ['getThing'], cases: 60 }
    const left = await verify(run)
    const valid = left.entries.find(({ obligation }) => obligation.id === 'getThing/request/valid')?.verdict
    expect(valid).toMatchObject({ kind: 'untested' })
    expect(valid).toHaveProperty('reason', expect.stringContaining('--include createThing'))
    expect(server.seen.some(({ method }) => method === 'POST')).toBe(false)
    const helped = await verify({ ...run, include: ['createThing'] })
    expect(
      helped.entries.find(({ obligation }) => obligation.id === 'getThing/request/valid')?.verdict.kind,
    ).toBe('passed')
  } finally {
    server.close()
  }
})

test('a pattern that names nothing is an error, as it would protect nothing', async () => {
  await expect(verify({ target: 'http://127.0.0.1:1', contract, never: ['DELETE /admn/*'] })).rejects.toThrow(
    '--never DELETE /admn/* names no operation of the contract',
  )
})

test('what closes the whole service has to be named by itself, unless it is a resource of that name', async () => {
  const operation = { post: { responses: failed } }
  const closing = [
    '/maintenance',
    '/api/admin/read-only',
    '/system/maintenance-mode/enable',
    '/node/{id}/drain/',
  ]
  const resources = [
    '/maintenances',
    '/cars/maintenance',
    '/offline-orders',
    '/maintenance-windows',
    '/standby/list',
  ]
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Modes', version: '1' },
    paths: {
      ...Object.fromEntries(
        [...closing, ...resources].map(path => [
          path,
          path.includes('{') ? { ...operation, parameters: [id] } : operation,
        ]),
      ),
      '/cars/maintenance/{id}': { get: { parameters: [id], responses: failed } },
    },
  })
  const modes = await loadContract({ from: writeDocument('modes.json', text) })
  const leftOut = destructiveOperations({ contract: modes, include: ['*'] })
  expect(leftOut.map(({ path }) => path)).toEqual(closing)
  expect(leftOut[1]?.danger).toBe('"read-only" is in its path, so it may close the whole service')
  expect(destructiveOperations({ contract: modes, include: ['*', 'POST /maintenance'] }).length).toBe(
    closing.length - 1,
  )
})
