/**
 * Ids of operations may have any characters. All that is told of a document with plain ids is told of the same document with hostile
 * ones, up to the renaming.
 */
import { describe, expect, test } from 'vitest'
import { createMutantRuns } from '../cli/handlers/selftest/mutant-run.ts'
import { evolve, verify } from '../conformance/index.ts'
import { createMock, createProxy, learnFrom } from '../mock/index.ts'
import { diffOf, reports } from '../reports/index.ts'
import {
  type Contract,
  foldLedger,
  idOf,
  type Ledger,
  obligationsOf,
  protocolObligationsOf,
  type RunEvent,
  select,
  stateObligationsOf,
} from '../spec/index.ts'
import { during } from './cli/command.ts'
import { loadTwins, renamed, told } from './documents/hostile-ids.ts'

const twins = await loadTwins()
const later = await loadTwins(true)

const obligationsIn = (contract: Contract) => [
  ...obligationsOf(contract, 'either'),
  ...stateObligationsOf(contract),
  ...protocolObligationsOf(contract),
]

test('each obligation has an id of its own, made of its operation and its subject', () => {
  const [plain, hostile] = [obligationsIn(twins.plain), obligationsIn(twins.hostile)]
  expect(told(hostile)).toEqual(renamed(plain))
  for (const all of [plain, hostile]) {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    for (const { id, operation, subject } of all) expect(idOf(operation, subject)).toBe(id)
  }
})

test('a whole id selects its obligation and what is below it, also if it looks like a pattern', () => {
  const all = obligationsIn(twins.hostile)
  for (const { id } of all) {
    const isSelected = select(all, { only: [id], skip: [] })
    const expected = all.filter(each => each.id === id || each.id.startsWith(`${id}/`))
    expect(all.filter(each => isSelected(each.id))).toEqual(expected)
  }
})

const mockOf = (contract: Contract, breaks?: string) =>
  createMock({ contract, tokens: ['right'], stateful: true, warn: () => {}, breaks })

const runAt = (url: string, contract: Contract, cases: number): Promise<Ledger> =>
  verify({
    target: url,
    token: 'right',
    contract,
    seed: 1,
    cases,
    sustained: 0,
    strict: true,
    include: ['*'],
  })

/** The ids of the same place in both contracts. */
const idsOf = (plainId: string): { readonly plain: string; readonly hostile: string } => ({
  plain: plainId,
  hostile: renamed(plainId) as string,
})

/** A run with plain and with hostile ids. `breaks`: what the mock breaks, with the plain id. */
const runs = async (cases: number, breaks?: string) => {
  const broken = breaks === undefined ? undefined : idsOf(breaks)
  const run = (name: 'plain' | 'hostile') =>
    during(mockOf(twins[name], broken?.[name]), ({ url }) => runAt(url, twins[name], cases))
  return { plain: await run('plain'), hostile: await run('hostile') }
}

const verdictsOf = ({ entries, findings, end }: Ledger) => ({
  conclusion: end?.conclusion,
  verdicts: entries.map(({ obligation: { id }, verdict }) => [
    id,
    verdict.kind,
    verdict.kind === 'untested' ? verdict.reason : verdict.cases,
  ]),
  findings: findings.map(({ obligation, also, title, hint }) => ({ obligation, also, title, hint })),
})

const conformant = await runs(1600)
const broken = await runs(600, 'zqCreate/response/201/headers/x-body')

describe('a run', () => {
  test('of the own mock is conformant, and each verdict is the same', () => {
    expect(conformant.hostile.end?.conclusion).toBe('conformant')
    expect(told(verdictsOf(conformant.hostile))).toEqual(renamed(verdictsOf(conformant.plain)))
  })

  test('of a broken mock has the same findings', () => {
    expect(broken.plain.findings).not.toEqual([])
    expect(told(verdictsOf(broken.hostile))).toEqual(renamed(verdictsOf(broken.plain)))
  })

  test('is reported alike, in every format', () => {
    const causesIn = (ledger: Ledger) => JSON.parse(reports.json.write(ledger)).causes
    expect(told(causesIn(broken.hostile))).toEqual(renamed(causesIn(broken.plain)))
    // What differs from run to run is left out: times, ports, digests, and lengths that follow from them.
    const linesOf = (text: string): number => text.split('\n').length
    // The terminal breaks lines where they end.
    const { terminal: _, ...others } = reports
    const lines = (name: 'plain' | 'hostile') =>
      Object.entries(others).map(([format, { write }]) => [
        format,
        ...[conformant, broken].map(each => linesOf(write(each[name]))),
      ])
    expect(lines('hostile')).toEqual(lines('plain'))
  })

  test('differs alike from another one', () => {
    const differing = ({ newFailures, fixed, noLongerJudged }: ReturnType<typeof diffOf>) => ({
      newFailures,
      fixed,
      noLongerJudged,
    })
    const diffs = (name: 'plain' | 'hostile') => differing(diffOf(conformant[name], broken[name]))
    expect(diffs('plain').newFailures).not.toEqual([])
    expect(told(diffs('hostile'))).toEqual(renamed(diffs('plain')))
  })

  test('teaches a mock the same', () => {
    const learned = (ledger: Ledger) => {
      const { rejections, questions, echoing, notLearned } = learnFrom(ledger)
      // The ledger has exchanges in the order in which they ended.
      const statuses = [rejections, questions].map(answers =>
        Object.fromEntries([...answers].map(([key, { status }]) => [key, status])),
      )
      return { statuses, echoing, notLearned }
    }
    expect(learned(conformant.plain).statuses.map(all => Object.keys(all).length > 10)).toEqual([true, true])
    expect(told(learned(conformant.hostile))).toEqual(renamed(learned(conformant.plain)))
  })
})

test('a change of the document is told alike, with the same lines', async () => {
  const plain = await evolve(twins.plain, later.plain)
  expect(plain.differences.length).toBeGreaterThan(6)
  expect(told(await evolve(twins.hostile, later.hostile))).toEqual(renamed(plain))
})

test('clients that pass a proxy are judged alike', async () => {
  const judged = async (name: 'plain' | 'hostile') => {
    const contract = twins[name]
    const events: RunEvent[] = []
    const breaks = idsOf('zqCreate/response/201/headers/x-body')[name]
    await during(mockOf(contract, breaks), async ({ url }) =>
      during(createProxy({ contract, target: new URL(url), warn: () => {} }), async proxy => {
        const product = { name: 'a', version: '1' }
        const run = proxy.record({
          product,
          target: new URL(url),
          at: 0,
          onEvent: event => void events.push(event),
        })
        await runAt(proxy.url, contract, 300)
        run.end(1)
      }),
    )
    const { entries, findings } = foldLedger(events)
    return {
      verdicts: entries.map(({ obligation: { id }, verdict }) => [id, verdict.kind]),
      findings: findings.map(({ obligation, title }) => [obligation, title]),
    }
  }
  const plain = await judged('plain')
  expect(plain.findings).not.toEqual([])
  // Requests reach the proxy in any order, and with them the findings of one weight.
  const inOrder = ({ verdicts, findings }: typeof plain) => ({
    verdicts,
    findings: findings.map(parts => parts.join(': ')).toSorted(),
  })
  expect(inOrder(told(await judged('hostile')) as typeof plain)).toEqual(
    inOrder(renamed(plain) as typeof plain),
  )
}, 60_000)

describe('a mock that breaks one obligation', () => {
  const ofKinds = [...Map.groupBy(obligationsIn(twins.plain), ({ subject }) => subject.kind).values()]
  const sample = ofKinds.flatMap(alike => alike.filter((_, index) => index % 40 === 17).slice(0, 2))

  test('may do so by a scenario of the operation, or of all, in any document', async () => {
    for (const [index, { id }] of obligationsOf(twins.hostile).entries())
      if (index % 23 === 0)
        await createMock({
          documents: { '/other': later.plain, '/hostile': twins.hostile },
          scenarios: { '*': { breaks: id } },
          warn: () => {},
        })
          .then(mock => mock.close())
          .catch(error => expect(error.message).toContain('cannot be broken'))
  }, 60_000)

  test('is found as with plain ids', async () => {
    const killed = async (contract: Contract, ids: ReadonlySet<unknown>) => {
      const run = createMutantRuns(contract, { seed: 1, cases: 200, unauthenticated: 'declared' })
      const kills: unknown[] = []
      for (const obligation of [...obligationsOf(contract), ...stateObligationsOf(contract)])
        if (ids.has(obligation.id)) kills.push([obligation.id, await run(obligation)])
      return kills
    }
    const plainIds = sample.map(({ id }) => id)
    const plain = await killed(twins.plain, new Set(plainIds))
    expect(plain.length).toBeGreaterThan(5)
    expect(told(await killed(twins.hostile, new Set(plainIds.map(renamed))))).toEqual(renamed(plain))
  }, 120_000)
})
