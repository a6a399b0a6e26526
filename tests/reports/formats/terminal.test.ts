import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reports, type TerminalOptions, terminal } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { finding } from '../fixture.ts'
import { anyLedger } from '../ledgers.ts'
import { runs } from '../runs.ts'
import { many } from './many.ts'

const plain: TerminalOptions = {
  colour: false,
  verbosity: 'normal',
  ledger: 'plantstore-report/ledger.ndjson',
  report: 'plantstore-report/report.html',
}

const goldens = [
  ['conformant', 'normal'],
  ['conformant', 'verbose'],
  ['fiveFailures', 'quiet'],
  ['fiveFailures', 'normal'],
  ['strictWarning', 'normal'],
  ['waived', 'normal'],
  ['baselined', 'normal'],
  ['waived', 'verbose'],
  ['inconclusive', 'normal'],
  ['inconclusive', 'verbose'],
  ['partial', 'quiet'],
  ['partial', 'normal'],
  ['fiveFailures', 'verbose'],
  ['cutOff', 'normal'],
  ['hostile', 'normal'],
  ['fiveFailures', 'page'],
] as const

test.each(goldens)('the exact text of the run %s, %s', async (name, verbosity) => {
  const text = terminal(foldLedger(runs[name]), { ...plain, verbosity })
  await expect(text).toMatchFileSnapshot(`golden/${name}.${verbosity}.txt`)
})

test('the exact text of a contract with many operations', async () => {
  await expect(terminal(foldLedger(many(20)), plain)).toMatchFileSnapshot('golden/many.normal.txt')
})

test('colour changes nothing else, and is used only if the caller asks for it', () => {
  for (const verbosity of ['quiet', 'normal', 'verbose'] as const) {
    const ledger = foldLedger(runs.fiveFailures)
    const coloured = terminal(ledger, { ...plain, verbosity, colour: true })
    const text = terminal(ledger, { ...plain, verbosity })
    expect(coloured).toContain('\u001b[31m')
    expect(text).not.toContain('\u001b')
    expect(stripVTControlCharacters(coloured)).toBe(text)
  }
})

test('no control character from a server reaches the terminal', () => {
  fc.assert(
    fc.property(anyLedger, fc.constantFrom('quiet', 'page', 'normal', 'verbose'), (ledger, verbosity) => {
      const text = terminal(ledger, { ...plain, verbosity })
      expect(text.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
})

test('a long text is cut, and its length is given', () => {
  const long = foldLedger(
    runs.fiveFailures.map(event =>
      event.type === 'finding' ? { ...event, actual: 'x'.repeat(10_000) } : event,
    ),
  )
  const line = terminal(long, plain)
    .split('\n')
    .find(each => each.includes('actual '))
  expect(line).toMatch(/x… \(10,000 bytes\)$/)
  expect(line?.length).toBeLessThan(450)
})

test('the format terminal is the plain text', () => {
  const ledger = foldLedger(runs.conformant)
  expect(reports.terminal.write(ledger)).toBe(
    terminal(ledger, { ...plain, ledger: 'ledger.ndjson', report: null }),
  )
})

test('the repeat command needs no --spec for the built-in contract, and quotes what a shell would read', () => {
  const [start, ...rest] = runs.conformant
  if (start?.type !== 'start') throw new Error('no start')
  const changed = {
    ...start,
    target: "http://a.test/$(x)'",
    contract: { ...start.contract, source: 'built-in' },
    budget: { ...start.budget, cases: null, seconds: 30 },
    selection: { only: ['createPlant/auth', '*/body/id/*'], skip: ['*/absent'] },
    policies: { unauthenticated: '401', strict: 'true' },
  }
  expect(terminal(foldLedger([changed, ...rest]), plain)).toContain(
    `plantstore verify 'http://a.test/$(x)'\\''' --seed 4242 --max-time 30s --only createPlant/auth --only '*/body/id/*' --skip '*/absent' --unauthenticated 401 --strict\n`,
  )
})

/** Titles that differ in numbers alone are of one cause. */
const wayOf = (index: number): string =>
  String(index).replace(/\d/g, digit => 'abcdefghij'[Number(digit)] ?? '')

/** A run with so many causes of one failed requirement each, the first ones MUST. */
const withCauses = (must: number, should: number): ReturnType<typeof foldLedger> => {
  const events = many(Math.max(1, must + should)).filter(({ type }) => type !== 'finding')
  const findings = Array.from({ length: must + should }, (_, index) =>
    finding('', {
      id: String(index),
      obligation: `operation${String(index).padStart(3, '0')}/request/body/id/type`,
      level: index < must ? 'MUST' : 'SHOULD',
      title: `failed in way ${wayOf(index)}`,
    }),
  )
  const at = events.findIndex(({ type }) => type === 'verdict')
  return foldLedger([...events.slice(0, at), ...findings, ...events.slice(at)])
}

test('a run that fits on a page is told whole', () => {
  const ledger = foldLedger(runs.conformant)
  expect(terminal(ledger, { ...plain, verbosity: 'page' })).toBe(terminal(ledger, plain))
})

test('a run is told on one page, whatever it found, and all of it with --verbose', () => {
  fc.assert(
    fc.property(fc.nat(80), fc.nat(80), (must, should) => {
      const ledger = withCauses(must, should)
      const text = terminal(ledger, { ...plain, verbosity: 'page' })
      expect(text.split('\n').length - 1).toBeLessThanOrEqual(60)
      if (must > 0) expect(text).toContain(`failed in way ${wayOf(0)}`)
      const whole = terminal(ledger, { ...plain, verbosity: 'verbose' })
      for (let index = 0; index < must + should; index++)
        expect(whole).toContain(`failed in way ${wayOf(index)}`)
      // What is not shown is counted.
      const shown = text.match(/[✗!] failed in way \w+/g)?.length ?? 0
      const more = Number(/and (\d+) more causes?/.exec(text)?.[1] ?? 0)
      expect(shown + more).toBe(must + should)
    }),
    { numRuns: 30 },
  )
})
