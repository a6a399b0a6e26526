import { afterAll, expect, test } from 'vitest'
import { createMock, type Mock, ScenarioError } from '../../../mock/index.ts'
import { contracts } from '../../spec/contracts.ts'
import { jsonOf, postPlant, send, startMock } from '../client.ts'

const call = async (mock: Mock, line: string, body?: unknown, client?: string) => {
  const [method = '', path = ''] = line.split(' ')
  const response = await send(mock, {
    method,
    path: `/__plantstore${path}`,
    headers: client === undefined ? {} : { 'Plantstore-Client': client },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return [response.status, jsonOf(response)] as const
}
const status = async (mock: Mock, client?: string): Promise<number> => {
  const headers = client === undefined ? {} : { 'Plantstore-Client': client }
  return (await send(mock, postPlant('{"id":1,"name":"Fern"}', headers))).status
}
/** For calls that change nothing. */
const shared = createMock({ contract: contracts.plantStore })
afterAll(async () => (await shared).close())

const nothing = { operations: {}, sets: [], set: null }
const fails = { createPlant: { status: 400 } }

test('scenarios are set, shown and removed over HTTP, and each response has the scenarios that are on', async () => {
  const mock = await startMock()
  expect(await call(mock, 'GET /scenarios')).toEqual([200, nothing])
  const one = { ...nothing, operations: { createPlant: { status: 400, code: 7 } } }
  expect(await call(mock, 'PUT /scenarios/createPlant', { status: 400, code: 7 })).toEqual([200, one])
  const both = { ...one, operations: { ...one.operations, '*': { delay: [1, 2] } } }
  expect(await call(mock, 'PUT /scenarios/*', { delay: [1, 2] })).toEqual([200, both])
  expect(await status(mock)).toBe(400)
  expect(await call(mock, 'DELETE /scenarios/*')).toEqual([200, one])
  expect(await call(mock, 'DELETE /scenarios')).toEqual([200, nothing])
  expect(await status(mock)).toBe(200)
})

test('a scenario replaces the one before, and its counters start again', async () => {
  const mock = await startMock()
  await mock.scenarios.set('createPlant', { status: 400, code: 7, every: 2 })
  expect([await status(mock)]).toEqual([200])
  await mock.scenarios.set('createPlant', { status: 400, every: 2 })
  expect(mock.scenarios.state().operations).toEqual({ createPlant: { status: 400, every: 2 } })
  expect([await status(mock), await status(mock)]).toEqual([200, 400])
})

test('concurrent changes are all made, in the order of their calls', async () => {
  const mock = await startMock({ contract: contracts.library })
  const ids = ['listBooks', 'getBook', 'removeBook', 'createLoan', 'putShelf']
  await Promise.all(ids.map(id => mock.scenarios.set(id, { delay: 1 })))
  expect(Object.keys(mock.scenarios.state().operations)).toEqual(ids)
  await Promise.all([
    mock.scenarios.set('getBook', { breaks: 'getBook/response/200/json' }),
    mock.scenarios.set('getBook', { delay: 2 }),
  ])
  expect(mock.scenarios.state().operations.getBook).toEqual({ delay: 2 })
})

test('a set replaces all scenarios at once', async () => {
  const scenarioSets = { down: fails, calm: {}, slow: { '*': { delay: 5 } } }
  const mock = await startMock({ scenarioSets, scenarioSet: 'slow' })
  const state = { sets: ['down', 'calm', 'slow'] }
  expect(mock.scenarios.state()).toEqual({ ...state, operations: scenarioSets.slow, set: 'slow' })
  expect(await call(mock, 'POST /sets/down')).toEqual([200, { ...state, operations: fails, set: 'down' }])
  expect(await status(mock)).toBe(400)
  await mock.scenarios.use('calm')
  expect(await status(mock)).toBe(200)
  await mock.scenarios.use('down')
  await mock.scenarios.set('*', { delay: 1 })
  expect(mock.scenarios.state().set).toBeNull()
  mock.scenarios.reset()
  expect(mock.scenarios.state()).toEqual({ ...state, operations: {}, set: null })
})

test('sets are loaded over HTTP as from a file, all or none, and what is on is given as such a file', async () => {
  const mock = await startMock({ scenarioSets: { calm: {} } })
  const body = { id: 'x' }
  await mock.answer('createPlant', () => ({ name: 'Moss' }))
  await call(
    mock,
    'POST /scenarios/createPlant',
    '{"body":{"name":"Ivy","n":12345678901234567890},"times":1}',
  )
  const response = await send(mock, { method: 'GET', path: '/__plantstore/sets' })
  const file = Buffer.from(response.body).toString()
  expect(file.trim()).toBe(
    '{"sets":{"saved":{"createPlant":{"times":1,"body":{"name":"Ivy","n":12345678901234567890}}}}}',
  )
  mock.scenarios.reset()
  const bad = { sets: { one: fails, two: { createPlant: { status: 503 }, createPlnt: fails.createPlant } } }
  const [status, { message }] = (await call(mock, 'PUT /sets', bad)) as [number, { message: string }]
  expect([status, message.split('\n').map(line => line.slice(0, 22))]).toEqual([
    400,
    ['set two: createPlant: ', 'set two: there is no o'],
  ])
  expect(mock.scenarios.state()).toEqual({ operations: {}, sets: ['calm'], set: null })
  for (const text of ['sets: {}', JSON.stringify(body), '{"sets":[]}'])
    expect(await call(mock, 'PUT /sets', text)).toEqual([
      400,
      { message: expect.stringContaining('the body must be a scenario file in JSON') },
    ])
  expect(await call(mock, 'PUT /sets', file)).toMatchObject([200, { sets: ['calm', 'saved'], set: 'saved' }])
  expect(await call(mock, 'PUT /sets', { sets: { down: fails, slow: {} } })).toMatchObject([
    200,
    { sets: ['calm', 'saved', 'down', 'slow'], set: 'saved' },
  ])
})

test('initial scenarios replace those of the initial set', async () => {
  const scenarioSets = { down: fails, slow: { '*': { delay: 5 } } }
  const mock = await startMock({ scenarioSets, scenarioSet: 'slow', scenarios: fails })
  expect(mock.scenarios.state().operations).toEqual({ ...scenarioSets.slow, ...fails })
})

test('the scenarios of one client do not affect another', async () => {
  const mock = await startMock({ scenarioSets: { down: fails } })
  await call(mock, 'PUT /scenarios/createPlant', { status: 400, every: 2 }, 'one')
  await call(mock, 'POST /sets/down', undefined, 'two')
  expect([await status(mock, 'one'), await status(mock, 'two'), await status(mock)]).toEqual([200, 400, 200])
  expect([await status(mock, 'one'), await status(mock, 'three'), await status(mock)]).toEqual([
    400, 200, 200,
  ])
  expect((await call(mock, 'GET /scenarios'))[1]).toMatchObject({ operations: {}, set: null })
  expect((await call(mock, 'GET /scenarios', undefined, 'two'))[1]).toMatchObject({ set: 'down' })
})

test('a client with its own scenarios gets no others until it removes them', async () => {
  const mock = await startMock({ scenarios: fails })
  const client = mock.scenarios.of('one')
  await client.set('createPlant', { delay: 1 })
  expect([await status(mock, 'one'), await status(mock)]).toEqual([200, 400])
  client.reset('createPlant')
  expect(await status(mock, 'one')).toBe(400)
})

test('one scenario counts the requests of each client separately', async () => {
  const mock = await startMock({
    scenarios: { createPlant: { limit: { requests: 1, seconds: 3600 }, duplicates: 'reject' } },
  })
  const first = [await status(mock, 'one'), await status(mock, 'two'), await status(mock)]
  expect(first).toEqual([200, 200, 200])
  expect([await status(mock, 'one'), await status(mock, 'two'), await status(mock)]).toEqual([400, 400, 400])
})

test('two hundred clients side by side each get their own scenario', async () => {
  const mock = await startMock()
  const clients = Array.from({ length: 200 }, (_, index) => `client ${index}`)
  const statuses = await Promise.all(
    clients.map(async (client, index) => {
      await call(mock, 'PUT /scenarios/createPlant', { status: index % 2 === 0 ? 400 : 200 }, client)
      return status(mock, client)
    }),
  )
  expect(statuses).toEqual(clients.map((_, index) => (index % 2 === 0 ? 400 : 200)))
})

test('of more than a thousand clients, the one with the oldest change loses its scenarios', async () => {
  const mock = await startMock()
  for (let number = 0; number <= 1000; number++)
    await mock.scenarios.of(`client ${number}`).set('createPlant', { status: 400 })
  expect([await status(mock, 'client 0'), await status(mock, 'client 1')]).toEqual([200, 400])
})

test.each<[string, string, unknown, string]>([
  [
    'an unknown operation',
    'PUT /scenarios/createPlnt',
    { status: 400 },
    'there is no operation createPlnt: did you mean createPlant?',
  ],
  [
    'an operation with a name like no other',
    'DELETE /scenarios/x',
    undefined,
    'there is no operation x; operations: createPlant, or * for all',
  ],
  [
    'an unknown set',
    'POST /sets/down',
    undefined,
    'there is no scenario set down: load sets with --scenario-file FILE',
  ],
  [
    'a body that is not JSON',
    'PUT /scenarios/createPlant',
    '{status',
    'the body must be a scenario in JSON, such as {"status":400,"code":7}',
  ],
  [
    'an undeclared status',
    'PUT /scenarios/createPlant',
    { status: 503 },
    'createPlant: 503 is not declared (declared: 200, 400): add undeclared=true to break the contract on purpose',
  ],
  [
    'a status that no operation declares',
    'PUT /scenarios/*',
    { status: 503 },
    '*: it fits no operation: 503 is not declared (declared: 200, 400): add undeclared=true to break the contract on purpose',
  ],
  [
    'an unknown obligation',
    'PUT /scenarios/createPlant',
    { breaks: 'createPlant/auth/absnt' },
    'createPlant: the contract has no obligation createPlant/auth/absnt: did you mean createPlant/auth/absent? plantstore obligations lists them',
  ],
  [
    'a code that does not fit into the failure',
    'PUT /scenarios/createPlant',
    { code: 2 ** 40 },
    'createPlant: code cannot be set: the failure 400 has no property that takes 1099511627776',
  ],
  [
    'an unknown example',
    'PUT /scenarios/createPlant',
    { example: 'fern' },
    'createPlant: there is no example fern; examples: none',
  ],
])('%s is reported in one line, and changes nothing', async (_name, line, body, message) => {
  const mock = await startMock()
  expect(await call(mock, line, body)).toEqual([400, { message }])
  expect(mock.scenarios.state()).toEqual(nothing)
})

test.each<[unknown, string]>([
  [[], 'it must be an object with at least one of status, code'],
  [{}, 'it is empty: set at least one of status, code'],
  [{ stauts: 1 }, 'there is no stauts; set any of status, code'],
  [{ constructor: 1 }, 'there is no constructor; set any of'],
  [{ status: '400' }, 'status must be a whole number from 200 to 599, not "400"'],
  [{ status: 100 }, 'status must be a whole number from 200 to 599, not 100'],
  [{ code: 1.5 }, 'code must be a whole number from'],
  [{ message: '' }, 'message must be a string of 1 to 1000 characters, not ""'],
  [{ delay: -1 }, 'delay must be milliseconds (200) or a range of them'],
  [{ delay: [2, 1] }, 'delay must be milliseconds (200) or a range of them'],
  [{ delay: [1, 2, 3] }, 'delay must be milliseconds (200) or a range of them'],
  [{ delay: 600_001 }, 'delay must be milliseconds (200) or a range of them'],
  [{ fault: 'melt' }, 'fault must be reset, truncate, hang or malformed, not "melt"'],
  [{ every: 0 }, 'every must be a whole number from 1 to 1,000,000, not 0'],
  [{ limit: { requests: 1 } }, 'limit must be requests and seconds'],
  [{ limit: { requests: 1, seconds: 0 } }, 'limit must be requests and seconds'],
  [{ limit: { requests: 1, seconds: 1, minutes: 1 } }, 'limit must be requests and seconds'],
  [{ duplicates: true }, 'duplicates must be accept or reject, not true'],
  [{ unauthenticated: 401 }, 'unauthenticated must be declared, 401 or either, not 401'],
  [{ undeclared: 'yes' }, 'undeclared must be true or false, not "yes"'],
  [{ status: 200, code: 1 }, 'code applies to failures only; 200 is not one'],
  [{ status: 400, breaks: 'createPlant/auth/absent' }, 'breaks and status cannot be combined'],
  [{ example: 'a', message: 'b' }, 'example and message cannot be combined'],
])('%j is not a scenario', async (scenario, line) => {
  const [code, response] = await call(await shared, 'PUT /scenarios/createPlant', scenario)
  expect([code, response]).toEqual([400, { message: expect.stringContaining(`createPlant: ${line}`) }])
})

test('each mistake is reported on a line of its own', async () => {
  const wrong = { status: 1, stauts: 1 } as never
  const opening = startMock({ scenarioSets: { a: { createPlant: wrong, x: wrong } } })
  await expect(opening).rejects.toThrow(ScenarioError)
  await expect(opening).rejects.toThrow(
    /^set a: createPlant: status must be .*\nset a: createPlant: there is no stauts; .*\nset a: there is no operation x; .*$/,
  )
})

test('a scenario cannot need what its operation does not have', async () => {
  const mock = await startMock({ contract: contracts.library })
  await expect(mock.scenarios.set('createLoan', { duplicates: 'reject' })).rejects.toThrow(
    'createLoan: duplicates cannot be rejected: the body has no identity, such as a required id',
  )
  await expect(mock.scenarios.set('getBook', { breaks: 'createLoan/request/valid' })).rejects.toThrow(
    'getBook: breaks must be an obligation of this operation, not createLoan/request/valid',
  )
  await expect(mock.scenarios.set('*', { breaks: 'getBook/unspecified/other-path' })).rejects.toThrow(
    '*: getBook/unspecified/other-path is about requests for no declared operation: break it with --break',
  )
})

test('the name of a client is at most 100 characters of ASCII', async () => {
  const mock = await startMock()
  const message = 'the name of a client must be 1 to 100 visible ASCII characters'
  expect(await call(mock, 'GET /scenarios', undefined, 'x'.repeat(101))).toEqual([400, { message }])
  expect((await call(mock, 'GET /scenarios', undefined, 'x'.repeat(100)))[0]).toBe(200)
})

test('the mock keeps a copy of a scenario, which the caller cannot change', async () => {
  const mock = await startMock()
  const limit = { requests: 1, seconds: 60 }
  await mock.scenarios.set('createPlant', { limit })
  limit.requests = 2
  expect(mock.scenarios.state().operations).toEqual({ createPlant: { limit: { requests: 1, seconds: 60 } } })
})
