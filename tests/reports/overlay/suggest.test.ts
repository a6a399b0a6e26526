/** Overlays that make a document say what a server does: applied, they leave what is the server's own. */

import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import { suggestedOverlay } from '../../../reports/index.ts'
import { type Contract, type Ledger, loadContract } from '../../../spec/index.ts'
import { type Answer, type Asked, answering, objectIn } from '../../conformance/judge/answering.ts'
import { paymentsDocument } from '../../documents/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const shopDocument = fileURLToPath(new URL('../../../examples/shop/shop.openapi.yaml', import.meta.url))
const text = { type: 'string' }
const thing = {
  type: 'object',
  required: ['name', 'id', 'owner'],
  properties: {
    ...{ name: text, id: text, owner: text, note: text, kind: { enum: ['a', 'b'] } },
    size: { type: 'integer' },
  },
}
const body = {
  type: 'object',
  required: ['name'],
  properties: { name: text, region: text, size: { type: 'integer' } },
}
const json = (schema: object) => ({ 'application/json': { schema } })
const paths = {
  '/things': {
    post: {
      operationId: 'createThing',
      requestBody: { required: true, content: json(body) },
      responses: {
        201: { description: 'made', content: json(thing) },
        400: { description: 'no', content: json({ type: 'object' }) },
      },
    },
  },
}
const swagger = {
  swagger: '2.0',
  info: { title: 'things', version: '1' },
  consumes: ['application/json'],
  produces: ['application/json'],
  paths: {
    '/things': {
      post: {
        operationId: 'createThing',
        parameters: [{ in: 'body', name: 'body', required: true, schema: { $ref: '#/definitions/New' } }],
        responses: {
          201: { description: 'made', schema: { $ref: '#/definitions/Thing' } },
          400: { description: 'no', schema: { type: 'object' } },
        },
      },
    },
  },
  definitions: {
    New: body,
    Thing: { ...thing, properties: { ...thing.properties, kind: { ...text, enum: ['a', 'b'] } } },
  },
}
const documents = {
  '3.0': { ...JSON.parse(documentWith(paths)), openapi: '3.0.3' },
  '3.1': { ...JSON.parse(documentWith(paths)), openapi: '3.1.0' },
  '2.0': swagger,
}

/** Does much that the document does not say, and one thing that nobody should: it takes texts as sizes. */
const answer = ({ method, url, body, headers }: Asked): Answer => {
  if (url.pathname !== '/v1/things') return { status: 404, body: {} }
  if (method !== 'POST') return { status: 405, headers: { Allow: 'POST' }, body: {} }
  if (!/json/.test(headers['content-type'] ?? '')) return { status: 415, body: {} }
  const value = objectIn(body)
  if (value === null || typeof value.name !== 'string') return { status: 400, body: {} }
  if (value.region === undefined) return { status: 422, body: { error: 'region is required' } }
  if (typeof value.region !== 'string') return { status: 400, body: {} }
  if (value.size !== undefined && !['number', 'string'].includes(typeof value.size))
    return { status: 400, body: {} }
  if (typeof value.size === 'number' && !Number.isInteger(value.size)) return { status: 400, body: {} }
  if (typeof value.size === 'number' && value.size < 0) return { status: 400, body: { error: 'too small' } }
  const { name, region: _, size } = value
  return {
    status: 201,
    body: { name, ...(size === undefined ? {} : { size: Number(size) }), id: 'x', note: null, kind: 'c' },
  }
}

/** What is wrong with it whatever the document says. */
const isOfServer = /as `size` instead|invalid UTF-8|letter case|9007199254740992|undeclared \+json type/

const runOf = async (contract: Contract, target: string): Promise<Ledger> =>
  verify({ contract, target, seed: 1, sustained: 0, cases: 1500 })

describe.each(Object.entries(documents))('a document of version %s', (version, document) => {
  test('overlays settle what the document lacks, and leave what is wrong with the server', async () => {
    const from = writeDocument(`suggest-${version}.json`, JSON.stringify(document))
    const target = `${await answering(answer)}/v1`
    const files: string[] = []
    const overlays: object[] = []
    for (;;) {
      const contract = await loadContract({ from, overlay: files })
      const ledger = await runOf(contract, target)
      const { actions, elsewhere } = suggestedOverlay(contract, ledger, null)
      expect(elsewhere).toBe(0)
      expect(contract.warnings.map(({ message }) => message).filter(each => /overlay/.test(each))).toEqual([])
      const known = new Set(ledger.findings.map(({ id }) => id))
      for (const { description } of actions)
        for (const [, id] of description.matchAll(/\b([0-9a-f]{3})(?=[,.]| and )/g))
          if (/settles/.test(description)) expect([...known, '400', '415', '422']).toContain(id)
      if (actions.length === 0) {
        const { findings } = ledger
        expect(findings.map(({ title }) => title).filter(title => !isOfServer.test(title))).toEqual([])
        expect(findings.length).toBeGreaterThan(0)
        break
      }
      expect(overlays.length).toBeLessThan(3)
      overlays.push({ overlay: '1.0.0', info: { title: 'changes', version: '1' }, actions })
      files.push(writeDocument(`overlay-${version}.json`, JSON.stringify(overlays.at(-1))))
    }
    await expect(overlays.map(each => stringify(each, { lineWidth: 0 })).join('---\n')).toMatchFileSnapshot(
      `suggested-${version}.yaml`,
    )
  })
})

test('a lawful mock needs no change', async () => {
  const contract = await loadContract({ from: paymentsDocument })
  const mock = await createMock({ contract, tokens: ['secret'], warn: () => {} })
  const ledger = await verify({
    ...{ contract, target: mock.url, token: 'secret', stateless: true, include: ['*'] },
    ...{ seed: 1, cases: 500, sustained: 0 },
  }).finally(mock.close)
  expect(suggestedOverlay(contract, ledger, null).actions).toEqual([])
})

test('a lawful mock that keeps data needs none either: chains end with requests for other operations', async () => {
  const contract = await loadContract({ from: shopDocument })
  const mock = await createMock({ contract, stateful: true, warn: () => {} })
  const ledger = await verify({
    ...{ contract, target: mock.url, seed: 1, cases: 1500, sustained: 0 },
  }).finally(mock.close)
  expect(ledger.exchanges.some(({ obligation }) => obligation.includes('/state/'))).toBe(true)
  const { actions } = suggestedOverlay(contract, ledger, null)
  expect(actions.filter(({ target }) => target.includes('responses'))).toEqual([])
})

test('a token that the document does not ask for is suggested as it was sent', async () => {
  const contract = await loadContract({
    from: writeDocument('suggest-3.0.json', JSON.stringify(documents['3.0'])),
  })
  const ledger = await verify({
    contract,
    target: await answering(() => ({ status: 201 })),
    seed: 1,
    cases: 3,
    sustained: 0,
  })
  const schemes = (auth: string): readonly unknown[] =>
    suggestedOverlay(contract, ledger, auth).actions.flatMap(({ update }) =>
      JSON.stringify(update).includes('securitySchemes') ? [update] : [],
    )
  const security = [{ token: [] }]
  expect(schemes('bearer')).toEqual([
    { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }, security },
  ])
  expect(schemes('query:key')).toEqual([
    { components: { securitySchemes: { token: { type: 'apiKey', in: 'query', name: 'key' } } }, security },
  ])
})

test('operations that are public stay so, if an overlay asks for credentials everywhere', async () => {
  const ok = { 200: { description: 'ok' } }
  const public_ = { '/health': { get: { operationId: 'health', responses: ok } } }
  const guarded = { '/secrets': { get: { operationId: 'secrets', responses: ok } } }
  const from = writeDocument('suggest-public.json', documentWith({ ...public_, ...guarded }))
  const target = await answering(({ url, headers }) => {
    const isRight = headers.authorization === 'Bearer t-1'
    return url.pathname === '/health' || isRight
      ? { status: 200 }
      : { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } }
  })
  const changes: (readonly string[])[] = []
  const files: string[] = []
  for (let round = 1; round <= 4; round++) {
    const contract = await loadContract({ from, overlay: files })
    const ledger = await verify({
      contract,
      target,
      seed: 1,
      sustained: 0,
      token: 't-1',
      auth: round === 1 ? 'bearer' : undefined,
    })
    const { actions } = suggestedOverlay(contract, ledger, round === 1 ? 'bearer' : null)
    changes.push(actions.map(({ target: at, update }) => `${at} ${JSON.stringify(update)}`))
    const overlay = { overlay: '1.0.0', info: { title: 'changes', version: '1' }, actions }
    files.push(writeDocument(`suggest-public-${round}.json`, JSON.stringify(overlay)))
    if (actions.length === 0) break
  }
  expect(changes.flat().filter(each => each.includes('"security":[]'))).toEqual([
    `$['paths']['/health']['get'] {"security":[]}`,
  ])
  expect(changes.at(-1)).toEqual([])
})

test('what stands in another file is counted, and not suggested', async () => {
  const other = writeDocument('suggest-other.json', JSON.stringify({ post: paths['/things'].post }))
  const from = writeDocument('suggest-root.json', documentWith({ '/things': { $ref: other } }))
  const contract = await loadContract({ from, refFolder: dirname(dirname(from)) })
  const ledger = await runOf(contract, `${await answering(answer)}/v1`)
  const { actions, elsewhere } = suggestedOverlay(contract, ledger, null)
  expect(actions.map(({ target }) => target)).toEqual(['$'])
  expect(elsewhere).toBeGreaterThan(2)
})
