/** What requests ask for: reads share one resource, what takes it away gets its own, and nobody asks for what is gone. */
import { describe, expect, test } from 'vitest'
import { createFreeInstances } from '../../../conformance/pool/free-instances.ts'
import type { Instance } from '../../../conformance/pool/instance.ts'
import { createdInstances } from '../../../conformance/state/created-instances.ts'
import { createEarlyRemoval } from '../../../conformance/state/early-removal.ts'
import type { Resource } from '../../../spec/index.ts'
import { type Call, verifyNotes } from './notes.ts'

const namesIn = (calls: readonly Call[], method: string, verb?: string): readonly string[] => [
  ...new Set(
    calls.flatMap(call =>
      call.method === method && call.verb === verb && call.id !== undefined && call.status < 300
        ? [call.id]
        : [],
    ),
  ),
]
const created = (calls: readonly Call[]): number =>
  calls.filter(({ method, status }) => method === 'POST' && status === 201).length
const verdictsOf = ({ entries }: Awaited<ReturnType<typeof verifyNotes>>['ledger']) =>
  Object.fromEntries(
    entries
      .filter(({ verdict }) => !(verdict.kind === 'untested' && verdict.cause === 'selection'))
      .map(({ obligation, verdict }) => [obligation.id, verdict.kind]),
  )

test('reads share one resource, however many there are', async () => {
  const { ledger, calls } = await verifyNotes(['getNote/request/valid', 'getNote/request/header'])
  expect(new Set(Object.values(verdictsOf(ledger)))).toEqual(new Set(['passed']))
  expect(calls.filter(({ method }) => method === 'GET').length).toBeGreaterThan(20)
  expect(namesIn(calls, 'GET')).toHaveLength(1)
  // One more shows that the store creates what it is asked to.
  expect(created(calls)).toBeLessThanOrEqual(2)
})

test('each removal has its own, and is accepted', async () => {
  const { ledger, calls } = await verifyNotes(['deleteNote/request/valid', 'deleteNote/request/header'])
  expect(new Set(Object.values(verdictsOf(ledger)))).toEqual(new Set(['passed']))
  const removals = calls.filter(({ method }) => method === 'DELETE')
  expect(removals.length).toBeGreaterThan(10)
  expect(removals.map(({ status }) => status)).toEqual(removals.map(() => 204))
  expect(created(calls)).toBe(removals.length)
})

test('whole updates go on with the resource that they were accepted for', async () => {
  const { calls } = await verifyNotes(
    ['replaceNote/request/valid', 'replaceNote/request/body'],
    {},
    { cases: 200 },
  )
  const accepted = calls.filter(({ method, status }) => method === 'PUT' && status === 200)
  expect(accepted.length).toBeGreaterThan(20)
  expect(created(calls)).toBeLessThan(accepted.length / 2)
  const names = namesIn(calls, 'PUT')
  expect(names.length).toBeLessThan(accepted.length / 2)
})

test('an action that succeeds once has a new resource for each case', async () => {
  const { ledger, calls } = await verifyNotes(['archiveNote/request/valid', 'archiveNote/request/header'])
  expect(new Set(Object.values(verdictsOf(ledger)))).toEqual(new Set(['passed']))
  const names = namesIn(calls, 'POST', 'archive')
  expect(names.length).toBe(calls.filter(({ verb, status }) => verb === 'archive' && status === 200).length)
})

test('an action that a resource takes again and again goes on with it', async () => {
  const { ledger, calls } = await verifyNotes(['touchNote/request/valid', 'touchNote/request/header'])
  expect(new Set(Object.values(verdictsOf(ledger)))).toEqual(new Set(['passed']))
  const touched = calls.filter(({ verb, status }) => verb === 'touch' && status === 200)
  expect(touched.length).toBeGreaterThan(20)
  expect(namesIn(calls, 'POST', 'touch').length).toBeLessThan(touched.length / 2)
})

test('in a whole run, nothing that was there before is changed or removed', async () => {
  const { calls } = await verifyNotes([], { already: 5 }, { cases: 300, only: undefined })
  const changes = calls.filter(({ method, id }) => method !== 'GET' && id?.startsWith('old') === true)
  expect(changes.filter(({ status }) => status < 300)).toEqual([])
})

describe('if nothing can be created', () => {
  test('removals are left out, and say why, after a few tries', async () => {
    const { ledger, calls } = await verifyNotes(
      ['deleteNote/request/valid', 'deleteNote/request/header'],
      { creates: () => false },
      { include: [] },
    )
    expect(calls.filter(({ method, id }) => method === 'POST' && id === undefined).length).toBeLessThan(20)
    expect(calls.filter(({ method, status }) => method === 'DELETE' && status === 204)).toEqual([])
    const reasons = ledger.entries.flatMap(({ verdict, obligation }) =>
      obligation.id === 'deleteNote/request/valid' && 'reason' in verdict ? [verdict.reason] : [],
    )
    expect(reasons.join()).toContain('createNote')
  })

  test('reads ask for what the list gives', async () => {
    const { ledger, calls } = await verifyNotes(['getNote/request/valid'], {
      already: 3,
      creates: () => false,
    })
    expect(verdictsOf(ledger)['getNote/request/valid']).toBe('passed')
    expect(namesIn(calls, 'GET')).toEqual(['old0'])
  })
})

test('a creation that fails now and then is tried again', async () => {
  const { ledger, calls } = await verifyNotes(['deleteNote/request/valid'], {
    creates: count => count % 3 === 2,
  })
  expect(verdictsOf(ledger)['deleteNote/request/valid']).toBe('passed')
  expect(calls.some(({ method, status }) => method === 'DELETE' && status === 204)).toBe(true)
})

/** The requests of one chain, by the roles that they play. */
test.each([
  ['createNote/state/read-back', 'POST GET'],
  ['createNote/state/apart', 'POST GET POST POST GET GET GET'],
  ['deleteNote/state/gone', 'POST GET DELETE GET'],
  ['deleteNote/state/again', 'POST DELETE DELETE'],
  ['deleteNote/state/apart', 'POST POST POST GET GET DELETE GET GET'],
  ['replaceNote/state/stored', 'POST GET PUT GET'],
  ['getNote/state/unknown', 'GET'],
  ['listNotes/state/contains', 'POST LIST'],
])('the chain of %s is %s', async (obligation, chain) => {
  const { ledger, calls } = await verifyNotes([obligation], {}, { concurrency: 1, cases: 20 })
  expect([obligation, verdictsOf(ledger)[obligation]]).toEqual([obligation, 'passed'])
  const methods = calls.map(({ method, id }) => (method === 'GET' && id === undefined ? 'LIST' : method))
  expect(methods.join(' ')).toContain(chain)
})

test('what a long run has made and needs no more is removed as it goes on', async () => {
  // The store takes what is too long; a busy machine may be late. Nothing else is wrong, and no case misses what was removed.
  const { ledger, calls } = await verifyNotes(
    ['createNote', 'getNote', 'listNotes/request', 'archiveNote', 'replaceNote'],
    {},
    // So it takes a while on a fast machine as well.
    { cases: 2500, timeoutMs: 300, rate: 500 },
  )
  let [now, most] = [0, 0]
  for (const { method, id, verb, status } of calls) {
    if (method === 'POST' && id === undefined && verb === undefined && status === 201) now += 1
    if (method === 'DELETE' && status === 204) now -= 1
    most = Math.max(most, now)
  }
  expect(most).toBeLessThan(created(calls) * 0.4)
  expect(
    ledger.findings.map(({ title }) => title).filter(title => !/^accepted|in time|closed/.test(title)),
  ).toEqual([])
}, 120_000)

const removing = { shape: '/notes/{}', remove: {} } as Resource
const other = { shape: '/tags/{}', remove: null } as Resource
const named = (resource: Resource, name: string) =>
  ({ resource, values: [name], property: null, steps: [], isOwn: true }) as unknown as Instance

test('surplus resources are the oldest of those that can be removed, and half of the limit stays', () => {
  const instances = createdInstances()
  for (let index = 0; index < 12; index++) {
    instances.add(named(removing, `n${index}`))
    instances.add(named(other, `t${index}`))
  }
  expect(instances.surplus(() => 12)).toEqual([])
  expect(instances.surplus(() => 10).map(({ values }) => values[0])).toEqual([
    'n0',
    'n1',
    'n2',
    'n3',
    'n4',
    'n5',
    'n6',
  ])
  for (const { resource, values } of instances.surplus(() => 10))
    instances.remove(resource, values, performance.now())
  expect(instances.surplus(() => 10)).toEqual([])
  expect(instances.surplus(() => 0).length).toBe(5)
})

test('what got the name of something after the removal of that was sent is still there', () => {
  const instances = createdInstances()
  const since = performance.now()
  instances.add(named(removing, '5'))
  instances.remove(removing, ['5'], since - 1)
  expect(instances.surplus(() => 0).length).toBe(1)
  instances.remove(removing, ['5'], performance.now())
  expect(instances.surplus(() => 0).length).toBe(0)
})

test('nobody gets what is to be removed, nor what is in it, until that is over', () => {
  const free = createFreeInstances(() => false)
  const shelf = named(removing, 'shelf1')
  const inside = { ...named(other, 'book1'), values: ['shelf1', 'book1'] }
  const elsewhere = { ...named(other, 'book2'), values: ['shelf2', 'book2'] }
  const end = free.retire(shelf)
  for (const each of [shelf, inside, elsewhere]) free.add(each, 'none')
  expect(free.everything()).toEqual([elsewhere])
  end()
  for (const each of [shelf, inside]) free.add(each, 'none')
  expect(new Set(free.everything())).toEqual(new Set([elsewhere, shelf, inside]))
})

test('what has the name of something that was to be removed is left to who has it', async () => {
  const instances = createdInstances()
  const asked: string[] = []
  const ended: string[] = []
  const options = {
    options: { keep: false, stateless: false },
    scope: { acting: new Set([removing.create?.id ?? '']) },
    created: instances,
    pool: { isNeeded: () => false },
    store: {
      instancePool: {
        held: () => [],
        retire:
          ({ values }: Instance) =>
          () =>
            ended.push(String(values[0])),
      },
      makerOf: (id: string) => asked.push(id),
    },
  } as unknown as Parameters<typeof createEarlyRemoval>[0]
  const removal = createEarlyRemoval(options)
  for (let index = 0; index < 8; index++) instances.add(named(removing, `n${index}`))
  const late = removal.begin()
  // Chosen at the end of this case, for removal once the other one has ended.
  await removal.begin()()
  instances.remove(removing, ['n0'], performance.now())
  instances.add(named(removing, 'n0'))
  for (let index = 1; index < 8; index++) instances.remove(removing, [`n${index}`], performance.now())
  await late()
  await removal.begin()()
  await removal.begin()()
  expect([asked, ended.length > 0]).toEqual([[], true])
})
