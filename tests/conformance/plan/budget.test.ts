import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { budgetNotes, defaultCases, needOf, restNotes } from '../../../conformance/plan/budget.ts'
import { createMock } from '../../../mock/index.ts'
import { loadContract, obligationsOf, type UntestedReason } from '../../../spec/index.ts'
import { conclusionSoFar } from '../../conclusion-so-far.ts'
import { contracts, documentWith, writeDocument } from '../../spec/contracts.ts'

const pace = { requests: 100, ms: 1000 }

const need = (obligations: number, operations: number) => ({
  obligations,
  operations,
  cases: Math.ceil((obligations * 4) / 3),
})

test('a small contract gets the usual number of cases, a larger one what it needs, a very large one three for each operation', () => {
  expect(defaultCases(needOf(obligationsOf(contracts.plantStore)))).toBe(1500)
  expect(defaultCases(need(1800, 30))).toBe(2400)
  expect(defaultCases(need(26_250, 30))).toBe(35_000)
  expect(defaultCases(need(26_251, 30))).toBe(5000)
  expect(defaultCases(need(99_999, 1200))).toBe(5000)
  expect(defaultCases(need(100_000, 30))).toBe(3000)
  expect(defaultCases(need(100_000, 1200))).toBe(3600)
})

test('what every response is judged by needs no case', () => {
  const { obligations, operations } = needOf(obligationsOf(contracts.plantStore))
  // 253 without 25 about responses, the connection, and the question that wrong credentials answer.
  expect([obligations, operations]).toEqual([247, 1])
})

test('a question that rejections answer needs no case, and is no reason to call a run partial', async () => {
  const contract = await loadContract({
    from: writeDocument(
      'things.json',
      documentWith({
        '/things/{thing}': {
          get: {
            operationId: 'getThing',
            parameters: [
              { name: 'thing', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
            ],
            responses: { 200: { description: 'ok' }, 401: { description: 'unauthorized' } },
          },
        },
      }),
    ),
  })
  const mock = await createMock({ contract, warn: () => {} })
  onTestFinished(mock.close)
  const ledger = await verify({ target: mock.url, contract, seed: 1, cases: 300, sustained: 0 })
  const kindOf = (id: string) => ledger.entries.find(({ obligation }) => obligation.id === id)?.verdict
  expect(kindOf('getThing/unspecified/invalid-parameter')).toMatchObject({ kind: 'observed' })
  expect(kindOf('getThing/response/401/challenge/present')).toMatchObject({ cause: 'unprovoked' })
  expect(conclusionSoFar(ledger)).toBe('conformant')
})

test('a budget that is too small for a large contract is told before, with its time', () => {
  expect(budgetNotes(5000, need(30_000, 30), pace).map(({ message }) => message)).toEqual([
    'the contract has 30,000 requirements to test, and this run 5,000 cases: each of the 30 operations gets about 166, those first that tell most (at the pace of the first requests, 50 s)',
  ])
  expect(budgetNotes(50_000, need(30_000, 30), pace)).toEqual([])
  expect(budgetNotes(null, need(30_000, 30), pace)).toEqual([])
  expect(budgetNotes(100, need(300, 3), pace)).toEqual([])
})

test('after the cases a run says what a deeper one would add', () => {
  const reason: UntestedReason = { cause: 'budget', reason: 'too few' }
  const other: UntestedReason = { cause: 'unsupported', reason: 'a body in XML' }
  const untested = new Map([
    ['a', reason],
    ['b', reason],
    ['c', other],
  ])
  expect(restNotes(untested, need(30_000, 30), pace).map(({ message }) => message)).toEqual([
    '2 requirements got no case: --cases 40000 gives each one, at the pace of this run in 7 min',
  ])
  const late = { cause: 'time', reason: 'the time limit was reached' } as const
  expect(restNotes(new Map([['c', late]]), need(300, 3), { requests: 20, ms: 1000 })[0]?.message).toBe(
    '1 requirement got no case before the time was up: a run of all takes 20 s at this pace',
  )
  expect(restNotes(new Map([['c', other]]), need(30_000, 30), pace)).toEqual([])
  expect(restNotes(untested, need(300, 3), pace)).toEqual([])
})
