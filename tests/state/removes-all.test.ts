import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'
import { startPlants } from './plant-server.ts'
import { plantContract, verifyPlants } from './plants.ts'

test.each([1, 2])(
  'what removes all is sent last, and nothing is said of what it took from others (seed %i)',
  async seed => {
    const contract = await plantContract([
      '  /plants/{plantId}:\n',
      `    delete:
      operationId: removePlants
      responses:
        "204": { description: All plants are gone }
        "401": { $ref: "#/components/responses/Failure" }
  /plants/{plantId}:\n`,
    ])
    const server = await startPlants({ removesAll: true })
    onTestFinished(server.close)
    const requests: string[] = []
    const { findings, entries } = await verifyPlants(server, {
      ...{ contract, seed, strict: true, cases: 800 },
      onExchange: ({ request: { method, target } }) => void requests.push(`${method} ${target}`),
    })
    expect(findings.map(({ title, obligation }) => `${title} (${obligation})`)).toEqual([])
    const verdictOf = (name: string) => entries.find(({ obligation }) => obligation.id === name)?.verdict.kind
    expect(verdictOf('removePlants/request/valid')).toBe('passed')
    expect(verdictOf('getPlant/request/valid')).toBe('passed')
    // Once before the plan, to see whether it works, and the rest after all others.
    const at = requests.flatMap((each, index) => (each === 'DELETE /plants' ? [index] : []))
    expect(at.filter(index => index < requests.length / 2).length).toBeLessThan(3)
  },
)

const done = { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } }
const failures = { 400: { description: 'no' }, 403: { description: 'gone, or never there' } }
const parameter = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })
const item = (name: string) => [
  `/buckets/{bucket_id}/${name}/{id}`,
  {
    parameters: [parameter('bucket_id'), parameter('id')],
    get: { operationId: `get_${name}`, responses: { 200: done, ...failures } },
  },
]
const list = (name: string) => [
  `/buckets/{bucket_id}/${name}`,
  {
    parameters: [parameter('bucket_id')],
    get: { operationId: `list_${name}`, responses: { 200: done, ...failures } },
    post: { operationId: `make_${name}`, responses: { 201: done, ...failures } },
  },
]
const kinds = ['groups', 'records', 'rules']
const buckets = documentWith({
  '/buckets': {
    post: { operationId: 'make_bucket', responses: { 201: done, ...failures } },
    delete: { operationId: 'remove_buckets', responses: { 204: { description: 'gone' }, ...failures } },
  },
  '/buckets/{bucket_id}': {
    parameters: [parameter('bucket_id')],
    get: { operationId: 'get_bucket', responses: { 200: done, ...failures } },
    delete: { operationId: 'remove_bucket', responses: { 204: { description: 'gone' }, ...failures } },
  },
  ...Object.fromEntries(kinds.flatMap(kind => [list(kind), item(kind)])),
})

test.each([1, 2])(
  'nor if operations are asked again at the same time, as time is limited (seed %i)',
  async seed => {
    const instances = new Map<string, Set<string>>()
    let [made, running, removing, overlaps] = [0, 0, 0, 0]
    const server = createServer(async (request, answer) => {
      request.resume()
      const { method = '', url = '' } = request
      const [, top, name, kind, id, more] = (url.split('?')[0] ?? '').split('/')
      const removesAll = method === 'DELETE' && name === undefined
      running += 1
      if (removesAll) removing += 1
      if (removing > 0 && running > 1) overlaps += 1
      // What it is asked for may be gone when it looks.
      await delay(method === 'GET' ? 15 : 5)
      const send = (status: number, data?: object): void => {
        running -= 1
        if (removesAll) removing -= 1
        answer.writeHead(status, data === undefined ? {} : { 'Content-Type': 'application/json' })
        answer.end(data === undefined ? undefined : JSON.stringify({ permissions: { read: [] }, data }))
      }
      const isKind = kind === undefined || kinds.includes(kind)
      if (top !== 'buckets' || !isKind || more !== undefined || name === '') return send(404)
      const isList = name === undefined || (kind !== undefined && id === undefined)
      const allowed =
        name === undefined
          ? ['POST', 'DELETE']
          : isList
            ? ['GET', 'POST']
            : kind === undefined
              ? ['GET', 'DELETE']
              : ['GET']
      if (!allowed.includes(method)) return send(405)
      if (name !== undefined && !instances.has(name)) return send(403)
      if (method === 'DELETE') {
        if (name === undefined) instances.clear()
        else instances.delete(name)
        return send(204)
      }
      if (method === 'POST') {
        made += 1
        if (name === undefined) instances.set(`b${made}`, new Set())
        else instances.get(name)?.add(`${kind}${made}`)
        return send(201, { id: name === undefined ? `b${made}` : `${kind}${made}`, modified: 1795738330127 })
      }
      return id !== undefined && instances.get(name ?? '')?.has(id) !== true ? send(403) : send(200, { id })
    })
    const { url, close } = await listen(server)
    onTestFinished(close)
    const contract = await loadContract({ from: writeDocument('buckets.json', buckets) })
    const { findings, notes, entries, end } = await verify({
      ...{ contract, target: url, seed, cases: 400, sustained: 0, maxSeconds: 60 },
      include: ['*'],
    })
    expect(end?.stopped).toBe('done')
    const passed = entries.flatMap(({ obligation: { id }, verdict }) =>
      verdict.kind === 'passed' ? [id] : [],
    )
    expect(passed).toEqual(expect.arrayContaining(['get_bucket/request/valid', 'get_rules/request/valid']))
    expect([instances.size, overlaps]).toEqual([0, 0])
    expect(notes.filter(({ level }) => level === 'warning')).toEqual([])
    expect(findings.map(({ title, obligation }) => `${title} (${obligation})`)).toEqual([])
  },
)

test('what is kept from everybody as it is gone is not told as no longer accepted', async () => {
  const known = new Set<string>()
  let count = 0
  const server = createServer(async (request, answer) => {
    await request.toArray()
    count += 1
    // Everything expires in the middle of the run, and nothing lasts from then on.
    if (count > 250) known.clear()
    const { method = '', url = '' } = request
    const [, top, name, more] = (url.split('?')[0] ?? '').split('/')
    const send = (status: number, data: object): void => {
      answer.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(data))
    }
    if (top !== 'buckets' || more !== undefined) return send(404, {})
    if (method === 'POST' && name === undefined) {
      known.add(`b${count}`)
      return send(201, { id: `b${count}` })
    }
    if (method !== 'GET' || name === undefined) return send(405, {})
    return known.has(name) ? send(200, { id: name }) : send(403, { message: 'This user cannot access this.' })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const document = documentWith({
    '/buckets': { post: { operationId: 'make_bucket', responses: { 201: done, ...failures } } },
    '/buckets/{bucket_id}': {
      parameters: [parameter('bucket_id')],
      get: { operationId: 'get_bucket', responses: { 200: done, ...failures } },
    },
  })
  const contract = await loadContract({ from: writeDocument('expiring.json', document) })
  const { findings } = await verify({ contract, target: url, seed: 1, sustained: 0, cases: 300 })
  expect(count).toBeGreaterThan(300)
  expect(findings.map(({ obligation }) => obligation)).not.toContain('get_bucket/stability/drift')
})
