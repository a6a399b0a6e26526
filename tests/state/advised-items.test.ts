/** A server that names the items of a list, by their paths, in which it misses something: all of them get it. */
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const text = { type: 'string' }
const task = { type: 'object', properties: { name: text, reference: text } }
const tasks = { type: 'array', minItems: 2, items: task }
const flow = { type: 'object', required: ['tasks'], properties: { name: text, tasks } }
const failure = { description: 'no', content: { 'application/json': { schema: { type: 'object' } } } }
const document = documentWith({
  '/flows': {
    post: {
      operationId: 'createFlow',
      requestBody: { required: true, content: { 'application/json': { schema: flow } } },
      responses: { 201: { description: 'created' }, 400: failure },
    },
  },
})

test('properties of items, each with a text of its own', async () => {
  let accepted = 0
  const target = await startJsonServer(({ sent, answer }) => {
    const items = (Array.isArray(sent?.tasks) ? sent.tasks : [{}]) as readonly Readonly<
      Record<string, unknown>
    >[]
    const missing = (of: object | null, names: readonly string[], at: string) =>
      names.flatMap(name =>
        typeof (of as Readonly<Record<string, unknown>> | null)?.[name] === 'string'
          ? []
          : [{ path: `createFlow.arg0.${at}${name}`, message: `${name} cannot be empty or null` }],
      )
    const errors = [
      ...missing(sent, ['name'], ''),
      ...items.flatMap((item, index) => missing(item, ['name', 'reference'], `tasks[${index}].`)),
    ]
    const references = items.map(item => item?.reference)
    if (errors.length > 0) return answer(400, { errors })
    if (new Set(references).size < references.length)
      return answer(400, { errors: [{ path: 'createFlow.arg0', message: 'references should be unique' }] })
    accepted += 1
    answer(201)
  })
  const contract = await loadContract({ from: writeDocument('flows.json', document) })
  const { findings } = await verify({ contract, target, seed: 1, cases: 150 })
  expect(accepted).toBeGreaterThan(10)
  expect(findings.map(({ title }) => title).filter(title => /accepted no valid request/.test(title))).toEqual(
    [],
  )
})

const vectors = { type: 'array', minItems: 1, items: { type: 'array', items: { type: 'number' } } }
const index = documentWith({
  '/vectors': {
    post: {
      operationId: 'addVectors',
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { type: 'object', required: ['vectors'], properties: { vectors } } },
        },
      },
      responses: { 201: { description: 'created' }, 400: failure },
    },
  },
})

test('lists of numbers get the length that the server wants', async () => {
  let accepted = 0
  const target = await startJsonServer(({ sent, answer }) => {
    const all = sent?.vectors
    const isValid = Array.isArray(all) && all.every(one => Array.isArray(one) && one.every(Number.isFinite))
    if (!isValid || all.length === 0) return answer(400, { message: 'no vectors' })
    const wrong = all.find(one => one.length !== 5)
    if (wrong !== undefined)
      return answer(400, { message: `Vector dimension error: expected dim: 5, got ${wrong.length}` })
    accepted += 1
    answer(201)
  })
  const contract = await loadContract({ from: writeDocument('vectors.json', index) })
  await verify({ contract, target, seed: 1, cases: 150 })
  expect(accepted).toBeGreaterThan(10)
})
