/** A name that a request gives to what it creates is not one that nothing has. */
import { expect, test } from 'vitest'
import type { TestCase } from '../../../conformance/cases/case.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { isOfNothing } from '../../../conformance/judge/expected-status.ts'
import { loadContract, type Operation } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const parameters = [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }]
const responses = { 200: { description: 'ok' }, 404: { description: 'none' } }
const contract = await loadContract({
  from: writeDocument(
    'queues.json',
    documentWith({
      '/queues/{name}': {
        parameters,
        put: { operationId: 'makeQueue', responses },
        get: { operationId: 'getQueue', responses },
        delete: { operationId: 'removeQueue', responses },
      },
      '/queues/{name}/purge': { parameters, post: { operationId: 'purgeQueue', responses } },
      '/queues': { get: { operationId: 'listQueues', responses } },
    }),
  ),
})

const named = { steps: [], values: ['q7z9'] }

test.each<[string, TestCase['chain'], boolean]>([
  ['makeQueue', { ...named, exists: false }, false],
  ['getQueue', { ...named, exists: false }, true],
  ['getQueue', { ...named, exists: true }, false],
  ['removeQueue', { ...named, exists: false }, true],
  ['purgeQueue', { ...named, exists: false }, true],
  ['listQueues', undefined, false],
])('%s with %o: %s', (id, chain, isMadeUp) => {
  const operation = contract.operations.find(each => each.id === id) as Operation
  expect(isOfNothing(createOperationModel(contract, operation), { chain } as TestCase)).toBe(isMadeUp)
})
