import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createPlanCache, type PlanCache, verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import { paymentsDocument } from '../../documents/index.ts'
import { contracts, writeDocument } from '../../spec/contracts.ts'

const token = 'user:Secret-1'

/** By selection. */
const planCaches = new Map<string, PlanCache>()

/** The obligations of a selection that fail against the mock of another document. */
const failedAgainst = async (
  only: string,
  from: string,
  to: string,
  others: readonly string[] = [],
): Promise<readonly string[]> => {
  const text = readFileSync(paymentsDocument, 'utf8')
  const other = text.replace(from, to)
  if (from !== to) expect(other).not.toBe(text)
  const contract = writeDocument('payments.openapi.yaml', other)
  const mock = await createMock({ contract, tokens: [token, ...others], warn: () => {} })
  onTestFinished(mock.close)
  const { payments } = contracts
  const planCache = planCaches.get(only) ?? createPlanCache()
  planCaches.set(only, planCache)
  const ledger = await verify({
    target: mock.url,
    token,
    contract: payments,
    seed: 5,
    cases: 300,
    sustained: 0,
    only: [only],
    planCache,
  })
  return ledger.findings.flatMap(({ obligation, also }) => [obligation, ...also])
}

test.each([
  [
    'an alternative is missing',
    'oneOf: [{ $ref: "#/components/schemas/Card" }, {',
    'oneOf: [{',
    'pay/request/body/means/oneOf/0',
  ],
  [
    'a value of two alternatives is accepted',
    'note:\n          oneOf:',
    'note:\n          anyOf:',
    'pay/request/body/note/oneOf/two',
  ],
  [
    'a value of no alternative is accepted',
    'payer:\n          anyOf:',
    'payer:\n          x-of:',
    'pay/request/body/payer/anyOf',
  ],
  [
    'a dependent property is not required',
    'dependentSchemas:',
    'x-dependent:',
    'pay/request/body/dependentSchemas',
  ],
  ['a condition is ignored', 'if: {', 'x-if: {', 'pay/request/body/if'],
  ['one branch of a condition is rejected', 'then: {', 'then: { not: {} } #', 'pay/request/body/if/then'],
  [
    'an undeclared field is accepted',
    'additionalProperties: false\n      required: [amount, reason]',
    'required: [amount, reason]',
    'refund/request/body/additionalProperties',
  ],
  [
    'a required field is optional',
    'required: [amount, reason]',
    'required: [amount]',
    'refund/request/body/reason/required',
  ],
  [
    'any text is accepted for a boolean',
    'express: { type: boolean }',
    'express: {}',
    'refund/request/body/express/type/string',
  ],
  [
    'a list is parsed in another style',
    'lines: { style: form, explode: false }',
    'lines: { style: pipeDelimited, explode: false }',
    'refund/request/body/lines/items/several',
  ],
  [
    'an object in a field is not parsed',
    'place: { style: deepObject, explode: true }',
    'place: { contentType: application/json }',
    'refund/request/body/presence/all',
  ],
  [
    'other media types than a form are accepted',
    'application/x-www-form-urlencoded:\n            schema: { $ref',
    '"*/*":\n            schema: { $ref',
    'refund/request/content-type/text',
  ],
])('payments: if %s, the fault is found', async (_what, from, to, expected) => {
  expect(await failedAgainst(`${expected.split('/')[0]}/request`, from, to)).toContain(expected)
})

test.each([
  ['user:sECRET-1', 'token-letter-case'],
  ['user:Tfdsfu.2', 'wrong-token'],
  ['vtfs:Secret-1', 'wrong-user'],
  ['user:Secret-', 'token-cut'],
  ['user:', 'no-password'],
  [':Secret-1', 'no-user'],
  ['userSecret-1', 'no-colon'],
])('payments: if %s is accepted as well, auth/%s fails', async (other, name) => {
  expect(await failedAgainst('pay/auth', '', '', [other])).toContain(`pay/auth/${name}`)
})
