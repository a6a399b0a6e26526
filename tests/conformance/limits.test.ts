import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { type Ledger, obligationsOf, SelectionError, select } from '../../spec/index.ts'
import { brokenServers } from '../broken-servers/index.ts'
import { brokenStore, storeWith } from '../cli/servers.ts'
import { contracts } from '../spec/contracts.ts'

const against = async (
  running: ReturnType<typeof storeWith>,
  options: Partial<Parameters<typeof verify>[0]>,
): Promise<Ledger> => {
  const { url, token, close } = await running
  try {
    return await verify({ target: url, token, seed: 5, ...options })
  } finally {
    await close()
  }
}

const verdictsIn = (ledger: Ledger): ReadonlyMap<string, string> =>
  new Map(ledger.entries.map(({ obligation, verdict }) => [obligation.id, verdict.kind]))

test('only what is asked for is tested and told', async () => {
  const ledger = await against(storeWith({}), { only: ['createPlant/auth'], skip: ['*/absent'] })
  const verdicts = verdictsIn(ledger)
  for (const [id, kind] of verdicts) {
    const asked = id.startsWith('createPlant/auth/') && !id.endsWith('/absent')
    expect([id, kind === 'untested']).toEqual([id, !asked])
  }
  expect(ledger.exchanges.length).toBeLessThan(200)
  expect(ledger.start.selection).toEqual({ only: ['createPlant/auth'], skip: ['*/absent'] })
})

test('a fault of what was left out is not told, and one of what was asked for is', async () => {
  const about = { only: ['createPlant/request/body/id'] }
  expect((await against(brokenStore('takes-number-for-name'), about)).findings).toEqual([])
  expect((await against(brokenStore('takes-id-in-quotes'), about)).findings).toHaveLength(1)
})

test('a pattern is an id, the beginning of one, or has a star; one that names nothing is refused with what is near', () => {
  const obligations = obligationsOf(contracts.plantStore)
  const chosen = (only: readonly string[], skip: readonly string[] = []): readonly string[] =>
    obligations.map(({ id }) => id).filter(select(obligations, { only, skip }))
  expect(chosen([])).toHaveLength(obligations.length)
  expect(chosen(['createPlant/auth/absent'])).toEqual(['createPlant/auth/absent'])
  expect(chosen(['createPlant/request/body/id']).length).toBeGreaterThan(10)
  expect(chosen(['*/type/null']).every(id => id.endsWith('/type/null'))).toBe(true)
  expect(() => chosen(['createPlant/request/body/i'])).toThrow(
    new SelectionError(
      'the contract has no obligation createPlant/request/body/i: there is createPlant/request/body/id/zero, createPlant/request/body/id/negative-zero, createPlant/request/body/id/one',
    ),
  )
  expect(() => chosen([], ['nonsense'])).toThrow('plantstore obligations lists them all')
})

test('a run that is to bail stops at the first broken promise, and tells it', async () => {
  const ledger = await against(brokenStore('takes-null-id'), { bail: true, cases: 2000, concurrency: 2 })
  expect(ledger.end).toMatchObject({ stopped: 'bail', conclusion: 'broken' })
  expect(ledger.end?.cases).toBeLessThan(200)
  expect(ledger.findings.map(({ obligation }) => obligation)).toEqual([
    'createPlant/request/body/id/type/null',
  ])
  const untested = ledger.entries.find(({ verdict }) => verdict.kind === 'untested')
  expect(untested?.verdict).toMatchObject({ because: 'the run stopped at its first finding' })
})

test('a broken SHOULD bails a strict run only', async () => {
  const lenient = await against(brokenStore('echoes-lower-case'), { bail: true })
  expect(lenient.end?.stopped).toBe('done')
  const strict = await against(brokenStore('echoes-lower-case'), { bail: true, strict: true })
  expect(strict.end?.stopped).toBe('bail')
})

test('a run that its time ends is whole, and still sees whether the server lasts', async () => {
  const ledger = await against(storeWith({}), { seconds: 1 })
  expect(ledger.end).toMatchObject({ stopped: 'time', conclusion: 'conformant' })
  expect(ledger.start).toMatchObject({ planned: null, budget: { cases: null, seconds: 1 } })
  expect(ledger.end?.cases).toBeGreaterThan(100)
  expect(verdictsIn(ledger).get('createPlant/load/drift')).toBe('kept')
})

test('a server that dies half-way leaves what was seen of it, and no verdict on the rest', async () => {
  let answers = 0
  const dying = await storeWith({
    respond: answer => {
      answers += 1
      if (answers === 300) void dying.close()
      return answer
    },
  })
  const ledger = await against(Promise.resolve(dying), {})
  expect(ledger.end).toMatchObject({ stopped: 'unreachable', conclusion: 'inconclusive' })
  expect(ledger.end?.why).toContain('the server stopped answering')
  expect(ledger.findings).toEqual([])
  const kinds = new Set(ledger.entries.map(({ verdict }) => verdict.kind))
  expect(kinds.has('kept')).toBe(true)
  expect(kinds.has('broken')).toBe(false)
})

test('five faults at once are five findings', async () => {
  const faults = [
    'takes-null-id',
    'refuses-upper-case-scheme',
    'crashes-on-backslashes',
    'takes-comments',
    'echoes-no-empty-tag',
  ]
  const rows = brokenServers.filter(({ name }) => faults.includes(name))
  expect(rows).toHaveLength(5)
  const all = storeWith(Object.assign({}, ...rows.map(({ parts }) => parts())))
  const { findings } = await against(all, { strict: true })
  expect(findings).toHaveLength(5)
  for (const { breaks } of rows)
    expect(findings.filter(({ obligation }) => breaks.test(obligation))).toHaveLength(1)
})

test('a long run keeps its memory: of its exchanges but a part is written down', async () => {
  const ledger = await against(storeWith({}), { cases: 6500, concurrency: 64 })
  expect(ledger.end?.cases).toBe(6500)
  expect(ledger.exchanges.length).toBeGreaterThanOrEqual(5000)
  expect(ledger.exchanges.length).toBeLessThan(6000)
})
