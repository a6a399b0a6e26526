/** The console's description of the contract, and the sample requests that it offers. */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type {
  ContractSummary,
  Coverage,
  FilledHead,
  OperationDetails,
  Sample,
} from '../../../mock/console/messages.ts'
import type { Mock } from '../../../mock/index.ts'
import { plantStoreDocument } from '../../../spec/index.ts'
import { libraryDocument, ordersDocument, paymentsDocument, shopDocument } from '../../documents/index.ts'
import { postPlant, send, startMock } from '../client.ts'
import { callConsole, getDetails, getJson, lastEntry } from './call-console.ts'

const plantStore = fileURLToPath(plantStoreDocument)

describe('the contract', () => {
  test('is described operation by operation', async () => {
    const mock = await startMock({ tokens: ['one'] })
    expect(await getJson<ContractSummary>(mock, 'contract')).toMatchObject({
      title: 'Plant Store',
      kind: 'mock',
      answers: true,
      tokens: 'given',
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
    const { operations, documents } = await getJson<ContractSummary>(mock, 'contract')
    expect(documents.map(({ title, prefix }) => [title, prefix])).toEqual([
      ['Plant Store', '/shop'],
      ['Payments', '/pay'],
    ])
    expect(operations.map(({ document }) => documents[document]?.prefix)).toEqual([
      '/shop',
      '/pay',
      '/pay',
      '/pay',
    ])
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

test('the operations of a document stand by its tags, and alternatives in a schema have names', async () => {
  const mock = await startMock({ contract: shopDocument })
  const { operations } = await getJson<ContractSummary>(mock, 'contract')
  expect([...new Set(operations.map(({ tag }) => tag))]).toEqual(['Products', 'Files', 'Live'])
  const { bodies } = await getJson<OperationDetails>(mock, 'contract/createProduct')
  const lines = bodies[0]?.lines ?? []
  const at = lines.findIndex(({ name }) => name === 'discount')
  expect(
    lines.slice(at, at + 7).map(({ depth, alternative, name, types }) => [depth, alternative, name, types]),
  ).toEqual([
    [1, null, 'discount', ''],
    [2, 'oneOf', 'Percent', 'object'],
    [3, null, 'kind', 'string'],
    [3, null, 'percent', 'integer'],
    [2, 'oneOf', 'Amount', 'object'],
    [3, null, 'kind', 'string'],
    [3, null, 'amount', 'integer'],
  ])
})

describe('the fields of a request', () => {
  const fill = async (mock: Mock, operation: string, fields: Readonly<Record<string, unknown>>) => {
    const response = await callConsole(mock, `samples/${operation}`, {
      method: 'POST',
      body: JSON.stringify(fields),
    })
    return (await response.json()) as FilledHead
  }

  test('say how each parameter is filled in, and are written in the styles of the document', async () => {
    const mock = await startMock({ documents: { '/lib': libraryDocument }, warn: () => {} })
    const { parameters } = await getJson<OperationDetails>(mock, 'contract/listBooks')
    expect(Object.fromEntries(parameters.map(({ name, input: { kind } }) => [name, kind]))).toMatchObject({
      limit: 'number',
      subject: 'lines',
      filter: 'json',
      page: 'json',
      loaned: 'boolean',
    })
    const fields = {
      limit: '5',
      subject: 'a b\nc',
      shelf: '1\n2',
      filter: '{"year":1999}',
      page: '{"n":2}',
      'X-Trace': 'ab',
      since: '',
    }
    const head = await fill(mock, 'listBooks', fields)
    expect(head).toEqual({
      target:
        '/lib/books?limit=5&subject=a%20b&subject=c&shelf=1,2&filter%5Byear%5D=1999&page=%7B%22n%22%3A2%7D',
      headers: [['X-Trace', 'ab']],
    })
    await send(mock, { method: 'GET', path: head.target, headers: { 'X-Library-Key': 'k', 'X-Trace': 'ab' } })
    const { editable } = await getDetails(mock, lastEntry(mock)?.number ?? 0)
    const { since: _, ...sent } = fields
    expect(editable?.fields).toEqual(sent)
  })

  test('may hold what is no value: then the request is invalid, and no call fails', async () => {
    const mock = await startMock({ contract: libraryDocument, warn: () => {} })
    const { target } = await fill(mock, 'listBooks', { limit: 'many', page: '{', order: 7 })
    expect(target).toBe('/books?limit=many&page=%22%7B%22')
    expect(await fill(mock, 'getBook', {})).toEqual({ target: '/books/{bookId}', headers: [] })
  })
})

describe('samples', () => {
  test.each([
    ['plant store', plantStore],
    ['library', libraryDocument],
    ['orders', ordersDocument],
    ['payments', paymentsDocument],
    ['shop', shopDocument],
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
