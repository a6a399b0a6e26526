/** What a path takes may be a key of the object that the path above it shows, as of settings: an operation that knows no other name is reached by it. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const json = { description: 'ok', content: { 'application/json': { schema: {} } } }
const responses = { 200: json, 400: json }
const named = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } })
const document = documentWith({
  '/config': { get: { operationId: 'readAll', responses } },
  '/config/{section}': { get: { operationId: 'readSection', parameters: [named('section')], responses } },
  '/config/{section}/{item}': {
    get: { operationId: 'readItem', parameters: [named('section'), named('item')], responses },
  },
})

const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  global: { refresh: '2', history: '1200' },
  outputs: { refresh: '2', style: 'dark' },
}

const valueAt = (value: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined,
    value,
  )

test.each([1, 2])('sections and their items are found by their keys (seed %i)', async seed => {
  const found = new Set<number>()
  const target = await startJsonServer(({ method, path: [kind, ...names], answer }) => {
    const value = valueAt(settings, names)
    if (kind !== 'config' || method !== 'GET') return answer(405, {})
    if (value === undefined) return answer(400, { message: `Unknown configuration item ${names.at(-1)}` })
    found.add(names.length)
    answer(200, value)
  })
  const contract = await loadContract({ from: writeDocument('settings.json', document) })
  const { findings } = await verify({ contract, target, seed, sustained: 0, cases: 200 })
  expect([...found].sort()).toEqual([0, 1, 2])
  expect(findings.filter(({ title }) => title.includes('no valid request'))).toEqual([])
})
