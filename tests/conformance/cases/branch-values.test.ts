/** Values that take a branch of a keyword: whatever else the schema says, and whoever asked for a branch before. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RequestSpec } from '../../../conformance/cases/case.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { createRandomValues } from '../../../conformance/cases/random-values.ts'
import { strategyOf } from '../../../conformance/cases/strategies/index.ts'
import { type Obligation, type Operation, obligationsOf } from '../../../spec/index.ts'
import { contractOfBody } from '../../spec/contracts.ts'

const matcher = {
  oneOf: [
    { type: 'object', required: ['equal'], properties: { equal: { type: 'string' } } },
    { type: 'object', required: ['absent'], properties: { absent: { type: 'boolean' } } },
    {
      type: 'object',
      required: ['and'],
      properties: { and: { type: 'array', minItems: 1, items: { type: 'string' } } },
    },
  ],
}
const shared = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    url: matcher,
    headers: { type: 'object', additionalProperties: matcher },
    bodies: { type: 'array', items: matcher },
  },
}
/** The branch of an integer is valid only beside another text than the usual one. */
const dependent = {
  type: 'object',
  required: ['value', 'text'],
  properties: { value: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, text: { type: 'string' } },
  not: { properties: { value: { type: 'integer' }, text: { maxLength: 300 } } },
}
const schemas = [shared, dependent]

const contextOf = async (schema: object) => {
  const contract = await contractOfBody(schema)
  const [operation] = contract.operations
  const model = createOperationModel(contract, operation as Operation)
  const branches = obligationsOf(contract).filter(({ subject }) => subject.kind === 'branch')
  const values = createRandomValues(model, 1)
  const context = {
    ...{ model, values, seed: 1, identities: null },
    ...{ isTokenKnown: true, isForwarded: false },
  }
  const requests = (obligation: Obligation): readonly (RequestSpec | null)[] => {
    const strategy = strategyOf(context, obligation)
    if (strategy === null || 'unsupported' in strategy) throw new Error(`no strategy for ${obligation.id}`)
    return Array.from({ length: strategy.size }, (_, index) => strategy.make(index, index))
  }
  return { model, branches, requests, contract }
}

test.each(schemas)('each branch of schema %# has valid requests, and they take it', async schema => {
  const { branches, requests, model, contract } = await contextOf(schema)
  expect(branches.length).toBeGreaterThan(1)
  for (const obligation of branches) {
    const { subject } = obligation
    const made = requests(obligation).map(spec => spec?.body ?? null)
    expect(made.every(model.isValidBody), obligation.id).toBe(true)
    if (subject.kind !== 'branch' || !/oneOf|anyOf/.test(subject.keyword)) continue
    const isTaken = (value: unknown): boolean =>
      contract.requests.schemas.validator(subject.schema)(value as never).length === 0
    for (const body of made) {
      const values = subject.location.place
        .split('/')
        .slice(1)
        .reduce<readonly unknown[]>(
          (found, name) =>
            found.flatMap(value =>
              name === '*'
                ? Object.values(value as object)
                : [(value as Readonly<Record<string, unknown>>)[name]],
            ),
          [body],
        )
      expect(values.some(isTaken), `${obligation.id}: ${JSON.stringify(body)}`).toBe(true)
    }
  }
})

test('the requests for a branch do not depend on the branches before it', async () => {
  const { branches } = await contextOf(shared)
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(
        branches.map((_, index) => index),
        { minLength: 1 },
      ),
      async order => {
        const together = await contextOf(shared)
        const made = order.map(at => together.requests(together.branches[at] as Obligation))
        const last = order.length - 1
        const alone = await contextOf(shared)
        expect(made[last]).toEqual(alone.requests(alone.branches[order[last] as number] as Obligation))
      },
    ),
    { numRuns: 10 },
  )
})
