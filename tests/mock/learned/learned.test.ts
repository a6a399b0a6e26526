/** A mock that learned from the ledger of a run answers as the server of that run. */
import { expect, test } from 'vitest'
import { createPlanCache, verify } from '../../../conformance/index.ts'
import { createMock, learnFrom, learnFromPins } from '../../../mock/index.ts'
import { type Comparison, comparisonOf } from '../../../reports/index.ts'
import { type Ledger, loadContract, pinsOf, plantStoreDocument } from '../../../spec/index.ts'
import { lawfulServers, startServer } from '../../broken-servers/index.ts'
import { withJson } from '../../broken-servers/store/faults.ts'
import type { Parts } from '../../broken-servers/store/model.ts'
import { lawfulParts } from '../../broken-servers/store/store.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'
import { exampleToken, testExamples } from '../../example-servers.ts'

const contract = loadContract({ from: plantStoreDocument.pathname })
const planCaches = new Map<string, ReturnType<typeof createPlanCache>>()

const runOn = async (target: string, right: string, seed: number): Promise<Ledger> => {
  const key = `${seed} ${right}`
  const planCache = planCaches.get(key) ?? createPlanCache()
  planCaches.set(key, planCache)
  const options = { contract: await contract, cases: 600, sustained: 0, stateless: true, planCache }
  return verify({ ...options, target, token: right, seed })
}

/** A server beside the mock that learned from a run with another seed against it, and what that mock learned. */
const besideItsMock = async (target: string, right: string) => {
  const like = learnFrom(await runOn(target, right, 3))
  const comparison = await during(
    createMock({ contract: await contract, tokens: [right], like }),
    async ({ url }) =>
      comparisonOf(await contract, { a: [await runOn(target, right, 1)], b: [await runOn(url, right, 1)] }),
  )
  return { like, comparison }
}

const differences = ({ verdicts, questions, problems }: Comparison): readonly unknown[] => [
  ...problems,
  ...[...verdicts, ...questions].map(({ about, aspect, answers }) => [about, aspect, ...answers]),
]

testExamples(
  name => `of the example server in ${name} no open difference is left`,
  { timeout: 120_000 },
  async target => {
    const { comparison } = await besideItsMock(target, exampleToken)
    expect(differences(comparison)).toEqual([])
  },
)

test('nor of a store that rejects duplicates', async () => {
  const row = lawfulServers.find(({ name }) => name === 'rejects-duplicates')
  if (row === undefined) throw new Error('there is no such store')
  await during(startServer(row), async store => {
    const { comparison } = await besideItsMock(store.url, store.token)
    expect(differences(comparison)).toEqual([])
  })
}, 60_000)

test('nor of a store that echoes what is not declared; its response times are known as well', async () => {
  const echoing: Partial<Parts> = {
    respond: (response, { bytes }) => {
      if (response.cause !== 'none') return response
      const { id, name, tag, ...undeclared } = JSON.parse(String(bytes))
      return withJson(response, 200, { ...undeclared, ...JSON.parse(String(response.body)) })
    },
  }
  await during(storeWith(echoing), async store => {
    const { comparison, like } = await besideItsMock(store.url, store.token)
    expect(differences(comparison)).toEqual([])
    const { delays, echoing: operations, notLearned } = like
    const [from, to] = delays.get('createPlant') ?? [1, 0]
    expect(from).toBeLessThanOrEqual(to)
    expect([[...operations], notLearned]).toEqual([['createPlant/unspecified/undeclared-property'], []])
  })
}, 60_000)

test('pins teach statuses and codes: a run finds the mock as it finds the server', async () => {
  const strange = (): Partial<Parts> => {
    const taken = new Set<bigint>()
    return {
      failure: (cause, exchange) =>
        cause === 'credentials' ? { error: 77, message: 'no' } : lawfulParts.failure(cause, exchange),
      respond: (response, { bytes }) => {
        if (response.cause !== 'none' || !response.plant) return response
        if (taken.has(response.plant.id)) return withJson(response, 400, { error: 5, message: 'taken' })
        taken.add(response.plant.id)
        return bytes.includes('"undeclared":"x"')
          ? withJson(response, 200, { ...JSON.parse(String(response.body)), undeclared: 'x' })
          : response
      },
      elsewhere: isKnown => ({ status: isKnown ? 501 : 410, headers: {}, body: '' }),
    }
  }
  const server = { name: 'strange', about: 'Answers what is left open in its own way.', parts: strange }
  await during(startServer(server), async store => {
    const pins = pinsOf(await runOn(store.url, store.token, 3))
    const like = learnFromPins(pins, 'pins.yaml')
    expect([like.notLearned, [...like.echoing]]).toEqual([
      [],
      ['createPlant/unspecified/undeclared-property'],
    ])
    const options = { contract: await contract, tokens: [store.token], like }
    await during(createMock(options), async ({ url }) => {
      const answersOf = (ledger: Ledger) =>
        pinsOf(ledger).filter(({ obligation }) => !obligation.endsWith('/other-method'))
      expect(answersOf(await runOn(url, store.token, 3))).toEqual(
        pins.filter(({ obligation }) => !obligation.endsWith('/other-method')),
      )
    })
  })
}, 60_000)

test('of pins that are patterns, or allow several statuses, it says that they teach nothing', () => {
  const pins = [
    { obligation: 'createPlant/unspecified/other-path', answers: ['40*'] },
    { obligation: 'createPlant/unspecified/credentials', answers: ['400 error 1', '401 error 1'] },
    { obligation: 'createPlant/unspecified/duplicate-id', answers: ['rejected (400 error 5)'] },
  ]
  expect(learnFromPins(pins, 'pins.yaml')).toEqual({
    target: 'pins.yaml',
    rejections: new Map(),
    questions: new Map([['createPlant/unspecified/duplicate-id', { status: 400, code: 5 }]]),
    echoing: new Set(),
    delays: new Map(),
    notLearned: [
      'createPlant/unspecified/other-path: the pin has a pattern, or an answer without a status',
      'createPlant/unspecified/credentials: the pin allows several statuses',
    ],
  })
})

test('scenarios go before what was learnt', async () => {
  const like = {
    target: 'http://127.0.0.1:1/',
    rejections: new Map([
      [
        'createPlant/auth/absent',
        { status: 400, headers: [], body: Buffer.from('{"error":9,"message":"learnt"}') },
      ],
    ]),
    questions: new Map(),
    echoing: new Set<string>(),
    delays: new Map([['createPlant', [0, 1]]] as const),
    notLearned: [],
  }
  await during(createMock({ contract: await contract, like }), async mock => {
    const send = async (): Promise<unknown> =>
      (await fetch(new URL('/plants', mock.url), { method: 'POST' })).json()
    expect(await send()).toEqual({ error: 9, message: 'learnt' })
    expect(mock.scenarios.state().sets).toEqual(['latency'])
    await mock.scenarios.set('createPlant', { status: 400, message: 'chosen' })
    expect(await send()).toMatchObject({ message: 'chosen' })
  })
}, 60_000)
