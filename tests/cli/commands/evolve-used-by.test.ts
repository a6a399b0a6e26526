/** Two front ends are tested against a mock, each over sockets of its own; a new version of the document breaks one, both or none of them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import type { Usage } from '../../../spec/index.ts'
import { emptyFolder } from '../../folder.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { plantstore } from '../command.ts'

const order = {
  type: 'object',
  required: ['id', 'total'],
  properties: {
    id: { type: 'integer' },
    total: { type: 'integer' },
    note: { type: 'string' },
    lines: { type: 'array', minItems: 1, items: { type: 'object', properties: { sku: { type: 'string' } } } },
  },
}
const newOrder = { ...order, required: ['id'] }
const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const ok = (schema: object) => ({ 200: { description: 'ok', ...json(schema) } })
const one = [{ name: 'orderId', in: 'path', required: true, schema: { type: 'integer' } }]

type Paths = Readonly<Record<string, object>>
const paths = (sent: object, given: object, rest: Paths = {}): Paths => ({
  '/orders': { post: { requestBody: { required: true, ...json(sent) }, responses: ok(order) } },
  '/orders/{orderId}': {
    get: { parameters: one, responses: ok(given) },
    ...(rest['/orders/{orderId}'] ?? {}),
  },
  ...(rest['/reports'] === undefined ? {} : { '/reports': rest['/reports'] }),
})

const removal = {
  '/orders/{orderId}': { delete: { parameters: one, responses: { 204: { description: 'gone' } } } },
}
const reports = { '/reports': { get: { responses: { 200: { description: 'ok' } } } } }
const write = (document: Paths): string => writeDocument('api.json', documentWith(document))
const old = write(paths(newOrder, order, { ...removal, ...reports }))

const post = (url: string, body: object) =>
  fetch(`${url}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The front ends: what they call, and what they send. */
const frontEnds: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  'checkout-web': async url => {
    await post(url, { id: 1, total: 20, lines: [{ sku: 'fern' }] })
    await post(url, { id: 2, total: 30 })
    await fetch(`${url}/orders/1`)
  },
  'admin-web': async url => {
    await post(url, { id: 3 })
    await fetch(`${url}/orders/3`)
    await fetch(`${url}/orders/3`, { method: 'DELETE' })
  },
}

const folder = emptyFolder()
const fileOf = (name: string): string => join(folder, `${name}.json`)
const usages = new Map<string, Usage>()

beforeAll(async () => {
  for (const [name, use] of Object.entries(frontEnds)) {
    const mock = await createMock({ contract: old })
    try {
      await use(mock.url)
      const text = await (await fetch(`${mock.url}/__plantstore/usage`)).text()
      writeFileSync(fileOf(name), text)
      usages.set(name, JSON.parse(text))
    } finally {
      await mock.close()
    }
  }
})

const evolve = (changed: Paths, ...flags: readonly string[]) =>
  plantstore(['evolve', old, write(changed), '--old-servers', 'ignore', ...flags])

const all = Object.keys(frontEnds).flatMap(name => ['--used-by', `${name}=${fileOf(name)}`])

/** The lines on clients, and the exit code. */
const told = async (changed: Paths, flags: readonly string[] = all) => {
  const { code, stdout } = await evolve(changed, ...flags)
  return { code, breaks: [...stdout.matchAll(/\bbreaks .*$/gm)].map(([line]) => line) }
}

test('the mock records what each client calls and sends, and which places it is served', () => {
  expect(usages.get('checkout-web')).toEqual({
    format: 'plantstore-usage',
    version: 1,
    operations: {
      'POST /orders': {
        requests: 2,
        sent: {
          body: 2,
          'body/id': 2,
          'body/lines': 1,
          'body/lines/*': 1,
          'body/lines/*/sku': 1,
          'body/total': 2,
        },
        served: { 200: expect.arrayContaining(['', '/id', '/total']) },
      },
      'GET /orders/{orderId}': {
        requests: 1,
        sent: { 'path/orderId': 1 },
        served: { 200: expect.arrayContaining(['', '/id', '/total']) },
      },
    },
  })
})

test('a narrower property breaks who sends it', async () => {
  const { properties } = newOrder
  const limited = { ...newOrder, properties: { ...properties, total: { type: 'integer', maximum: 9 } } }
  const kept = { ...removal, ...reports }
  expect(await told(paths(limited, order, kept))).toEqual({
    code: 1,
    breaks: ['breaks checkout-web (sends `total`), not admin-web (never sends `total`)'],
  })
  const admin = ['--used-by', `admin-web=${fileOf('admin-web')}`]
  expect(await told(paths(limited, order, kept), admin)).toEqual({
    code: 0,
    breaks: ['breaks nobody of admin-web (never sends `total`)'],
  })
})

test('a property that is now required breaks who does not always send it', async () => {
  const stricter = { ...newOrder, required: ['id', 'total'] }
  expect(await told(paths(stricter, order, { ...removal, ...reports }))).toEqual({
    code: 1,
    breaks: ['breaks admin-web (does not always send `total`), not checkout-web (always sends `total`)'],
  })
})

test('an operation that is gone breaks who calls it, and one that nobody calls breaks nobody', async () => {
  expect(await told(paths(newOrder, order, reports))).toEqual({
    code: 1,
    breaks: ['breaks admin-web (calls it), not checkout-web (never calls it)'],
  })
  expect(await told(paths(newOrder, order, removal))).toEqual({
    code: 0,
    breaks: ['breaks nobody of checkout-web (never calls it), admin-web (never calls it)'],
  })
})

test('a place of a response breaks who is served it, unless the file says what a client reads', async () => {
  const changed = paths(newOrder, { ...order, required: ['id'] }, { ...removal, ...reports })
  const served = ['checkout-web (is served `total`)', 'admin-web (is served `total`)']
  expect(await told(changed)).toEqual({ code: 1, breaks: [`breaks ${served.join(', ')}`] })
  const reading = (...read: readonly string[]): readonly string[] => {
    const { operations, ...rest } = usages.get('admin-web') as Usage
    const own = Object.fromEntries(Object.entries(operations).map(([name, use]) => [name, { ...use, read }]))
    const file = join(emptyFolder(), 'admin.json')
    writeFileSync(file, JSON.stringify({ ...rest, operations: own }))
    return ['--used-by', `admin-web=${file}`]
  }
  expect(await told(changed, reading('/id'))).toEqual({
    code: 0,
    breaks: ['breaks nobody of admin-web (does not read `total`)'],
  })
  expect(await told(changed, reading('/id', '/total'))).toEqual({
    code: 1,
    breaks: ['breaks admin-web (reads `total`)'],
  })
})

test('a folder holds the files of one client, and without clients all that breaks counts', async () => {
  const both = join(folder, 'both')
  mkdirSync(both)
  for (const [name, usage] of usages) writeFileSync(join(both, `${name}.json`), JSON.stringify(usage))
  const stricter = paths({ ...newOrder, required: ['id', 'total'] }, order, { ...removal, ...reports })
  expect(await told(stricter, ['--used-by', `web=${both}`])).toEqual({
    code: 1,
    breaks: ['breaks web (does not always send `total`)'],
  })
  expect(await told(paths(newOrder, order, removal), [])).toEqual({ code: 1, breaks: [] })
})

test('every format tells whom it breaks, and a difference that breaks nobody is no error', async () => {
  const changed = paths(newOrder, order, removal)
  const nobody = 'breaks nobody of checkout-web (never calls it), admin-web (never calls it)'
  const { stdout: text } = await evolve(changed, ...all)
  expect(text).toContain('1 breaking, 0 risky, 0 safe · 0 of the breaking count · 3 operations compared')
  const { stdout: markdown } = await evolve(changed, ...all, '--format', 'markdown')
  expect(markdown).toContain(nobody)
  const { stdout: github } = await evolve(changed, ...all, '--format', 'github')
  expect(github).toMatch(/^::warning title=breaking%3A GET \/reports/)
  const { stdout: data } = await evolve(changed, ...all, '--format', 'json')
  expect(JSON.parse(data).differences[0].consumers).toEqual(
    ['checkout-web', 'admin-web'].map(name => ({ name, isHit: false, because: 'never calls it' })),
  )
})

test('a file that is missing, or of another kind, is told with 2', async () => {
  const other = join(folder, 'other.txt')
  writeFileSync(other, '{}')
  for (const [path, problem] of [
    [join(folder, 'nowhere.json'), 'cannot be read'],
    [other, 'does not hold what a client uses: its `format` is not plantstore-usage'],
    [emptyFolder(), 'has no .json file'],
  ]) {
    const { code, stderr } = await evolve(paths(newOrder, order), '--used-by', `web=${path}`)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(problem ?? '') })
  }
})

test('of a client with requests that were not kept, every part counts', async () => {
  const { operations, ...rest } = usages.get('admin-web') as Usage
  const own = Object.entries(operations).map(([name, use]) => [name, { ...use, unclear: true }])
  const file = join(emptyFolder(), 'admin.json')
  writeFileSync(file, JSON.stringify({ ...rest, operations: Object.fromEntries(own) }))
  const { properties } = newOrder
  const limited = { ...newOrder, properties: { ...properties, total: { type: 'integer', maximum: 9 } } }
  expect(
    await told(paths(limited, order, { ...removal, ...reports }), ['--used-by', `admin-web=${file}`]),
  ).toEqual({
    code: 1,
    breaks: ['breaks admin-web (calls it, and some of its requests are not known)'],
  })
})
