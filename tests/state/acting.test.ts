/** Resources that act by themselves may disturb a service: what does not need them is tested before one exists. */
import { expect, test } from 'vitest'
import { actingOperations, loadContract } from '../../spec/index.ts'
import { type Answer, type Asked, shown, verifyAnswering } from '../conformance/judge/answering.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const instance = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, size: { type: 'integer', minimum: 1 } },
}
const content = { 'application/json': { schema: instance } }
const post = (operationId: string) => ({
  operationId,
  requestBody: { required: true, content },
  responses: { 201: shown(instance), 400: shown({}) },
})
const paths = (count: number, extra: object = {}) => ({
  ...Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`/things${index}`, { post: post(`create${index}`) }]),
  ),
  ...extra,
})
const automations = { '/automations': { post: post('createAutomation') } }

const contractOf = (of: object) => loadContract({ from: writeDocument('acting.json', documentWith(of)) })

test.each([
  [{ '/automations': { post: post('a') } }, ['a']],
  [{ '/v1/repos/{name}/hooks': { post: post('a') } }, ['a']],
  [{ '/eventSubscriptions/{id}': { get: { operationId: 'a', responses: { 200: shown({}) } } } }, ['a']],
  // What changes how the whole service answers.
  [{ '/sys/quotas/{name}': { post: post('a') } }, ['a']],
  [{ '/sys/rate-limits': { post: post('a') } }, ['a']],
  [{ '/admin/settings': { put: post('a') } }, ['a']],
  // What puts old resources in place of new ones.
  [{ '/projects/{name}/snapshots/restore': { post: post('a') } }, ['a']],
  // To list them does no harm.
  [{ '/webhooks': { get: { operationId: 'a', responses: { 200: shown({}) } } } }, []],
  [{ '/hooked-things': { post: post('a') } }, []],
])('%j: %j act by themselves', async (extra, expected) => {
  const parameters = [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }]
  const id = [{ ...parameters[0], name: 'id' }]
  const withParameters = Object.fromEntries(
    Object.entries(extra).map(([path, item]) => [
      path,
      {
        ...item,
        ...(path.includes('{name}') ? { parameters } : path.includes('{id}') ? { parameters: id } : {}),
      },
    ]),
  )
  expect([...actingOperations(await contractOf(paths(30, withParameters)))]).toEqual(expected)
})

test('they wait for nothing in a service that is about them, or that is small', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 15 }, (_, index) => [`/webhooks/kind${index}`, { post: post(`hook${index}`) }]),
  )
  expect([...actingOperations(await contractOf(paths(20, many)))]).toEqual([])
  expect([...actingOperations(await contractOf(paths(5, automations)))]).toEqual([])
})

/** A service that serves nothing any more once it has an automation. */
const clogged = () => {
  let hasAutomation = false
  const asked: string[] = []
  const answer = ({ url, body }: Asked): Answer => {
    asked.push(url.pathname)
    if (hasAutomation) return { status: 500, body: { message: 'the automation failed' } }
    let value: { name?: unknown; size?: unknown } | null
    try {
      value = JSON.parse(body)
    } catch {
      return { status: 400, body: {} }
    }
    const { name, size = 1 } = value ?? {}
    if (typeof name !== 'string' || !Number.isInteger(size) || (size as number) < 1)
      return { status: 400, body: {} }
    hasAutomation = url.pathname === '/automations'
    return { status: 201, body: value }
  }
  return { asked, answer }
}

test('a service that one of them brings to a stop has shown most before', async () => {
  const { asked, answer } = clogged()
  const { entries } = await verifyAnswering({ paths: paths(30, automations) }, answer, { cases: 900 })
  const first = asked.indexOf('/automations')
  expect(first).toBeGreaterThan(30 * 9)
  const passed = new Set(
    entries.flatMap(({ obligation, verdict }) =>
      verdict.kind === 'passed' && obligation.family === 'reject' ? [obligation.operation] : [],
    ),
  )
  expect(passed.size).toBeGreaterThanOrEqual(30)
})

test('if nothing else is selected, they are tried as any other operation', async () => {
  const { asked, answer } = clogged()
  const { end } = await verifyAnswering({ paths: paths(30, automations) }, answer, {
    cases: 50,
    only: ['createAutomation/*'],
  })
  expect(asked.length).toBeGreaterThan(10)
  expect(end?.conclusion).toBe('nonconformant')
})
