import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reports, type TerminalOptions, terminal } from '../../reports/index.ts'
import { foldLedger } from '../../spec/index.ts'
import { anyLedger } from './ledgers.ts'
import { many } from './many.ts'
import { runs } from './runs.ts'

const plain: TerminalOptions = {
  colour: false,
  verbosity: 'normal',
  ledger: 'plantstore-report/ledger.ndjson',
  report: 'plantstore-report/report.html',
}

const goldens = [
  ['conformant', 'normal'],
  ['conformant', 'verbose'],
  ['brokenFive', 'quiet'],
  ['brokenFive', 'normal'],
  ['strictWarning', 'normal'],
  ['waived', 'normal'],
  ['adopted', 'normal'],
  ['waived', 'verbose'],
  ['inconclusive', 'normal'],
  ['inconclusive', 'verbose'],
  ['cutOff', 'normal'],
  ['hostile', 'normal'],
] as const

test.each(goldens)('the exact text of the run %s, told %s', async (name, verbosity) => {
  const text = terminal(foldLedger(runs[name]), { ...plain, verbosity })
  await expect(text).toMatchFileSnapshot(`golden/${name}.${verbosity}.txt`)
})

test('the exact text of a contract with many operations', async () => {
  await expect(terminal(foldLedger(many(20)), plain)).toMatchFileSnapshot('golden/many.normal.txt')
})

test('colour changes nothing but the colour, and is used only where it is asked for', () => {
  for (const verbosity of ['quiet', 'normal', 'verbose'] as const) {
    const ledger = foldLedger(runs.brokenFive)
    const coloured = terminal(ledger, { ...plain, verbosity, colour: true })
    const text = terminal(ledger, { ...plain, verbosity })
    expect(coloured).toContain('\u001b[31m')
    expect(text).not.toContain('\u001b')
    expect(stripVTControlCharacters(coloured)).toBe(text)
  }
})

test('whatever a server says, no control character reaches the terminal', () => {
  fc.assert(
    fc.property(anyLedger, fc.constantFrom('quiet', 'normal', 'verbose'), (ledger, verbosity) => {
      const text = terminal(ledger, { ...plain, verbosity })
      expect(text.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
})

test('a long answer is cut, and its length is told', () => {
  const long = foldLedger(
    runs.brokenFive.map(event => (event.type === 'finding' ? { ...event, got: 'x'.repeat(10_000) } : event)),
  )
  const line = terminal(long, plain)
    .split('\n')
    .find(each => each.includes('got '))
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
    `plantstore verify 'http://a.test/$(x)'\\''' --seed 4242 --time 30s --only createPlant/auth --only '*/body/id/*' --skip '*/absent' --unauthenticated 401 --strict\n`,
  )
})
