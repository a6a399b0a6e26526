import { expect, test } from 'vitest'
import { type Mock, readScenarioText, ScenarioError } from '../../../mock/index.ts'
import { jsonOf, send, startMock } from '../client.ts'
import { shopDocument } from './shop.ts'

const fern = { id: 1, name: 'Fern', price: 3 }
const ivy = { id: 7, name: 'Ivy', price: 4 }
const list = [{ body: fern }, { when: { path: { id: 7 } }, body: ivy }]
const call = async (mock: Mock, line: string, body?: unknown) => {
  const [method = '', path = ''] = line.split(' ')
  const response = await send(mock, {
    method,
    path,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return [response.status, jsonOf(response)]
}

test('a set has several scenarios for an operation, of which the later ones win', async () => {
  const scenarioSets = { two: { getProduct: list, '*': { delay: 1 } } }
  const mock = await startMock({ contract: shopDocument(), scenarioSets, scenarioSet: 'two' })
  expect(mock.scenarios.state()).toEqual({ operations: scenarioSets.two, sets: ['two'], set: 'two' })
  expect(await call(mock, 'GET /products/6')).toEqual([200, fern])
  expect(await call(mock, 'GET /products/7')).toEqual([200, ivy])
})

test('a scenario is set and added over HTTP, with the reason where it breaks the contract', async () => {
  const mock = await startMock({ contract: shopDocument() })
  const path = '/__plantstore/scenarios/getProduct'
  const state = (operations: object) => [200, { operations, sets: [], set: null }]
  expect(await call(mock, `PUT ${path}`, list[0])).toEqual(state({ getProduct: list[0] }))
  expect(await call(mock, `POST ${path}`, list[1])).toEqual(state({ getProduct: list }))
  expect(await call(mock, 'GET /products/7')).toEqual([200, ivy])
  expect(await call(mock, `POST ${path}`, { body: { ...ivy, price: -1 } })).toEqual([
    400,
    {
      message:
        'getProduct: the answer 200 breaks the contract: /price must be at least 0, not -1; change it, or add undeclared: true to break the contract on purpose',
    },
  ])
  expect(await call(mock, `PUT ${path}`, [...list, { status: 404 }])).toMatchObject([200, {}])
  expect((await call(mock, 'GET /products/7'))[0]).toBe(404)
  expect(await call(mock, `PUT ${path}`, [{ body: fern }, { body: 5 }])).toMatchObject([
    400,
    { message: expect.stringMatching(/^getProduct: .*must be an object, not 5.*\(scenario 2 of 2\)$/) },
  ])
  expect(await call(mock, `PUT ${path}`, [])).toMatchObject([
    400,
    { message: expect.stringContaining('getProduct: it must be an object') },
  ])
  expect(await call(mock, `DELETE ${path}`)).toEqual(state({}))
})

test('a later status replaces a body, and a body a status, but neither a delay', async () => {
  const mock = await startMock({ contract: shopDocument() })
  await mock.scenarios.set('getProduct', [
    { body: fern, headers: { 'X-A': '1' } },
    { status: 404, delay: 1 },
  ])
  expect((await call(mock, 'GET /products/1'))[0]).toBe(404)
  expect(mock.journal.entries().at(-1)?.scenario).toBe('404, delay 1 ms')
  await mock.scenarios.set('getProduct', [{ status: 404, delay: 1 }, { body: fern }])
  expect(await call(mock, 'GET /products/1')).toEqual([200, fern])
  expect(mock.journal.entries().at(-1)?.scenario).toBe('200 answer, delay 1 ms')
})

test('the contract judges an answer again when its document was changed', async () => {
  const { writeFileSync, readFileSync } = await import('node:fs')
  const contract = shopDocument()
  const warnings: string[] = []
  const mock = await startMock({ contract, watch: true, warn: message => void warnings.push(message) })
  await mock.scenarios.add('getProduct', { body: fern })
  expect(await call(mock, 'GET /products/1')).toEqual([200, fern])
  writeFileSync(contract, readFileSync(contract, 'utf8').replaceAll('"minimum": 0', '"minimum": 9'))
  await expect.poll(async () => (await call(mock, 'GET /products/1'))[0], { timeout: 10_000 }).toBe(500)
  expect(warnings.join()).toContain('/price must be at least 9, not 3')
})

test('every n-th request, and only so many', async () => {
  const scenarios = { getProduct: { body: fern, every: 2, times: 2 } }
  const mock = await startMock({ contract: shopDocument(), scenarios })
  const found: boolean[] = []
  for (let count = 0; count < 7; count++) {
    const [, body] = await call(mock, 'GET /products/1')
    found.push(JSON.stringify(body) === JSON.stringify(fern))
  }
  expect(found).toEqual([false, true, false, true, false, false, false])
})

test('the command line takes a body, headers and conditions as JSON', () => {
  const text = `getProduct:body='{"id":1}',when='{"path":{"id":7}}',times=2`
  expect(() => readScenarioText(text)).toThrow(ScenarioError)
  const quoted = 'getProduct:body="{\\"id\\":1}",when="{\\"path\\":{\\"id\\":7}}",times=2'
  expect(readScenarioText(quoted).scenario).toEqual({ body: { id: 1 }, when: { path: { id: 7 } }, times: 2 })
})
