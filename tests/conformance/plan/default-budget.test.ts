import { expect, test } from 'vitest'
import { defaultCases, needOf } from '../../../conformance/plan/budget.ts'
import { type Json, loadContract, obligationsOf, stateObligationsOf } from '../../../spec/index.ts'
import { bodyOf, documentWith, writeDocument } from '../../spec/contracts.ts'
import { planned } from './planned.ts'

test('the cases that a run takes by default give each requirement one, however small the operations are', async () => {
  for (const count of [2, 8, 25, 60]) {
    const paths = Array.from({ length: count }, (_, index) => [
      [
        `/t${index}`,
        { get: { operationId: `list${index}`, responses: things }, post: create(`make${index}`) },
      ],
      [
        `/t${index}/{id}`,
        {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          get: { operationId: `get${index}`, responses: thing },
          delete: { operationId: `drop${index}`, responses: thing },
        },
      ],
    ])
    const of = await loadContract({
      from: writeDocument('small.json', documentWith(Object.fromEntries(paths.flat()))),
    })
    const obligations = [...obligationsOf(of), ...stateObligationsOf(of)]
    const cases = defaultCases(needOf(obligations))
    const { untested } = planned(of, cases, Number.POSITIVE_INFINITY, { obligations })
    expect([...untested].filter(([, { cause }]) => cause === 'budget')).toEqual([])
  }
})

const ok = (schema: Json): Json => ({ description: 'ok', content: { 'application/json': { schema } } })
const properties = { id: { type: 'string' }, name: { type: 'string' } }
const thing = { 200: ok({ type: 'object', properties }), 404: { description: 'no' } }
const things = { 200: ok({ type: 'array', items: { type: 'object', properties } }) }
const create = (operationId: string) => ({
  operationId,
  requestBody: bodyOf({
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', minLength: 1, maxLength: 9 } },
  }),
  responses: { ...thing, 400: { description: 'no' } },
})
