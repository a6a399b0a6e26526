/** Servers with a single thread, which answer nothing while they work on one request. */
import { Worker } from 'node:worker_threads'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createBlockage } from '../../../conformance/send/transport/blockage.ts'
import { type HttpRequest, loadContract, type Outcome } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

/** In a thread of its own, as it would block the test as well. */
const serverCode = `
  const { createServer } = require('node:http')
  const { parentPort, workerData } = require('node:worker_threads')
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray().catch(() => []))
    const say = (status, body) => {
      response.writeHead(status, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const path = request.url.split('?')[0]
    if (!['/render', '/a', '/b', '/c', '/d', '/e', '/f'].includes(path)) return say(404, {})
    if (request.method !== (path === '/render' ? 'POST' : 'GET')) return say(405, {})
    if (path !== '/render') return say(200, 1)
    if (!/^application\\/json\\s*(;|$)/i.test(request.headers['content-type'] ?? '')) return say(400, {})
    let sent
    try {
      sent = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
    } catch {
      return say(400, {})
    }
    const isInvalid = typeof sent !== 'object' || sent === null || Array.isArray(sent) || !Number.isInteger(sent.depth)
    if (isInvalid) return say(400, {})
    const end = Date.now() + (sent.depth > 1e6 ? workerData : 0)
    while (Date.now() < end);
    say(200, 1)
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`

const startBlocking = async (ms: number): Promise<string> => {
  const worker = new Worker(serverCode, { eval: true, workerData: ms })
  onTestFinished(async () => void (await worker.terminate()))
  const port = await new Promise<number>(resolve => worker.once('message', resolve))
  return `http://127.0.0.1:${port}`
}

const responses = {
  200: { description: 'ok', content: { 'application/json': { schema: { type: 'integer' } } } },
  400: { description: 'no' },
  405: { description: 'no' },
}
const document = documentWith({
  '/render': {
    post: {
      operationId: 'render',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { type: 'object', required: ['depth'], properties: { depth: { type: 'integer' } } },
          },
        },
      },
      responses,
    },
  },
  ...Object.fromEntries([...'abcdef'].map(name => [`/${name}`, { get: { operationId: name, responses } }])),
})

test.each([1, 64])(
  'the request that a server is busy with is told, and nothing else, with %i in flight',
  { timeout: 120_000 },
  async concurrency => {
    const target = await startBlocking(2000)
    const contract = await loadContract({ from: writeDocument('render.json', document) })
    const { findings, entries } = await verify({
      ...{ contract, target, seed: 5, cases: 600, sustained: 0, timeoutMs: 700, concurrency },
    })
    expect(findings.length).toBeGreaterThan(0)
    for (const { title, obligation, actual } of findings) {
      expect(title).toMatch(/^did not respond to .*`depth`.* in time, nor to anything else meanwhile$/)
      expect(obligation).toMatch(/^render\//)
      expect(actual).toMatch(/no response within \d+ ms, and none to anything else for [2-9] s$/)
    }
    const open = entries
      .filter(({ verdict }) => ['inconclusive', 'untested'].includes(verdict.kind))
      .map(({ obligation: { id }, verdict }) => `${id}: ${'reason' in verdict ? verdict.reason : ''}`)
    expect(open.filter(text => !text.startsWith('render/'))).toEqual([])
  },
)

afterEach(() => {
  vi.useRealTimers()
})

const request: HttpRequest = { method: 'GET', target: '/', headers: [], body: null, chunked: false }
const testCase = { request }
const answered: Outcome = {
  kind: 'response',
  response: { status: 200, headers: [], body: new Uint8Array() },
  ms: 1,
}
const hung: Outcome = { kind: 'failure', failure: 'timeout', status: null, detail: 'no response', ms: 1000 }

const hangFor = (ms: number): Promise<Outcome> =>
  new Promise(resolve => setTimeout(() => resolve({ ...hung, ms }), ms))

/** A server that has answered once, and answers nothing from then on. */
const silent = async (seconds: number | null) => {
  vi.useFakeTimers()
  const { signal } = new AbortController()
  const limits = { signal, deadline: seconds === null ? null : performance.now() + seconds * 1000 }
  let [questions, sent] = [0, 0]
  const blockage = createBlockage(
    () => {
      questions += 1
      return hangFor(2000)
    },
    () => 1000,
    { onDoubt: () => {}, onHang: () => {} },
  )
  await blockage.watched([request], async () => answered)
  const send = (of: string) =>
    blockage.resolved(
      of,
      {
        send: async () => {
          sent += 1
          return { testCase, outcome: await blockage.watched([request], () => hangFor(1000)) }
        },
        again: async () => ({ testCase, outcome: hung }),
        leftOut: missing => ({ testCase, outcome: hung, missing }),
      },
      limits,
    )
  return { blockage, send, counts: () => ({ questions, sent }) }
}

test('a server that answers nothing for a minute is given up, and until then nothing else is sent', async () => {
  const { blockage, send, counts } = await silent(null)
  const both = Promise.all([send('a'), send('b')])
  await vi.advanceTimersByTimeAsync(30_000)
  const later = send('c')
  await vi.advanceTimersByTimeAsync(20_000)
  expect([counts().sent, blockage.silence()]).toEqual([2, null])
  await vi.advanceTimersByTimeAsync(30_000)
  expect((await both).map(({ outcome }) => outcome)).toEqual([hung, hung])
  await later
  expect(counts().sent).toBe(3)
  expect(blockage.silence()).toBeGreaterThan(60_000)
  expect(counts().questions).toBeLessThan(40)
  await blockage.watched([request], async () => answered)
  expect(blockage.silence()).toBeNull()
})

test('if the time of the run is up first, the server counts as silent only after some seconds', async () => {
  for (const [seconds, isSilent] of [
    [20, false],
    [50, true],
  ] as const) {
    const { blockage, send } = await silent(seconds)
    const both = Promise.all([send('a'), send('b')])
    await vi.advanceTimersByTimeAsync(59_000)
    expect((await both).map(sent => 'missing' in sent)).toEqual([!isSilent, !isSilent])
    expect(blockage.silence() !== null).toBe(isSilent)
    vi.useRealTimers()
  }
})

test('what hung beside requests that share a connection is sent again before it is accused', async () => {
  vi.useFakeTimers()
  const blockage = createBlockage(
    async () => answered,
    () => 1000,
    { onDoubt: () => {}, onHang: () => {} },
  )
  await blockage.watched([request], async () => answered)
  const row = blockage.watched([request, request], async () => [await hangFor(1100)])
  let again = 0
  const sent = blockage.resolved(
    'a',
    {
      send: async () => ({ testCase, outcome: await blockage.watched([request], () => hangFor(1000)) }),
      again: async () => {
        again += 1
        return { testCase, outcome: answered }
      },
      leftOut: () => ({ testCase, outcome: hung }),
    },
    { signal: new AbortController().signal, deadline: null },
  )
  await vi.advanceTimersByTimeAsync(10_000)
  await row
  expect([(await sent).outcome, again]).toEqual([answered, 1])
})
