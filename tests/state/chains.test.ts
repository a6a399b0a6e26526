import { expect, test } from 'vitest'
import {
  mergeShards,
  planSlices,
  readEvidence,
  rejudge,
  replay,
  verify,
  verifyShard,
} from '../../conformance/index.ts'
import { createMock } from '../../mock/index.ts'
import type { Ledger } from '../../spec/index.ts'
import { type PlantServer, startPlants, token, type Variant } from './plant-server.ts'
import { failedIn, plantContract, verifyPlants } from './plants.ts'

const contract = await plantContract()

const withServer = async <T>(variant: Variant, use: (server: PlantServer) => Promise<T>): Promise<T> => {
  const server = await startPlants(variant)
  try {
    return await use(server)
  } finally {
    await server.close()
  }
}

/** Cases of a run that is about one obligation: each of them shows what it is about. */
const few = 40

const idOf = (obligation: string, { exchanges }: Ledger): string =>
  exchanges.find(exchange => exchange.obligation === obligation)?.id ?? ''

test('the same seed gives the same digest, whatever ids the server chooses and however many requests are in flight', async () => {
  const digests = await Promise.all(
    [
      { already: 0, concurrency: 1 },
      { already: 30, concurrency: 16 },
    ].map(({ already, concurrency }) =>
      withServer({ already }, server =>
        verifyPlants(server, { contract, concurrency, cases: 200 }).then(({ end }) => end?.digest),
      ),
    ),
  )
  expect(new Set(digests).size).toBe(1)
})

test('a valid request for a thing goes to one that exists, and its record says how that came to be', async () => {
  const ledger = await withServer({}, server =>
    verifyPlants(server, { contract, only: ['deletePlant/request/valid'], cases: few }),
  )
  const [exchange] = ledger.exchanges
  expect(exchange?.outcome).toMatchObject({ status: 204 })
  expect(exchange?.steps?.map(({ role, operation }) => [role, operation])).toEqual([
    ['create', 'createPlant'],
  ])
  expect(exchange?.request.target).toBe(`/plants/${exchange?.steps?.[0]?.name}`)
})

test('a 404 for a thing that exists fails', async () => {
  const ledger = await withServer({ fault: 'read finds nothing' }, server =>
    verifyPlants(server, { contract, only: ['getPlant'], cases: few }),
  )
  expect(ledger.findings.map(({ obligation }) => obligation)).toContain('getPlant/request/valid')
})

test('a finding has the whole chain: its steps, and commands that pass on what the server chose', async () => {
  const ledger = await withServer({ fault: 'DELETE does nothing' }, server =>
    verifyPlants(server, { contract, only: ['deletePlant/state/gone'], cases: few }),
  )
  const [finding] = ledger.findings
  expect(finding?.title).toBe('getPlant answered 200 for the removed plant')
  expect(finding?.steps?.map(({ role }) => role)).toEqual(['create', 'subject'])
  const lines = finding?.curl.split('\n') ?? []
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(/^ID1=\$\(curl .* \| jq -r '\.id'\)$/)
  expect(lines[1]).toMatch(/^curl -sS -i -X DELETE 'http:[^']*\/plants\/'"\$ID1"''/)
})

test('a finding names the step that shows it, if that is not its last request: what did not come again has all its steps', async () => {
  const { findings } = await withServer({ fault: 'PATCH changes all plants at first' }, server =>
    verifyPlants(server, { contract, only: ['changePlant/state/apart'], cases: few, strict: true }),
  )
  const [finding] = findings
  expect(finding?.repeat).toBe('flaky')
  expect(finding?.steps?.[finding.step ?? -1]).toMatchObject({ role: 'read-other', operation: 'getPlant' })
})

test('replay runs a chain again with a thing of its own', async () => {
  await withServer({ fault: 'PATCH replaces' }, async broken => {
    const ledger = await verifyPlants(broken, { contract, only: ['changePlant/state/kept'], cases: few })
    const [finding] = ledger.findings
    const again = (target: string) =>
      replay({ contract, ledger, id: finding?.id ?? '', target: new URL(target), token, seed: 5 })
    expect((await again(broken.url)).violations.map(({ id }) => id)).toEqual(['changePlant/state/kept'])
    await withServer({}, async lawful => {
      expect((await again(lawful.url)).violations).toEqual([])
    })
  })
})

test.each([
  'deletePlant/state/rejected',
  'createPlant/state/apart',
  'listPlants/state/contains',
  'getPlant/request/valid',
  'replacePlant/request/valid',
])('replay sends %s of another server again, where its things never were', async obligation => {
  const ledger = await withServer({}, server =>
    verifyPlants(server, { contract, only: [obligation], cases: few }),
  )
  await withServer({ already: 3 }, async server => {
    const id = idOf(obligation, ledger)
    const replayed = await replay({ contract, ledger, id, target: new URL(server.url), token, seed: 5 })
    expect(replayed.violations).toEqual([])
    expect(replayed.outcome).toMatchObject({ kind: 'response', response: { status: 200 } })
  })
})

test('shards send one plan, and are merged to the conclusion of a whole run', {
  timeout: 60_000,
}, async () => {
  await withServer({ fault: 'PUT changes all plants' }, async server => {
    const options = {
      target: server.url,
      contract,
      token,
      seed: 3,
      cases: 300,
      sustained: 0,
      at: '2030-01-01T00:00:00Z',
    }
    const names = planSlices(contract).map(({ name }) => name)
    const splitInTwo = [
      names.filter((_, index) => index % 2 === 0),
      names.filter((_, index) => index % 2 === 1),
    ]
    const shards: string[] = []
    for (const slices of splitInTwo) shards.push(await verifyShard({ ...options, slices }))
    const { ledger } = mergeShards(
      contract,
      shards.map(text => readEvidence(text, contract)),
    )
    const whole = await verify(options)
    expect(ledger.end?.digest).toBe(whole.end?.digest)
    expect(failedIn(ledger)).toContain('replacePlant/state/apart')
    expect(ledger.end?.conclusion).toBe('nonconformant')
  })
})

test('what a run created it removes; with `keep` it stays, and the record says so', async () => {
  await withServer({}, async server => {
    await verifyPlants(server, { contract, cases: 150 })
    expect(server.plants.size).toBe(0)
    const { notes } = await verifyPlants(server, { contract, cases: 150, keep: true })
    expect(server.plants.size).toBeGreaterThan(0)
    expect(notes.map(({ message }) => message).join()).toContain('stays, as --keep says: /plants/{plantId}: ')
  })
})

test('what cannot be removed is listed', async () => {
  const { notes } = await withServer({ fault: 'a DELETE at the end fails' }, server =>
    verifyPlants(server, { contract, only: ['createPlant'], cases: 40 }),
  )
  expect(notes.map(({ level, message }) => `${level}: ${message}`).join()).toMatch(
    /warning: what the run created could not all be removed: \/plants\/\{plantId\}: \d+.*deletePlant answered 401/,
  )
})

test('the record of a lawful run shows no failure that it leaves out', async () => {
  const ledger = await withServer({}, server => verifyPlants(server, { contract, cases: 1200 }))
  expect(rejudge(contract, ledger)).toEqual([])
})

test('a server that keeps nothing is tested without what it should keep', async () => {
  const mock = await createMock({ contract, tokens: [token] })
  try {
    const options = { target: mock.url, contract, token, seed: 1, cases: 400, sustained: 0 }
    const { end, entries, notes } = await verify({ ...options, stateless: true })
    expect(end?.conclusion).not.toBe('nonconformant')
    expect(entries.filter(({ obligation }) => obligation.family === 'state')).toEqual([])
    expect(notes.map(({ message }) => message).join()).toContain('deletePlant/state/gone')
    const selection = { only: ['deletePlant/state/gone'], include: ['*'], cases: few }
    expect(failedIn(await verify({ ...options, ...selection }))).toContain('deletePlant/state/gone')
  } finally {
    await mock.close()
  }
})
