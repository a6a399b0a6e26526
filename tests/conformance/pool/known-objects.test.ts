import { expect, test } from 'vitest'
import type { RequestSpec } from '../../../conformance/cases/case.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { knownObjects } from '../../../conformance/pool/known-objects.ts'
import { createPool } from '../../../conformance/pool/pool.ts'
import { loadContract, type Operation } from '../../../spec/index.ts'
import { bodyOf, documentWith, writeDocument } from '../../spec/contracts.ts'

test('a whole body is that of what the run has named, and no other one that was shown', async () => {
  const text = { type: 'string' }
  const handler = { type: 'object', properties: { name: text, event: text, owner: { type: 'object' } } }
  const responses = { 200: { description: 'done' } }
  const contract = await loadContract({
    from: writeDocument(
      'handlers.json',
      documentWith({
        '/handlers': {
          get: { operationId: 'list', responses },
          post: { operationId: 'add', requestBody: bodyOf(handler), responses },
          put: { operationId: 'update', requestBody: bodyOf(handler), responses },
        },
      }),
    ),
  })
  const [list, add, update] = ['list', 'add', 'update'].map(
    id => contract.operations.find(operation => operation.id === id) as Operation,
  ) as [Operation, Operation, Operation]
  const pool = createPool(contract.operations)
  const learn = (operation: Operation, sent: object | null, shown: unknown): void => {
    const spec = { parameters: {}, ...(sent === null ? {} : { body: sent }) } as RequestSpec
    pool.noteSent(spec)
    pool.learn(operation, spec, Buffer.from(JSON.stringify(shown)))
    pool.settle()
  }
  const others = { name: 'precious', event: 'nightly' }
  const own = { name: 'qntc74z9', event: 'hourly' }
  const asked = (): readonly unknown[] =>
    knownObjects(pool, createOperationModel(contract, update), {
      parameters: {},
      body: {},
      encoding: { kind: 'json' },
    } as RequestSpec).map(values =>
      Object.fromEntries([...values].map(([place, { value }]) => [place, value])),
    )
  learn(list, null, [others])
  expect(asked()).toEqual([])
  // What is sent again is no more the run's than before.
  learn(update, others, {})
  expect(asked()).toEqual([])
  learn(add, own, {})
  learn(list, null, [own, others])
  expect(asked()).toEqual([{ '/name': own.name, '/event': own.event }])
})
