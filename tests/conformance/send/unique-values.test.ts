import { expect, test } from 'vitest'
import type { TestCase } from '../../../conformance/cases/case.ts'
import { expectationOf } from '../../../conformance/cases/expectation.ts'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { createRandomValues } from '../../../conformance/cases/random-values.ts'
import { plainSpecs } from '../../../conformance/cases/strategies/index.ts'
import { createUniqueValues } from '../../../conformance/send/unique-values.ts'
import { type Obligation, type Operation, type Outcome, obligationsOf } from '../../../spec/index.ts'
import { contractOfBody } from '../../spec/contracts.ts'

const schema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const contract = await contractOfBody(schema)
const model = createOperationModel(contract, contract.operations[0] as Operation)
const values = createRandomValues(model, 1)
const plain = plainSpecs({
  ...{ model, identities: null, seed: 1, values },
  ...{ isTokenKnown: false, isForwarded: false },
})
const valid = obligationsOf(contract).find(({ subject }) => subject.kind === 'valid') as Obligation

const caseWith = (name: string, number: number): TestCase => {
  const spec = { ...plain(number), body: { name } }
  const expected = expectationOf(model, valid, spec, '')
  if (expected === null) throw new Error('it is no case')
  return { number, obligation: valid, spec, precondition: 'none', ...expected }
}

/** Takes each name once. */
const startStore = () => {
  const names = new Set<unknown>()
  return async ({ spec: { body } }: TestCase): Promise<Outcome> => {
    const { name } = body as { readonly name: unknown }
    const status = names.has(name) ? 409 : 201
    names.add(name)
    const response = { status, headers: [], body: Buffer.from(status === 409 ? '{"message":"taken"}' : '') }
    return { kind: 'response', response, ms: 1 } as Outcome
  }
}

test('a case that was under way when the run learned of unique values is sent again with others', async () => {
  const send = startStore()
  const unique = createUniqueValues({ model, values, token: () => '', salt: 1, send })
  await send(caseWith('fern', 1))
  const [first, second] = [caseWith('fern', 2), caseWith('fern', 3)]
  const sent = unique.fresh(second)
  expect(sent).toBe(second)
  const answers = [await send(first), await send(sent)] as const
  expect(await unique.learn(first, answers[0])).toBe(true)
  expect(await unique.learn(sent, answers[1])).toBe(true)
  const again = await send(unique.fresh(second))
  expect(again.kind === 'response' && again.response.status).toBe(201)
})

test('one that was sent with others already is not', async () => {
  const send = startStore()
  const unique = createUniqueValues({ model, values, token: () => '', salt: 1, send })
  await send(caseWith('fern', 1))
  const first = caseWith('fern', 2)
  expect(await unique.learn(first, await send(first))).toBe(true)
  const fresh = unique.fresh(caseWith('fern', 3))
  expect(fresh.spec.body).not.toEqual({ name: 'fern' })
  await send(fresh)
  expect(await unique.learn(fresh, await send(fresh))).toBe(false)
})
