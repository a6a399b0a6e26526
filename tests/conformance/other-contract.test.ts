import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { createMock } from '../../mock/index.ts'
import { paymentsDocument } from '../documents/index.ts'
import { contracts, writeDocument } from '../spec/contracts.ts'

const token = 'user:Secret-1'

/** What is found of some obligations against the mock of a document that differs from the one that is asked for. */
const findingsAgainst = async (
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
  const ledger = await verify({
    target: mock.url,
    token,
    contract: payments,
    seed: 5,
    cases: 300,
    only: [only],
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
    'two alternatives at once are taken',
    'note:\n          oneOf:',
    'note:\n          anyOf:',
    'pay/request/body/note/oneOf/two',
  ],
  [
    'what is of no alternative is taken',
    'payer:\n          anyOf:',
    'payer:\n          x-of:',
    'pay/request/body/payer/anyOf',
  ],
  ['what depends is not asked for', 'dependentSchemas:', 'x-dependent:', 'pay/request/body/dependentSchemas'],
  ['a condition is not looked at', 'if: {', 'x-if: {', 'pay/request/body/if'],
  ['one case of a condition is refused', 'then: {', 'then: { not: {} } #', 'pay/request/body/if/then'],
  [
    'an undeclared field is taken',
    'additionalProperties: false\n      required: [amount, reason]',
    'required: [amount, reason]',
    'refund/request/body/additionalProperties',
  ],
  [
    'a missing field is not missed',
    'required: [amount, reason]',
    'required: [amount]',
    'refund/request/body/reason/required',
  ],
  [
    'any text is a boolean',
    'express: { type: boolean }',
    'express: {}',
    'refund/request/body/express/type/string',
  ],
  [
    'a list is read in another style',
    'lines: { style: form, explode: false }',
    'lines: { style: pipeDelimited, explode: false }',
    'refund/request/body/lines/items/several',
  ],
  [
    'an object in a field is not read',
    'place: { style: deepObject, explode: true }',
    'place: { contentType: application/json }',
    'refund/request/body/presence/all',
  ],
  [
    'other media types are taken than a form',
    'application/x-www-form-urlencoded:\n            schema: { $ref',
    '"*/*":\n            schema: { $ref',
    'refund/request/content-type/text',
  ],
])('of payments: where %s, that is found', async (_what, from, to, wanted) => {
  expect(await findingsAgainst(`${wanted.split('/')[0]}/request`, from, to)).toContain(wanted)
})

test.each([
  ['user:sECRET-1', 'token-letter-case'],
  ['user:Tfdsfu.2', 'wrong-token'],
  ['vtfs:Secret-1', 'wrong-user'],
  ['user:Secret-', 'token-cut'],
  ['user:', 'no-password'],
  [':Secret-1', 'no-user'],
  ['userSecret-1', 'no-colon'],
])('of payments: where %s is right as well, auth/%s is broken', async (other, name) => {
  expect(await findingsAgainst('pay/auth', '', '', [other])).toContain(`pay/auth/${name}`)
})
