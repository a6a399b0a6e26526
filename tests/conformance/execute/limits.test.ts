import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { type Ledger, obligationsOf, SelectionError, select } from '../../../spec/index.ts'
import { brokenServers } from '../../broken-servers/index.ts'
import { brokenStore, storeWith } from '../../cli/servers.ts'
import { contracts } from '../../spec/contracts.ts'

const contract = contracts.plantStore

const against = async (
  running: ReturnType<typeof storeWith>,
  options: Partial<Parameters<typeof verify>[0]>,
): Promise<Ledger> => {
  const { url, token, close } = await running
  try {
    return await verify({ target: url, contract, token, seed: 5, sustained: 0, ...options })
  } finally {
    await close()
  }
}

const verdictsIn = (ledger: Ledger): ReadonlyMap<string, string> =>
  new Map(ledger.entries.map(({ obligation, verdict }) => [obligation.id, verdict.kind]))

test('only selected obligations are tested and get a verdict', async () => {
  const ledger = await against(storeWith({}), { only: ['createPlant/auth'], skip: ['*/absent'] })
  for (const [id, kind] of verdictsIn(ledger)) {
    const isSelected = id.startsWith('createPlant/auth/') && !id.endsWith('/absent')
    expect([id, kind === 'untested']).toEqual([id, !isSelected])
  }
  expect(ledger.exchanges.length).toBeLessThan(300)
  expect(ledger.start.selection).toEqual({ only: ['createPlant/auth'], skip: ['*/absent'] })
})

test('a failure of a selected obligation is reported, and one of another is not', async () => {
  const selection = { only: ['createPlant/request/body/id'] }
  expect((await against(brokenStore('takes-number-for-name'), selection)).findings).toEqual([])
  expect((await against(brokenStore('takes-id-in-quotes'), selection)).findings).toHaveLength(1)
})

test('a pattern is an id, the beginning of one, or contains a star; one that matches nothing is an error that names the nearest ids', () => {
  const obligations = obligationsOf(contract)
  const selected = (only: readonly string[], skip: readonly string[] = []): readonly string[] =>
    obligations.map(({ id }) => id).filter(select(obligations, { only, skip }))
  expect(selected([])).toHaveLength(obligations.length)
  expect(selected(['createPlant/auth/absent'])).toEqual(['createPlant/auth/absent'])
  expect(selected(['createPlant/request/body/id']).length).toBeGreaterThan(10)
  expect(selected(['*/type/null']).every(id => id.endsWith('/type/null'))).toBe(true)
  expect(() => selected(['createPlant/request/body/i'])).toThrow(
    new SelectionError(
      'the contract has no obligation createPlant/request/body/i: did you mean createPlant/request/body/id/zero, createPlant/request/body/id/negative-zero, createPlant/request/body/id/one? plantstore obligations lists them',
    ),
  )
  expect(() => selected([], ['nonsense'])).toThrow(
    new SelectionError('the contract has no obligation nonsense: plantstore obligations lists them'),
  )
})

test('a run with `bail` stops at the first failure and reports it', async () => {
  const ledger = await against(brokenStore('takes-null-id'), { bail: true, cases: 2000, concurrency: 2 })
  expect(ledger.end).toMatchObject({ stopped: 'bail', conclusion: 'nonconformant' })
  expect(ledger.end?.reason).toBeNull()
  expect(ledger.end?.cases).toBeLessThan(200)
  expect(ledger.findings.map(({ obligation }) => obligation)).toEqual([
    'createPlant/request/body/id/type/null',
  ])
  const untested = ledger.entries.find(({ verdict }) => verdict.kind === 'untested')
  expect(untested?.verdict).toMatchObject({ reason: 'the run stopped at the first failure (--bail)' })
})

test('a failed SHOULD stops a strict run only', async () => {
  const lenient = await against(brokenStore('echoes-lower-case'), { bail: true })
  expect(lenient.end?.stopped).toBe('done')
  const strict = await against(brokenStore('echoes-lower-case'), { bail: true, strict: true })
  expect(strict.end?.stopped).toBe('bail')
})

test('a run that reaches its time limit still tests whether the server lasts', async () => {
  const ledger = await against(storeWith({}), { maxSeconds: 1 })
  expect(ledger.end?.stopped).toBe('time')
  expect(ledger.start).toMatchObject({ planned: null, budget: { cases: null, seconds: 1 } })
  expect(ledger.end?.cases).toBeGreaterThan(10)
  expect(verdictsIn(ledger).get('createPlant/stability/drift')).toBe('passed')
})

test('if a server dies half-way, the ledger has the verdicts so far and none on the rest', async () => {
  let responses = 0
  const dying = await storeWith({
    respond: response => {
      responses += 1
      if (responses === 300) void dying.close()
      return response
    },
  })
  const ledger = await against(Promise.resolve(dying), {})
  expect(ledger.end).toMatchObject({ stopped: 'unreachable', conclusion: 'inconclusive' })
  expect(ledger.end?.reason).toContain('the server stopped responding')
  expect(ledger.findings).toEqual([])
  const kinds = new Set(ledger.entries.map(({ verdict }) => verdict.kind))
  expect(kinds.has('passed')).toBe(true)
  expect(kinds.has('failed')).toBe(false)
})

test('an invalid request that was accepted before the server died is a failure', async () => {
  const faulty = brokenServers.find(({ name }) => name === 'takes-null-name')?.parts() ?? {}
  let responses = 0
  const dying = await storeWith({
    ...faulty,
    respond: response => {
      responses += 1
      if (responses === 500) void dying.close()
      return response
    },
  })
  const ledger = await against(Promise.resolve(dying), {})
  expect(ledger.end?.stopped).toBe('unreachable')
  const verdict = ledger.entries.find(({ obligation }) => obligation.id.endsWith('/name/type/null'))?.verdict
  expect(verdict).toMatchObject({ kind: 'failed', finding: ledger.findings[0]?.id })
})

test('five faults at once are five findings', async () => {
  const faults = [
    'takes-null-id',
    'rejects-upper-case-scheme',
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

test('a long run logs only part of its exchanges, so that its memory stays flat', async () => {
  const ledger = await against(storeWith({}), { cases: 6500, concurrency: 64 })
  expect(ledger.end?.cases).toBe(6500)
  expect(ledger.exchanges.length).toBeGreaterThanOrEqual(5000)
  expect(ledger.exchanges.length).toBeLessThan(6000)
})
