/** What the suite can make no request for is said wherever a run is called conformant. */
import { expect, test } from 'vitest'
import { exitCodeOf } from '../../../cli/process/exit-of-run.ts'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import { terminal } from '../../../reports/index.ts'
import { type Contract, coverageOf, type Ledger } from '../../../spec/index.ts'
import { contractOfBody, contracts } from '../../spec/contracts.ts'

const runOn = async (contract: Contract, token: string): Promise<Ledger> => {
  const mock = await createMock({ contract, tokens: [token] })
  try {
    return await verify({
      target: mock.url,
      contract,
      token,
      include: ['*'],
      seed: 1,
      stateless: true,
      sustained: 0,
    })
  } finally {
    await mock.close()
  }
}

const textOf = (ledger: Ledger): string =>
  terminal(ledger, { colour: false, verbosity: 'normal', ledger: 'ledger.ndjson', report: null })

test('the headline says how many requirements could not be tested, and --min-tested decides', async () => {
  const ledger = await runOn(contracts.payments, 'user:password')
  const { unsupported, tested, total } = coverageOf(ledger)
  expect(unsupported).toBeGreaterThan(0)
  expect(textOf(ledger)).toMatch(
    new RegExp(`CONFORMANT \\(\\d+ of ${total} MUST passed, ${unsupported} could not be tested\\)`),
  )
  expect(exitCodeOf(ledger, 1)).toBe(0)
  expect(exitCodeOf(ledger, tested / total)).toBe(0)
  expect(exitCodeOf(ledger, (tested + 0.5) / total)).toBe(4)
})

test.each<readonly [string, object]>([
  ['contains', { type: 'array', items: { type: 'string' }, contains: { const: 'red' }, minContains: 2 }],
  [
    'contains of objects',
    {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' } } },
      contains: { required: ['id'] },
    },
  ],
  ['maxContains', { type: 'array', items: { type: 'string' }, contains: { const: 'red' }, maxContains: 1 }],
])('items of a list with %s are tested', async (_title, tags) => {
  const contract = await contractOfBody({ type: 'object', required: ['tags'], properties: { tags } })
  const ledger = await runOn(contract, 'token')
  expect(ledger.findings).toEqual([])
  const untested = ledger.entries.filter(
    ({ obligation, verdict }) => obligation.level === 'MUST' && verdict.kind === 'untested',
  )
  expect(untested.map(({ obligation }) => obligation.id)).toEqual([])
})
