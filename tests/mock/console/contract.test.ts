/** The console's description of the contract, and the sample requests that it offers. */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { ContractSummary, Coverage, OperationDetails, Sample } from '../../../mock/console/messages.ts'
import { plantStoreDocument } from '../../../spec/index.ts'
import { libraryDocument, ordersDocument, paymentsDocument } from '../../documents/index.ts'
import { postPlant, send, startMock } from '../client.ts'
import { callConsole, getJson, lastEntry } from './call-console.ts'

const plantStore = fileURLToPath(plantStoreDocument)

describe('the contract', () => {
  test('is described operation by operation', async () => {
    const mock = await startMock({ tokens: ['one'] })
    expect(await getJson<ContractSummary>(mock, 'contract')).toMatchObject({
      title: 'Plant Store',
      anyToken: false,
      operations: [{ id: 'createPlant', method: 'POST', path: '/plants', statuses: ['200', '400'] }],
    })
    const details = await getJson<OperationDetails>(mock, 'contract/createPlant')
    expect(details.bodies[0]?.lines.map(({ name, types, required }) => [name, types, required])).toEqual([
      ['', 'object', false],
      ['name', 'string', true],
      ['tag', 'string', false],
      ['id', 'integer', true],
    ])
    expect(details.obligations.length).toBeGreaterThan(200)
    expect((await callConsole(mock, 'contract/nothing')).status).toBe(404)
  })

  test('of several documents lists each operation below its prefix, and counts its requests', async () => {
    const mock = await startMock({ documents: { '/shop': plantStore, '/pay': paymentsDocument } })
    const { operations } = await getJson<ContractSummary>(mock, 'contract')
    expect(operations.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/shop/plants', '/pay/payments']),
    )
    const [sample] = await getJson<readonly Sample[]>(mock, 'samples/createPlant')
    expect(sample?.target).toBe('/shop/plants')
    await send(mock, { ...postPlant(sample?.body ?? ''), path: '/shop/plants' })
    const coverage = (await getJson<Coverage>(mock, 'coverage')).operations.createPlant
    expect(coverage?.statuses).toEqual({ 200: 1 })
    expect(coverage?.exercised).toContain('createPlant/request/valid')
  })
})

describe('samples', () => {
  test.each([
    ['plant store', plantStore],
    ['library', libraryDocument],
    ['orders', ordersDocument],
    ['payments', paymentsDocument],
  ])('are valid, or violate what they say they violate: %s', async (_name, contract) => {
    const mock = await startMock({ contract, warn: () => {} })
    const { operations } = await getJson<ContractSummary>(mock, 'contract')
    const fill = (text: string): string =>
      text.replaceAll('{{token}}', 'tok').replaceAll('{{token:basic}}', btoa('tok'))
    for (const { id, method } of operations) {
      const samples = await getJson<readonly Sample[]>(mock, `samples/${encodeURIComponent(id)}`)
      expect(samples.filter(({ violates }) => violates === null).length, id).toBeGreaterThan(0)
      for (const { title, violates, target, headers, body } of samples) {
        if (method === 'GET' && body !== null) continue
        await send(mock, {
          method,
          path: fill(target),
          headers: Object.fromEntries(headers.map(([name, value]) => [name, fill(value)])),
          ...(body === null ? {} : { body: Buffer.from(body) }),
        })
        expect({ title, violations: lastEntry(mock)?.violations.length }).toEqual({
          title,
          violations: violates === null ? 0 : expect.toSatisfy(count => count > 0),
        })
      }
      const violated = samples.flatMap(({ violates }) => violates ?? [])
      const coverage = await getJson<Coverage>(mock, 'coverage')
      const exercised = coverage.operations[id]?.exercised
      expect(violated.filter(obligation => exercised?.includes(obligation) !== true)).toEqual([])
    }
  })

  test('exist for most ways of violating the plant store’s contract, titled by what they send', async () => {
    const mock = await startMock()
    const samples = await getJson<readonly Sample[]>(mock, 'samples/createPlant')
    const { obligations } = await getJson<OperationDetails>(mock, 'contract/createPlant')
    const rejected = obligations.filter(({ family }) => family === 'reject').map(({ id }) => id)
    const violated = rejected.filter(id => samples.some(({ violates }) => violates === id))
    expect(violated.length).toBeGreaterThan(rejected.length * 0.9)
    const missing = samples.find(({ violates }) => violates === 'createPlant/request/body/name/required')
    expect(missing?.title).toBe('a body without `name`')
  })
})
