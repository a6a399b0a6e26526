import { expect, onTestFinished, test } from 'vitest'
import { createMock, type MockOptions, ScenarioError } from '../../../mock/index.ts'
import { contracts } from '../../spec/contracts.ts'

const startStore = async (options: Partial<MockOptions> = {}) => {
  const mock = await createMock({ contract: contracts.plantStore, ...options })
  onTestFinished(mock.close)
  const post = async (body: unknown) => {
    const response = await fetch(`${mock.url}/plants`, {
      method: 'POST',
      headers: { Authorization: 'Bearer any', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  }
  return { mock, post }
}

test('a patch changes the usual body of valid requests, and of no others', async () => {
  const { mock, post } = await startStore()
  await mock.scenarios.set('createPlant', { patch: { tag: 'sold' }, times: 1 })
  expect(await post({ id: 7, name: 'Fern', tag: 'new' })).toEqual({
    status: 200,
    body: { name: 'Fern', tag: 'sold' },
  })
  expect((await post({ id: 7, name: 'Fern', tag: 'new' })).body).toMatchObject({ tag: 'new' })
  await mock.scenarios.set('createPlant', { patch: { tag: null } })
  expect((await post({ id: 7, name: 'Fern', tag: 'new' })).body).toEqual({ name: 'Fern' })
  expect((await post({ id: 7 })).status).toBe(400)
})

test('what a limit rejects, and what a later scenario answers, has no patch', async () => {
  const { mock, post } = await startStore()
  const limit = { requests: 1, seconds: 60 }
  await mock.scenarios.set('createPlant', { patch: { message: 7 }, limit, undeclared: true })
  expect((await post({ id: 7, name: 'Fern' })).body).toMatchObject({ message: 7 })
  const limited = await post({ id: 7, name: 'Fern' })
  expect(limited.status).toBeGreaterThanOrEqual(400)
  expect(limited.body).not.toMatchObject({ message: 7 })
  await mock.scenarios.set('createPlant', [{ patch: { tag: 'sold' } }, { body: { name: 'Ivy' } }])
  expect((await post({ id: 7, name: 'Fern' })).body).toEqual({ name: 'Ivy' })
})

test('one that breaks the contract is a failure that says so, unless that is meant', async () => {
  const warnings: string[] = []
  const { mock, post } = await startStore({ warn: line => warnings.push(line) })
  await mock.scenarios.set('createPlant', { patch: { name: 7 } })
  expect((await post({ id: 7, name: 'Fern' })).status).toBe(500)
  expect(warnings.join()).toMatch(/createPlant: the answer 200 breaks the contract: .*name/)
  await mock.scenarios.set('createPlant', { patch: { name: 7 }, undeclared: true })
  expect(await post({ id: 7, name: 'Fern' })).toMatchObject({ status: 200, body: { name: 7 } })
})

test.each([
  [{ patch: 7 }, /patch must be an object, such as/],
  [{ patch: { tag: 'a' }, body: { name: 'a' } }, /body and patch cannot be combined/],
  [{ patch: { tag: 'a' }, breaks: 'createPlant/response/200/json' }, /breaks and patch cannot be combined/],
])('%j is refused', async (scenario, problem) => {
  const { mock } = await startStore()
  const set = mock.scenarios.set('createPlant', scenario as never)
  await expect(set).rejects.toThrow(ScenarioError)
  await expect(set).rejects.toThrow(problem)
})

test('it is for one operation', async () => {
  const { mock } = await startStore()
  await expect(mock.scenarios.set('*', { patch: { tag: 'a' } })).rejects.toThrow(/patch is for one operation/)
})
