/** Another thread makes the same plan, and a run with it is the same run. */
import { writeFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type VerifyOptions, verify } from '../../../conformance/index.ts'
import type { Rules } from '../../../conformance/options/run-options.ts'
import { createScope, selectedIn } from '../../../conformance/options/scope.ts'
import { readCases, writeCases } from '../../../conformance/planning/case-text.ts'
import { createContexts, planHere } from '../../../conformance/planning/contexts.ts'
import { createMock } from '../../../mock/index.ts'
import { type Contract, type Ledger, loadContract } from '../../../spec/index.ts'
import { contracts, documentWith, operationOf, writeDocument } from '../../spec/contracts.ts'

const rules: Rules = {
  unauthenticated: 'declared',
  undeclaredFailures: 'gap',
  strict: false,
  malformedHttp: true,
  stateless: false,
  only: [],
  skip: [],
  waivers: [],
  baseline: [],
  shrinkBaseline: false,
  pins: [],
  maxResponseTime: [],
  minTested: 1,
}

test.each(['plantStore', 'library', 'orders', 'payments'] as const)(
  'the cases of %s are the same after they were written and read',
  name => {
    const contract = contracts[name]
    const scope = createScope(contract, rules, '2026-01-01')
    const obligations = selectedIn(scope)
    const options = { seed: 3, isTokenKnown: true, slices: null, cases: 4000, isForwarded: false }
    const contexts = createContexts(options, scope)
    const plan = planHere(
      options,
      obligations,
      operation => contexts(operation, 0),
      () => 'right',
      () => false,
    )
    const cases = [...plan.cases]
    const batch = writeCases(cases, obligation => obligations.indexOf(obligation))
    const read = [...readCases(batch, obligations, ({ operation }) => operationOf(contract, operation))]
    expect(read.length).toBeGreaterThan(1000)
    for (const [index, { request, ...rest }] of cases.entries()) {
      const body = request.body === null ? null : Uint8Array.from(request.body)
      expect({ ...read[index] }).toEqual({ ...rest, request: { ...request, body } })
    }
  },
)

const run = async (contract: Contract, options: Partial<VerifyOptions> = {}): Promise<Ledger> => {
  const mock = await createMock({ contract, tokens: ['right'], warn: () => {} })
  onTestFinished(mock.close)
  return verify({
    target: mock.url,
    contract,
    token: 'right',
    seed: 5,
    cases: 1200,
    sustained: 0,
    stateless: true,
    ...options,
  })
}

const shown = ({ end, entries }: Ledger) => ({
  digest: end?.digest,
  conclusion: end?.conclusion,
  cases: end?.cases,
  verdicts: entries.map(({ obligation, verdict }) => `${obligation.id} ${verdict.kind}`),
})

describe('a run that another thread plans', () => {
  test.each(['plantStore', 'library'] as const)('sends the same requests: %s', async name => {
    const here = await run(contracts[name], { isPlannedApart: false })
    expect(shown(await run(contracts[name], { isPlannedApart: true }))).toEqual(shown(here))
    expect(shown(await run(contracts[name], { isPlannedApart: true, concurrency: 1 }))).toEqual(shown(here))
  })

  test('is planned here if the document is not what it was', async () => {
    const get = (type: string) => ({
      get: {
        operationId: 'a',
        parameters: [{ name: 'q', in: 'query', schema: { type } }],
        responses: { 200: { description: 'ok' }, 400: { description: 'no' } },
      },
    })
    const from = writeDocument('changing.json', documentWith({ '/a': get('integer') }))
    const contract = await loadContract({ from })
    writeFileSync(from, documentWith({ '/a': get('boolean') }))
    const [apart, here] = [await run(contract, { isPlannedApart: true }), await run(contract)]
    expect(shown(apart)).toEqual(shown(here))
    expect(apart.end?.cases).toBe(1200)
  })

  test('ends when it is told to', async () => {
    const end = new AbortController()
    let exchanges = 0
    const ledger = await run(contracts.plantStore, {
      isPlannedApart: true,
      cases: 100_000,
      signal: end.signal,
      onExchange: () => {
        exchanges += 1
        if (exchanges === 500) end.abort()
      },
    })
    expect(ledger.end?.stopped).toBe('interrupt')
    expect(ledger.end?.cases).toBeLessThan(2000)
  })
})
