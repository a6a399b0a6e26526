/** Runs that are cut short say nothing of what was not sent or not seen: their reports are held against the server's own log. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  mergeShards,
  planSlices,
  readEvidence,
  type VerifyOptions,
  verify,
  verifyShard,
} from '../../../conformance/index.ts'
import { terminal } from '../../../reports/index.ts'
import { type Finding, type Ledger, loadContract, type RecordedRequest } from '../../../spec/index.ts'
import { writeDocument } from '../../spec/contracts.ts'

const json = (schema: object) => ({ description: 'ok', content: { 'application/json': { schema } } })
const failures = {
  400: json({ type: 'object', required: ['error'], properties: { error: { type: 'string' } } }),
}
const colour = {
  type: 'object',
  required: ['colour'],
  properties: { colour: { type: 'string', minLength: 1 } },
}
const read = (operationId: string, parameters: readonly object[] = []) => ({
  get: { operationId, parameters, responses: { 200: json(colour), ...failures } },
})

const contract = await loadContract({
  from: writeDocument(
    'cut.json',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Cut', version: '1' },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
      security: [{ bearer: [] }],
      paths: {
        '/origin-a': read('originA'),
        '/origin-b': read('originB'),
        '/lenient': read('lenient', [{ name: 'n', in: 'query', schema: { type: 'integer', minimum: 1 } }]),
        '/moody': read('moody'),
        '/pots': {
          post: {
            operationId: 'createPot',
            requestBody: { required: true, content: { 'application/json': { schema: colour } } },
            responses: {
              201: json({ ...colour, properties: { ...colour.properties, id: { type: 'integer' } } }),
              ...failures,
            },
          },
        },
        '/pots/{id}': {
          ...read('getPot', [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]),
          delete: {
            operationId: 'removePot',
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
            responses: { 204: { description: 'gone' }, ...failures },
          },
        },
      },
    }),
  ),
})

type Entry = {
  readonly method: string
  readonly target: string
  readonly bytes: Buffer
  readonly origin: boolean
  status: number
}

/** Faults that come every time (an Origin; an invalid number; a long colour) and now and then (`/moody`, every ninth request). */
const startServer = async (delayMs: number, onRequest: (count: number) => 'die' | 'go on') => {
  const log: Entry[] = []
  const pots = new Set<number>()
  let isDead = false
  const server = createServer(async (request, response) => {
    const entry: Entry = {
      method: request.method ?? '',
      target: request.url ?? '',
      bytes: Buffer.of(),
      origin: request.headers.origin !== undefined,
      status: 0,
    }
    const number = log.push(entry)
    if (onRequest(number) === 'die' || isDead) {
      isDead = true
      server.close()
      server.closeAllConnections()
      return
    }
    const bytes = Buffer.concat(await request.toArray().catch(() => []))
    const body = bytes.toString()
    Object.assign(entry, { bytes })
    const path = entry.target.replace(/\?.*/, '')
    const answer = (status: number, value?: unknown): void => {
      entry.status = status
      const send = (): void => {
        response.writeHead(status, {
          'X-Answer': String(number),
          ...(value === undefined ? {} : { 'Content-Type': 'application/json' }),
        })
        response.end(value === undefined ? undefined : JSON.stringify(value))
      }
      if (delayMs === 0) send()
      else setTimeout(send, delayMs)
    }
    const reject = (): void => answer(400, { error: 'no' })
    if (request.headers.authorization !== 'Bearer secret') return reject()
    if (path.startsWith('/origin')) return entry.origin ? answer(403, {}) : answer(200, { colour: 'red' })
    if (path === '/lenient') return answer(200, { colour: 'red' })
    if (path === '/moody') return number % 9 === 0 ? answer(503, {}) : answer(200, { colour: 'red' })
    if (path === '/pots' && entry.method === 'POST') {
      let sent: unknown
      try {
        sent = JSON.parse(body)
      } catch {
        return reject()
      }
      const value = sent === null ? undefined : (sent as { colour?: unknown }).colour
      if (typeof value !== 'string' || value === '' || request.headers['content-type'] !== 'application/json')
        return reject()
      if (value.length > 60) return answer(500, {})
      pots.add(number)
      return answer(201, { colour: value, id: number })
    }
    const id = Number(path.replace('/pots/', ''))
    if (!pots.has(id)) return reject()
    if (entry.method === 'DELETE') {
      pots.delete(id)
      return answer(204)
    }
    return entry.method === 'GET' ? answer(200, { colour: 'red' }) : reject()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { log, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

const inFlight = 16

const answerOf = (outcome: Finding['outcome']): number =>
  outcome.kind === 'response'
    ? Number(outcome.headers.find(([name]) => name.toLowerCase() === 'x-answer')?.[1] ?? Number.NaN)
    : Number.NaN

const filled = (text: string): string => text.replaceAll('{{token}}', 'secret')

const bytesOf = ({ body }: RecordedRequest): Buffer =>
  body === null
    ? Buffer.of()
    : body.encoding === 'base64'
      ? Buffer.from(body.data, 'base64')
      : Buffer.from(filled(body.data))

const isSame = (request: RecordedRequest, entry: Entry): boolean =>
  entry.method === request.method &&
  entry.target === filled(request.target) &&
  entry.origin === request.headers.some(([name]) => name.toLowerCase() === 'origin') &&
  entry.bytes.equals(bytesOf(request))

const routeOf = (target: string): string => target.replace(/\?.*/, '').replace(/^\/pots\/.*/, '/pots/{id}')

/**
 * Everything that a ledger says of requests and responses, held against the log. `onTheWay`: how many requests may have been sent, and not read,
 * when the run was cut or the server died.
 */
const holdAgainst = (ledger: Ledger, log: readonly Entry[], onTheWay: number): void => {
  const { end, exchanges, findings } = ledger
  expect(end?.requests).toBeLessThanOrEqual(log.length + onTheWay)
  for (const { request, outcome } of [...exchanges, ...findings].filter(
    each => each.request.raw === undefined,
  )) {
    if (outcome.kind !== 'response') continue
    // What has no such header is the parser's answer, to what is no HTTP.
    const entry = log[answerOf(outcome) - 1]
    if (entry === undefined) continue
    expect({ method: entry.method, target: entry.target, status: entry.status }).toEqual({
      method: request.method,
      target: filled(request.target),
      status: outcome.status,
    })
  }
  for (const finding of findings) {
    const { request, outcome, repeat, cases, title } = finding
    const alike = log.filter(
      entry =>
        entry.method === request.method &&
        routeOf(entry.target) === routeOf(request.target) &&
        (outcome.kind !== 'response' || entry.status === outcome.status),
    )
    const same = log.filter(entry => isSame(request, entry))
    // What was refused never got there, and a server that dies may not have read what was on its way.
    const isUnseen =
      request.raw !== undefined ||
      (outcome.kind === 'failure' &&
        (outcome.failure === 'refused' || (outcome.failure === 'reset' && onTheWay > 0)))
    expect({ title, named: same.length > 0 || isUnseen }).toEqual({ title, named: true })
    expect(cases).toBeLessThanOrEqual(Math.max(alike.length, same.length))
    if (/^sometimes /.test(title)) expect({ title, repeat }).toEqual({ title, repeat: 'flaky' })
    if (repeat === 'steady') expect({ title, sent: alike.length > 1 }).toEqual({ title, sent: true })
    if (repeat === 'flaky' && !finding.obligation.endsWith('/connection'))
      expect({
        title,
        differ: new Set(same.map(({ status }) => status)).size > 1 || same.length > 1,
      }).toEqual({
        title,
        differ: true,
      })
    // Then the server saw it in planned cases alone, and at most once more if the response to a repetition was cut off.
    if (repeat === 'unrepeated' && request.headers.some(([name]) => name === 'Origin')) {
      const planned = exchanges.filter(exchange => same.some(entry => isSame(exchange.request, entry)))
      const sent = same.length - (onTheWay > 0 && same.length > planned.length ? 1 : 0)
      expect({ title, sent }).toEqual({ title, sent: planned.length })
    }
  }
  const text = terminal(ledger, {
    colour: false,
    verbosity: 'verbose',
    ledger: 'ledger.ndjson',
    report: null,
  })
  if (findings.every(({ repeat }) => repeat !== 'flaky')) expect(text).not.toMatch(/sometimes|flaky/)
}

type Cut =
  | { readonly by: 'time'; readonly seconds: number }
  | { readonly by: 'bail' }
  | { readonly by: 'interrupt' | 'death'; readonly after: number }
  | { readonly by: 'shards'; readonly sent: number }

const cuts: fc.Arbitrary<Cut> = fc.oneof(
  fc.record({ by: fc.constant('time' as const), seconds: fc.double({ min: 0.05, max: 1, noNaN: true }) }),
  fc.constant({ by: 'bail' as const }),
  fc.record({
    by: fc.constantFrom('interrupt' as const, 'death' as const),
    after: fc.integer({ min: 1, max: 900 }),
  }),
  fc.record({ by: fc.constant('shards' as const), sent: fc.integer({ min: 1, max: 6 }) }),
)

test('no word of a report is about what was not sent, however a run is cut', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      cuts,
      fc.nat(500),
      fc.constantFrom(1, inFlight),
      fc.constantFrom(0, 0, 5),
      async (cut, seed, concurrency, delayMs) => {
        const stop = new AbortController()
        const server = await startServer(delayMs, count => {
          if (cut.by === 'interrupt' && count === cut.after) stop.abort()
          return cut.by === 'death' && count >= cut.after ? 'die' : 'go on'
        })
        const options: VerifyOptions & { readonly seed: number } = {
          ...{ target: server.url, contract, token: 'secret', seed, concurrency, cases: 300, sustained: 0 },
          ...{ signal: stop.signal, timeoutMs: 2000, strict: true },
          ...(cut.by === 'time' ? { maxSeconds: cut.seconds } : {}),
          ...(cut.by === 'bail' ? { bail: true } : {}),
        }
        try {
          const onTheWay = ['time', 'interrupt', 'death'].includes(cut.by) ? 2 * inFlight : 0
          if (cut.by !== 'shards') return holdAgainst(await verify(options), server.log, onTheWay)
          const names = planSlices(contract, options).map(({ name }) => name)
          const slices = names.filter((_name, index) => index % 7 < cut.sent)
          const splitInTwo = [
            slices.filter((_, index) => index % 2 === 0),
            slices.filter((_, index) => index % 2 === 1),
          ]
          const shards: string[] = []
          for (const half of splitInTwo.filter(({ length }) => length > 0))
            shards.push(await verifyShard({ ...options, slices: half }))
          const { ledger } = mergeShards(
            contract,
            shards.map(text => readEvidence(text, contract)),
          )
          holdAgainst(ledger, server.log, 0)
        } finally {
          server.close()
        }
      },
    ),
    { numRuns: 20, endOnFailure: true },
  )
})

test('a time limit covers confirmation and clean-up', { timeout: 60_000 }, async () => {
  const server = await startServer(40, () => 'go on')
  const began = performance.now()
  try {
    const ledger = await verify({
      target: server.url,
      contract,
      token: 'secret',
      seed: 1,
      concurrency: 4,
      maxSeconds: 3,
    })
    expect(ledger.end?.stopped).toBe('time')
    // A tenth beyond it, one response, and some time for a machine that has other things to do.
    expect(performance.now() - began).toBeLessThan(3300 + 40 + 700)
    holdAgainst(ledger, server.log, 0)
    const left =
      server.log.filter(({ status }) => status === 201).length -
      server.log.filter(({ status }) => status === 204).length
    const told = ledger.notes.some(({ message }) =>
      /what the run created could not all be removed/.test(message),
    )
    expect(left > 0 ? told : true).toBe(true)
  } finally {
    server.close()
  }
})

test('what time did not suffice to repeat is not called flaky', async () => {
  const server = await startServer(60, () => 'go on')
  try {
    const ledger = await verify({
      target: server.url,
      contract,
      token: 'secret',
      seed: 1,
      concurrency: 1,
      maxSeconds: 2,
    })
    const ofOrigin = ledger.findings.filter(({ request }) =>
      request.headers.some(([name]) => name === 'Origin'),
    )
    for (const { repeat, obligation } of ofOrigin) {
      expect(repeat).not.toBe('flaky')
      expect(obligation).not.toMatch(/stability/)
    }
  } finally {
    server.close()
  }
})

test('a run whose time is not up ends once nothing more of it can be sent, and hears responses until then', {
  timeout: 60_000,
}, async () => {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
  // Nothing but a name that exists is accepted, nothing that the document forbids can be sent, and the run may not create anything.
  const named = await loadContract({
    from: writeDocument(
      'named.json',
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Named', version: '1' },
        paths: {
          '/pots': { post: { operationId: 'createPot', responses: { 201: json(colour) } } },
          '/pots/{id}': {
            get: { operationId: 'getPot', parameters: [id], responses: { 200: json(colour) } },
          },
        },
      }),
    ),
  })
  const { url, close } = await startServer(20, () => 'go on')
  let [last, longest] = [performance.now(), 0]
  const clock = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 10)
  const { end } = await verify({
    ...{ contract: named, target: url, seed: 3, sustained: 0, only: ['getPot'], maxSeconds: 40 },
  })
  clearInterval(clock)
  close()
  expect(end?.stopped).toBe('done')
  expect(end?.ms).toBeLessThan(20_000)
  expect(longest).toBeLessThan(2000)
})
