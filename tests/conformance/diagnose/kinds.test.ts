/** `request/valid` has requests of all kinds: what fails for one kind of them is told as that kind, and each kind by itself. */
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import { loadContract } from '../../../spec/index.ts'
import type { Parts } from '../../broken-servers/store/model.ts'
import { lawfulParts } from '../../broken-servers/store/store.ts'
import { during } from '../../cli/command.ts'
import { storeWith } from '../../cli/servers.ts'
import { operationOf } from '../../spec/contracts.ts'

const safe = 2n ** 53n

const isSafe = (id: unknown): boolean =>
  (typeof id === 'number' || typeof id === 'bigint') &&
  BigInt(Math.trunc(Number(id))) < safe &&
  Number(id) > -safe

const ledgerOf = (parts: Partial<Parts>) =>
  during(storeWith(parts), ({ url, token }) =>
    verify({ target: url, token, seed: 1, sustained: 0, strict: true }),
  )

test('two kinds of valid requests that fail have a finding each, and `request/valid` none', async () => {
  const { findings } = await ledgerOf({
    id: value => lawfulParts.id(value) && isSafe(value),
    name: value => lawfulParts.name(value) && value !== '',
  })
  expect(findings.map(({ obligation, title }) => [obligation, title])).toEqual([
    [
      'createPlant/request/body/id/past-safe',
      'rejected an integer beyond double precision as `id` (9007199254740993)',
    ],
    ['createPlant/request/body/name/empty', 'rejected an empty string as `name`'],
    [
      'createPlant/request/body/id/exponent-form',
      expect.stringMatching(/^rejected an integer with an exponent as `id` /),
    ],
  ])
})

test('a SHOULD alone does not fail `request/valid`', async () => {
  const { findings, entries } = await ledgerOf({ name: value => lawfulParts.name(value) && value !== '' })
  expect(findings.map(({ obligation }) => obligation)).toEqual(['createPlant/request/body/name/empty'])
  expect(entries.find(({ obligation }) => obligation.id === 'createPlant/request/valid')?.verdict.kind).toBe(
    'passed',
  )
})

/** Faults that were once reported as another one, or not at all. */
const mutants = [
  // Only payments in JPY are accepted, of which no usual request is one: it has not stopped accepting them.
  ['payments', 'pay/request/body/if/else'],
  // Nothing exists that it could remove, so that only requests which it has to reject are answered.
  ['library', 'removeBook/response/404/content-type'],
  // Its only fault is a name in the path.
  ['library', 'removeBook/stability/recovery'],
  // A list with too many items, none of them equal to another or beyond its own limits.
  ['library', 'createLoan/request/body/copies/maxItems'],
  // The client names what this PUT creates.
  ['library', 'putShelf/stability/pairing'],
] as const

test.each(mutants)('of %s, %s is found, and nothing else', async (document, breaks) => {
  const whole = await loadContract({ from: `tests/documents/${document}.openapi.yaml` })
  const contract = { ...whole, operations: [operationOf(whole, breaks.split('/')[0] ?? '')] }
  const token = document === 'payments' ? 'user:secret' : 'secret'
  const mock = await createMock({ contract, breaks, tokens: [token], stateful: false, warn: () => {} })
  const run = { contract, token, seed: 1, cases: 600, sustained: 0, stateless: true }
  const ledger = await verify({ ...run, target: mock.url }).finally(mock.close)
  expect(ledger.findings.map(({ obligation }) => obligation)).toEqual([breaks])
})
