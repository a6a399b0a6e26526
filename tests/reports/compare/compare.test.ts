import { beforeAll, expect, test } from 'vitest'
import { createPlanCache, verify } from '../../../conformance/index.ts'
import { comparisonOf, comparisonPage, comparisonText, isAlike } from '../../../reports/index.ts'
import { type Contract, type Ledger, loadContract, plantStoreDocument } from '../../../spec/index.ts'
import { brokenServers, type Running, startServer } from '../../broken-servers/index.ts'
import { withJson } from '../../broken-servers/store/faults.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'

const planCache = createPlanCache()
let contract: Contract

const runOn = ({ url, token }: Running): Promise<Ledger> =>
  verify({
    target: url,
    token,
    contract,
    seed: 7,
    cases: 300,
    sustained: 0,
    concurrency: 16,
    timeoutMs: 3000,
    planCache,
  })

/** Runs on one store, one after the other. */
const runs = (opening: Promise<Running>, count: number): Promise<readonly Ledger[]> =>
  during(opening, async store => {
    const ledgers: Ledger[] = []
    for (let run = 0; run < count; run += 1) ledgers.push(await runOn(store))
    return ledgers
  })

let lawful: readonly Ledger[]
beforeAll(async () => {
  contract = await loadContract({ from: plantStoreDocument.pathname })
  lawful = await runs(storeWith({}), 4)
}, 60_000)

test('a store does not differ from itself, in any two runs', () => {
  for (const [first, second] of [
    [0, 1],
    [2, 3],
    [0, 3],
  ] as const) {
    const a = [lawful[first] as Ledger]
    const comparison = comparisonOf(contract, { a, b: [lawful[second] as Ledger] })
    expect({ ...comparison, ledgers: [] }).toEqual({
      ledgers: [],
      problems: [],
      verdicts: [],
      waived: [],
      questions: [],
      unjudged: [],
      unsteady: [],
    })
  }
})

/** Stores of all kinds whose faults show in few cases, and without a wait. */
const names = [
  ...['checks-no-credentials', 'takes-api-key-header', 'takes-quoted-token', 'takes-body-token'],
  ...['takes-id-in-quotes', 'takes-empty-array-body', 'checks-plants-with-tag-only'],
  ...['crashes-on-null-tag', 'crashes-on-truncated-json'],
  ...['crashes-on-double-quotes', 'rejects-accents', 'wants-tag-last'],
  ...['plant-without-name', 'creates-with-202', 'error-is-unsigned', 'errors-with-401', 'writes-bare-names'],
  ...['swaps-plants', 'counts-length-in-characters', 'sends-body-alone'],
]
const twenty = brokenServers.filter(({ name }) => names.includes(name))

test('it takes twenty broken stores of all kinds', () => {
  expect(twenty).toHaveLength(20)
  expect(new Set(twenty.map(({ kind }) => kind))).toEqual(new Set(brokenServers.map(({ kind }) => kind)))
})

for (const server of twenty) {
  test.concurrent(`beside a lawful store, ${server.name} differs in a requirement that it breaks`, async () => {
    const b = await runs(startServer(server), 1)
    const { verdicts, problems } = comparisonOf(contract, { a: lawful.slice(0, 1), b })
    expect(problems).toEqual([])
    const named = verdicts.filter(({ about }) => server.breaks.test(about))
    expect(named.map(({ answers }) => answers[0])).toContainEqual('passed')
    expect(named.map(({ answers }) => answers[1])).toContainEqual(expect.stringMatching(/^failed: /))
    const [a, other] = named[0]?.exchanges ?? []
    expect([a?.request.method, other?.request.method]).toEqual(['POST', 'POST'])
  }, 60_000)
}

test('what lawful stores answer differently is told, with both exchanges, and what comes and goes is left out', async () => {
  let served = 0
  const other = storeWith({
    failure: cause => ({ error: cause === 'credentials' ? 77 : 1, message: 'no' }),
    respond: response => {
      served += 1
      const isBusy = response.cause === 'none' && Math.floor(served / 7) % 2 === 0
      return response.cause === 'media'
        ? withJson(response, 400, { error: served, message: 'another media type' })
        : { ...response, headers: { ...response.headers, ...(isBusy ? { 'retry-after': '1' } : {}) } }
    },
  })
  const comparison = comparisonOf(contract, { a: lawful.slice(0, 2), b: await runs(other, 2) })
  const { verdicts, questions, unsteady } = comparison
  expect(verdicts).toEqual([])
  const rows = questions.map(({ about, aspect, answers }) => [about, aspect, ...answers])
  expect(rows).toContainEqual([
    'createPlant/unspecified/credentials',
    'error code',
    expect.anything(),
    'error 77',
  ])
  expect(questions[0]?.exchanges.map(shown => shown?.outcome.kind)).toEqual(['response', 'response'])
  expect(unsteady.map(({ aspect }) => aspect)).toContain('header Retry-After')
  expect(questions.map(({ aspect }) => aspect)).not.toContain('header Retry-After')
  const text = comparisonText(comparison, { colour: false, all: true })
  expect(text).toContain('NO VERDICT DIFFERS')
  expect(comparisonPage(comparison)).toContain('<code>createPlant/unspecified/credentials</code>')
})

test('a server that cannot be reached is not compared', async () => {
  const store = await storeWith({})
  await store.close()
  const comparison = comparisonOf(contract, { a: lawful.slice(0, 1), b: [await runOn(store)] })
  expect(comparison.problems).toEqual([expect.stringMatching(/^B: the target could not be reached/)])
  expect(isAlike(comparison)).toBe(false)
})
