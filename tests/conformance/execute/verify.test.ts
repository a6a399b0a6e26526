import { expect, onTestFinished, test } from 'vitest'
import { createPlanCache, verify } from '../../../conformance/index.ts'
import { sampleSchema } from '../../../generator/index.ts'
import { createMock } from '../../../mock/index.ts'
import { type Contract, countVerdicts, type Ledger, type RunEvent } from '../../../spec/index.ts'
import { brokenServers, startServer } from '../../broken-servers/index.ts'
import { conclusionSoFar } from '../../conclusion-so-far.ts'
import { contracts } from '../../spec/contracts.ts'

const contract = contracts.plantStore

const onMock = async (options: Partial<Parameters<typeof verify>[0]> = {}): Promise<Ledger> => {
  const mock = await createMock({ contract, tokens: ['secret'] })
  try {
    return await verify({ target: mock.url, contract, token: 'secret', seed: 11, sustained: 0, ...options })
  } finally {
    await mock.close()
  }
}

test.each([
  ['declared', 260, {}],
  ['401', 271, { cases: 700, sustained: 0 }],
  ['either', 271, { cases: 700, sustained: 0 }],
] as const)(
  'the mock passes every obligation, strictly, with the policy %s',
  async (unauthenticated, most, budget) => {
    const mock = await createMock({ contract, tokens: ['secret'], unauthenticated })
    onTestFinished(mock.close)
    const ledger = await verify({
      target: mock.url,
      contract,
      include: ['*'],
      token: 'secret',
      seed: 11,
      strict: true,
      unauthenticated,
      ...budget,
    })
    expect(ledger.findings).toEqual([])
    expect(conclusionSoFar(ledger)).toBe('conformant')
    const { passed, failed, inconclusive, untested } = countVerdicts(ledger.entries)
    expect({ failed, inconclusive, untested }).toEqual({ failed: 0, inconclusive: 0, untested: 0 })
    expect(passed).toBe(most)
  },
)

test.each<[string, Contract, sustained: number, untested: readonly string[]]>([
  ['library', contracts.library, 0, ['unprovoked', 'unsupported']],
  ['orders', contracts.orders, 1500, ['unsupported']],
  ['payments', contracts.payments, 0, ['unsupported']],
])(
  'the mock of %s passes every obligation that can be tested, strictly',
  async (_name, document, sustained, untested) => {
    const mock = await createMock({ contract: document, tokens: ['secret'] })
    onTestFinished(mock.close)
    const ledger = await verify({
      target: mock.url,
      contract: document,
      include: ['*'],
      token: 'secret',
      seed: 11,
      sustained,
      strict: true,
    })
    expect(ledger.findings).toEqual([])
    expect(conclusionSoFar(ledger)).toBe('conformant')
    expect(countVerdicts(ledger.entries).passed).toBeGreaterThan(200)
    const causes = ledger.entries.flatMap(({ verdict }) =>
      verdict.kind === 'untested' ? [verdict.cause] : [],
    )
    expect([...new Set(causes)].sort()).toEqual(untested)
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

/** A run of the default length, for all tests that only look at its requests. */
const wholeRun = onMock()

test('no identity is sent twice, except to observe the response', async () => {
  const ledger = await wholeRun
  const ids = ledger.exchanges
    .filter(
      ({ expectation, obligation }) => expectation === 'accept' && !obligation.includes('/unspecified/'),
    )
    .flatMap(
      ({ request }) =>
        /"(?:id|\\u0069\\u0064)"\s*:\s*(-?[\d.eE+]+)/.exec(request.body?.data ?? '')?.[1] ?? [],
    )
  expect(ids.length).toBeGreaterThan(300)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the ids of a run lie in the range that it reports, except for the boundary values that it lists', async () => {
  const ledger = await wholeRun
  const [range] = ledger.start.identities
  if (range === undefined) throw new Error('the run names no range')
  const ranges = range.also.filter(text => text.includes('…')).map(text => text.split('…').map(BigInt))
  const isInRange = (id: bigint): boolean =>
    [[BigInt(range.from), BigInt(range.to)], ...ranges].some(ends => {
      const [least = 0n, most = 0n] = ends.toSorted((left, right) => Number(left - right))
      return least <= id && id <= most
    })
  expect(ranges).toHaveLength(3)
  for (const { request, expectation } of ledger.exchanges) {
    const id =
      expectation === 'accept' ? /^\{"id":(-?\d+)[,}]/.exec(request.body?.data ?? '')?.[1] : undefined
    if (id === undefined || range.also.includes(id)) continue
    expect([id, isInRange(BigInt(id))]).toEqual([id, true])
  }
})

test('both ends of int64 are sent, and the integers just beyond them', async () => {
  const ledger = await wholeRun
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

test('an option that is undefined has its default', async () => {
  const ledger = await onMock({ cases: 60, seed: 4, only: undefined, strict: undefined, rate: undefined })
  expect(ledger.start).toMatchObject({ seed: 4, policies: { strict: 'false' }, selection: { only: [] } })
})

test('if nothing listens, the run is inconclusive', async () => {
  const mock = await createMock({ contract })
  await mock.close()
  const ledger = await verify({ target: mock.url, contract, seed: 1 })
  expect(ledger.end).toMatchObject({ stopped: 'unreachable', conclusion: 'inconclusive' })
})

const oneFault = [
  'takes-null-name',
  'rejects-percent',
  'takes-comments',
  'takes-token-beginning',
  'writes-byte-order-mark',
]

const planCache = createPlanCache()

const runOn = async (name: string): Promise<Ledger & { readonly token: string }> => {
  const server = brokenServers.find(row => row.name === name)
  if (server === undefined) throw new Error(`there is no server ${name}`)
  const { url: target, token, close } = await startServer(server)
  try {
    return { ...(await verify({ target, token, contract, seed: 5, sustained: 0, planCache })), token }
  } finally {
    await close()
  }
}

test.each(oneFault)('%s gives exactly one finding', async name => {
  const { findings } = await runOn(name)
  expect(findings.filter(({ level }) => level === 'MUST')).toHaveLength(1)
})

test('a finding has the smallest case, a curl command and a hint', async () => {
  const { findings, token } = await runOn('rejects-percent')
  const [finding] = findings
  expect(finding?.request.body?.data).toMatch(/^\{"id":\d+,"name":"%00"\}$/)
  expect(finding?.curl).toContain('$PLANTSTORE_TOKEN')
  expect(finding?.curl).not.toContain(token)
  expect(finding?.hint).toMatch(/^[A-Z].{10,}\.$/)
  expect(finding?.repeat).toBe('steady')
})

test('sampleSchema returns JSON texts, or the reason why it cannot', async () => {
  const sample = await sampleSchema(
    { type: 'object', required: ['id'], properties: { id: { type: 'integer', format: 'int64' } } },
    { kind: 'valid', count: 5, seed: 1 },
  )
  expect('texts' in sample && sample.texts.map(text => typeof JSON.parse(text).id)).toEqual(
    Array(5).fill('number'),
  )
  expect(await sampleSchema(false, { kind: 'valid', count: 1, seed: 1 })).toHaveProperty('unsupported')
})
