/** A mock that learnt from the ledger of a run answers as the server of that run. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createPlanCache, verify } from '../../../conformance/index.ts'
import { createMock, learnFrom } from '../../../mock/index.ts'
import { type Comparison, comparisonOf } from '../../../reports/index.ts'
import { type Ledger, loadContract, plantStoreDocument } from '../../../spec/index.ts'
import { lawfulServers, startServer } from '../../broken-servers/index.ts'
import { withJson } from '../../broken-servers/store/faults.ts'
import type { Parts } from '../../broken-servers/store/model.ts'
import { during, watch } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'

const contract = loadContract({ from: plantStoreDocument.pathname })
const token = 'Fern-4b8dE1-Shed'
const planCaches = new Map<string, ReturnType<typeof createPlanCache>>()

const runOn = async (target: string, right: string, seed: number): Promise<Ledger> => {
  const key = `${seed} ${right}`
  const planCache = planCaches.get(key) ?? createPlanCache()
  planCaches.set(key, planCache)
  const options = { contract: await contract, cases: 600, sustained: 0, stateless: true, planCache }
  return verify({ ...options, target, token: right, seed })
}

/** A server beside the mock that learnt from a run with another seed against it. */
const besideItsMock = async (target: string, right: string): Promise<Comparison> => {
  const like = learnFrom(await runOn(target, right, 3))
  return during(createMock({ contract: await contract, tokens: [right], like }), async ({ url }) =>
    comparisonOf(await contract, { a: [await runOn(target, right, 1)], b: [await runOn(url, right, 1)] }),
  )
}

const differences = ({ verdicts, questions, problems }: Comparison): readonly unknown[] => [
  ...problems,
  ...[...verdicts, ...questions].map(({ about, aspect, answers }) => [about, aspect, ...answers]),
]

test('of an example server no open difference is left', async () => {
  const file = fileURLToPath(new URL('../../../examples/servers/fastify/server.ts', import.meta.url))
  const env = { ...process.env, PORT: '0', TOKEN: token }
  const server = watch(spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] }))
  try {
    const [, target = ''] = await server.shows(/listening on (http:\S+)/)
    expect(differences(await besideItsMock(target, token))).toEqual([])
  } finally {
    server.kill('SIGTERM')
  }
  await server.ended
}, 60_000)

test('nor of a store that rejects duplicates', async () => {
  const row = lawfulServers.find(({ name }) => name === 'rejects-duplicates')
  if (row === undefined) throw new Error('there is no such store')
  await during(startServer(row), async store => {
    expect(differences(await besideItsMock(store.url, store.token))).toEqual([])
  })
}, 60_000)

test('nor of a store that echoes what is not declared; its response times are known as well', async () => {
  const echoing: Partial<Parts> = {
    respond: (response, { bytes }) =>
      response.cause === 'none' && bytes.includes('"undeclared":"x"')
        ? withJson(response, 200, { ...JSON.parse(String(response.body)), undeclared: 'x' })
        : response,
  }
  await during(storeWith(echoing), async store => {
    expect(differences(await besideItsMock(store.url, store.token))).toEqual([])
    const { delays, echoing: operations, notLearnt } = learnFrom(await runOn(store.url, store.token, 3))
    const [from, to] = delays.get('createPlant') ?? [1, 0]
    expect(from).toBeLessThanOrEqual(to)
    expect([[...operations], notLearnt]).toEqual([['createPlant'], []])
  })
}, 60_000)

test('scenarios go before what was learnt', async () => {
  const like = {
    target: 'http://127.0.0.1:1/',
    rejections: new Map([
      [
        'createPlant/auth/absent',
        { status: 400, headers: [], body: Buffer.from('{"error":9,"message":"learnt"}') },
      ],
    ]),
    echoing: new Set<string>(),
    delays: new Map([['createPlant', [0, 1]]] as const),
    notLearnt: [],
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
