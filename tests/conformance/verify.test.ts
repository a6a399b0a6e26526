import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { sampleSchema, verify } from '../../conformance/index.ts'
import { createMock } from '../../mock/index.ts'
import { type Ledger, type RunEvent, tally } from '../../spec/index.ts'
import { brokenServers, startServer } from '../broken-servers/index.ts'

const onMock = async (options: Partial<Parameters<typeof verify>[0]> = {}): Promise<Ledger> => {
  const mock = await createMock({ tokens: ['secret'] })
  try {
    return await verify({ target: mock.url, token: 'secret', seed: 11, ...options })
  } finally {
    await mock.close()
  }
}

test.each([
  ['declared', 200],
  ['401', 211],
  ['either', 211],
] as const)(
  'the mock keeps every obligation, strictly, with the policy %s',
  async (unauthenticated, most) => {
    const mock = await createMock({ tokens: ['secret'], unauthenticated })
    onTestFinished(mock.close)
    const ledger = await verify({
      target: mock.url,
      token: 'secret',
      seed: 11,
      strict: true,
      unauthenticated,
    })
    expect(ledger.findings).toEqual([])
    expect(ledger.end?.conclusion).toBe('conformant')
    const { kept, broken, inconclusive, untested } = tally(ledger.entries)
    expect({ broken, inconclusive, untested }).toEqual({ broken: 0, inconclusive: 0, untested: 0 })
    expect(kept).toBe(most)
  },
)

test.each(['library.openapi.yaml', 'orders/orders.openapi.json', 'payments.openapi.yaml'])(
  'the mock of %s keeps every obligation, strictly',
  async name => {
    const contract = fileURLToPath(new URL(`../documents/${name}`, import.meta.url))
    const mock = await createMock({ contract, tokens: ['secret'] })
    try {
      const ledger = await verify({ target: mock.url, contract, token: 'secret', seed: 11, strict: true })
      expect(ledger.findings).toEqual([])
      expect(ledger.end?.conclusion).toBe('conformant')
      expect(tally(ledger.entries).kept).toBeGreaterThan(200)
    } finally {
      await mock.close()
    }
  },
  90_000,
)

test('the same seed sends the same requests, at any concurrency', async () => {
  const digests = await Promise.all(
    [1, 8, 64].map(async concurrency => (await onMock({ concurrency, cases: 400 })).end?.digest),
  )
  expect(new Set(digests).size).toBe(1)
  expect((await onMock({ cases: 400, seed: 12 })).end?.digest).not.toBe(digests[0])
})

test('no identity is sent twice, but to see what happens then', async () => {
  const ledger = await onMock()
  const ids = ledger.exchanges
    .filter(({ expected, obligation }) => expected === 'accepted' && !obligation.includes('/open/'))
    .flatMap(
      ({ request }) =>
        /"(?:id|\\u0069\\u0064)"\s*:\s*(-?[\d.eE+]+)/.exec(request.body?.data ?? '')?.[1] ?? [],
    )
  expect(ids.length).toBeGreaterThan(300)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the ids of a run lie in the range that it tells, but for the edges that it names', async () => {
  const ledger = await onMock()
  const [range] = ledger.start.identities
  if (range === undefined) throw new Error('no range was told')
  for (const { request, expected } of ledger.exchanges) {
    const id = expected === 'accepted' ? /^\{"id":(-?\d+)[,}]/.exec(request.body?.data ?? '')?.[1] : undefined
    if (id === undefined || range.also.includes(id)) continue
    expect(Number(id)).toBeGreaterThanOrEqual(Number(range.from))
    expect(Number(id)).toBeLessThanOrEqual(Number(range.to))
  }
})

test('both edges of int64 and what lies past them are sent', async () => {
  const ledger = await onMock()
  const bodies = ledger.exchanges.map(({ request }) => request.body?.data ?? '')
  for (const id of [
    '9223372036854775807',
    '-9223372036854775808',
    '9223372036854775808',
    '-9223372036854775809',
  ])
    expect(bodies.some(body => body.includes(`"id":${id},`))).toBe(true)
})

test('every event is plain JSON, the first is a start and the last an end', async () => {
  const events: RunEvent[] = []
  await onMock({ cases: 250, onEvent: event => events.push(event) })
  expect(JSON.parse(JSON.stringify(events))).toEqual(events)
  expect(events[0]?.type).toBe('start')
  expect(events.at(-1)?.type).toBe('end')
  expect(events.filter(({ type }) => type === 'start' || type === 'end')).toHaveLength(2)
})

test('a run with too few cases says what it did not reach', async () => {
  const ledger = await onMock({ cases: 60 })
  const { untested } = tally(ledger.entries)
  expect(untested).toBeGreaterThan(50)
  expect(ledger.entries.find(({ verdict }) => verdict.kind === 'untested')?.verdict).toMatchObject({
    because: expect.stringContaining('--cases'),
  })
})

test('without a token, wrong tokens are not tested, and the ledger says why', async () => {
  const mock = await createMock()
  try {
    const ledger = await verify({ target: mock.url, seed: 3, strict: true })
    expect(ledger.end?.conclusion).toBe('conformant')
    const wrong = ledger.entries.find(({ obligation }) => obligation.id === 'createPlant/auth/wrong-token')
    expect(wrong?.verdict).toMatchObject({ kind: 'untested', because: expect.stringContaining('--token') })
  } finally {
    await mock.close()
  }
})

test('a wrong token gives one finding that points at it, not a hundred', async () => {
  const ledger = await onMock({ token: 'not-the-secret' })
  expect(ledger.findings.map(({ obligation }) => obligation)).toEqual(['createPlant/request/valid'])
  expect(ledger.findings[0]?.hint).toContain('--token')
  expect(tally(ledger.entries).inconclusive).toBeGreaterThan(100)
})

test('where nothing listens the run is inconclusive', async () => {
  const mock = await createMock()
  await mock.close()
  const ledger = await verify({ target: mock.url, seed: 1 })
  expect(ledger.end).toMatchObject({ stopped: 'unreachable', conclusion: 'inconclusive' })
})

test('a stopped run is still a whole ledger', async () => {
  const stop = new AbortController()
  const ledger = await onMock({
    signal: stop.signal,
    onEvent: event => {
      if (event.type === 'exchange' && event.id === '064') stop.abort()
    },
  })
  expect(ledger.end).toMatchObject({ stopped: 'interrupt', conclusion: 'inconclusive' })
  expect(
    ledger.entries.every(({ verdict }) => verdict.kind !== 'untested' || verdict.because.length > 0),
  ).toBe(true)
  expect(tally(ledger.entries).kept).toBeGreaterThan(20)
})

const combined = [
  'takes-null-name',
  'refuses-percent',
  'takes-comments',
  'takes-token-beginning',
  'writes-byte-order-mark',
]

test.each(combined)('%s gives exactly one finding', async name => {
  const server = brokenServers.find(row => row.name === name)
  if (server === undefined) throw new Error(`there is no server ${name}`)
  const started = await startServer(server)
  try {
    const { findings } = await verify({ target: started.url, token: started.token, seed: 5 })
    expect(findings.filter(({ level }) => level === 'MUST')).toHaveLength(1)
  } finally {
    await started.close()
  }
})

test('a finding has the smallest case, a curl command and a hint', async () => {
  const server = brokenServers.find(({ name }) => name === 'refuses-percent')
  if (server === undefined) throw new Error('there is no such server')
  const started = await startServer(server)
  try {
    const { findings } = await verify({ target: started.url, token: started.token, seed: 5 })
    const [finding] = findings
    expect(finding?.request.body?.data).toMatch(/^\{"id":\d+,"name":"%"\}$/)
    expect(finding?.curl).toContain('$PLANTSTORE_TOKEN')
    expect(finding?.curl).not.toContain(started.token)
    expect(finding?.hint.length).toBeGreaterThan(10)
    expect(finding?.repeat).toBe('steady')
  } finally {
    await started.close()
  }
})

test('sampleSchema gives JSON texts, or the reason why it cannot', async () => {
  const sample = await sampleSchema(
    { type: 'object', required: ['id'], properties: { id: { type: 'integer', format: 'int64' } } },
    { kind: 'valid', count: 5, seed: 1 },
  )
  expect('texts' in sample && sample.texts.map(text => typeof JSON.parse(text).id)).toEqual(
    Array(5).fill('number'),
  )
  expect(await sampleSchema(false, { kind: 'valid', count: 1, seed: 1 })).toHaveProperty('refused')
})
