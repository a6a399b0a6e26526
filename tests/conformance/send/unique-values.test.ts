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
const startStore = (taken = 409, message = 'taken') => {
  const names = new Set<unknown>()
  return async ({ spec: { body } }: TestCase): Promise<Outcome> => {
    const { name } = body as { readonly name: unknown }
    const status = names.has(name) ? taken : 201
    names.add(name)
    const response = {
      status,
      headers: [],
      body: Buffer.from(status === taken ? JSON.stringify({ message }) : ''),
    }
    return { kind: 'response', response, ms: 1 } as Outcome
  }
}

const startUnique = async (...store: Parameters<typeof startStore>) => {
  const send = startStore(...store)
  const unique = createUniqueValues({ model, values, token: () => '', salt: 1, valid: undefined, send })
  await send(caseWith('fern', 1))
  const sendOnce = async (testCase: TestCase) => ({
    testCase,
    outcome: await send(testCase),
    isClosable: false,
  })
  return { unique, sendOnce }
}

test('a case that was under way when the run learned of unique values is sent again with others', async () => {
  const { unique, sendOnce } = await startUnique()
  const send = unique.withoutConflict(testCase => sendOnce(unique.fresh(testCase)))
  const attempts = await Promise.all([send(caseWith('fern', 2)), send(caseWith('fern', 3))])
  expect(attempts.map(({ outcome }) => outcome.kind === 'response' && outcome.response.status)).toEqual([
    201, 201,
  ])
})

test('one that was sent with others already is not, and shows nothing', async () => {
  const { unique, sendOnce } = await startUnique()
  await unique.withoutConflict(testCase => sendOnce(unique.fresh(testCase)))(caseWith('fern', 2))
  const fresh = unique.fresh(caseWith('fern', 3))
  expect(fresh.spec.body).not.toEqual({ name: 'fern' })
  await sendOnce(fresh)
  let sent = 0
  const attempt = await unique.withoutConflict(testCase => {
    sent += 1
    return sendOnce(testCase)
  })(fresh)
  expect(sent).toBe(1)
  expect(attempt).toMatchObject({
    missing: 'the server takes each value of name only once, and this one was taken before',
  })
})

test('a server error for a value that was taken is one', async () => {
  const { unique, sendOnce } = await startUnique(500, 'UNIQUE constraint failed: users.name')
  const attempt = await unique.withoutConflict(sendOnce)(caseWith('fern', 2))
  expect(attempt).toMatchObject({ outcome: { response: { status: 500 } } })
  expect(attempt.missing).toBeUndefined()
})
