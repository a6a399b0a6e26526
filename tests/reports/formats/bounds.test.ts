/** Reports that people and CI systems read have a size that does not grow with the contract: the ledger has everything. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reports } from '../../../reports/index.ts'
import {
  type Finding,
  foldLedger,
  type IdentityRange,
  type Ledger,
  type RunEvent,
} from '../../../spec/index.ts'
import { finding, response } from '../fixture.ts'
import { anyLedger } from '../ledgers.ts'
import { runs } from '../runs.ts'
import { many } from './many.ts'

const long = 'Lorem ipsum '.repeat(5000)

/** Names that a run gave, as for each operation of a large contract that takes one. */
const range = (operation: string): IdentityRange => ({
  ...{ operation, place: '/id', from: 'plantstore-a-0', to: 'plantstore-a-33554431' },
  also: ['"Fern"', '"a"', JSON.stringify(long)],
})

/**
 * A run of 300 operations with a range of names and 105 requirements each, five of which fail with a body of 60 kB, each for a cause of its own, and five of
 * which stay open for a long reason.
 */
const large = (): Ledger => {
  const copies = ['a', 'b', 'c', 'd', 'e']
  const findings: Finding[] = []
  const events = many(300).flatMap((event): readonly RunEvent[] => {
    if (event.type === 'start')
      return [
        {
          ...event,
          identities: event.operations.map(({ id }) => range(id)),
          obligations: event.obligations.flatMap(each =>
            copies.map(copy => ({ ...each, id: `${each.id}/${copy}` })),
          ),
        },
      ]
    if (event.type !== 'verdict') return event.type === 'finding' ? [] : [event]
    return copies.map(copy => {
      const obligation = `${event.obligation}/${copy}`
      if (event.obligation.endsWith('/response/200/body'))
        return { ...event, obligation, verdict: { kind: 'inconclusive', cases: 1, reason: long } }
      if (!event.obligation.endsWith('/auth/none')) return { ...event, obligation }
      const id = findings.length.toString(16)
      findings.push(
        finding(id, {
          obligation,
          outcome: response(500, long),
          actual: `500 ${long}`,
          cause: { key: obligation, title: `answered 500 to ${obligation}`, place: 'a token' },
        }),
      )
      return { ...event, obligation, verdict: { kind: 'failed', cases: 3, finding: id } }
    })
  })
  const at = events.findIndex(({ type }) => type === 'verdict')
  return foldLedger([...events.slice(0, at), ...findings, ...events.slice(at)])
}

describe('a run of 31,500 requirements, 1,500 of which fail for causes of their own', () => {
  const ledger = large()
  test.each([
    ['html', 3_000_000],
    ['junit', 2_000_000],
    ['json', 2_000_000],
    ['agent', 4000],
    ['markdown', 65_536],
  ] as const)('%s has at most %i bytes', (format, most) => {
    expect(ledger.entries).toHaveLength(31_500)
    expect(Buffer.byteLength(reports[format].write(ledger))).toBeLessThanOrEqual(most)
  })

  test('report.json says what it leaves out', () => {
    const { findings, obligations, omitted, total } = JSON.parse(reports.json.write(ledger))
    expect(obligations.length + omitted.obligations).toBe(total)
    expect(findings.length + omitted.findings).toBe(ledger.findings.length)
    expect(omitted.findings).toBeGreaterThan(0)
  })
})

test('what a small run has is in report.json as a whole', () => {
  const { omitted } = JSON.parse(reports.json.write(foldLedger(runs.fiveFailures)))
  expect(omitted).toEqual({ obligations: 0, findings: 0 })
})

test('with any text from a server the report for agents has at most 4,000 bytes', () => {
  fc.assert(
    fc.property(anyLedger, ledger => {
      expect(Buffer.byteLength(reports.agent.write(ledger))).toBeLessThanOrEqual(4000)
    }),
  )
})

test('the report for agents names what to do next: the line, the request, and the command that checks it again', async () => {
  await expect(
    reports.agent.write(foldLedger(runs.fiveFailures), undefined, 'out/ledger.ndjson'),
  ).toMatchFileSnapshot('golden/fiveFailures.agent.md')
})
