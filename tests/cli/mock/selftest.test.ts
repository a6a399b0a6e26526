import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { selftestCommand } from '../../../cli/commands/selftest.ts'
import {
  isWhole,
  killMarkdown,
  killSummary,
  killText,
  type Row,
} from '../../../cli/handlers/selftest/kill-matrix.ts'
import { breakableObligations, createMutantRuns } from '../../../cli/handlers/selftest/mutant-run.ts'
import { killMatrix } from '../../../scripts/kill-matrix-page.ts'
import { fingerprint, tested } from '../../../scripts/write-kill-matrix.ts'
import { loadContract, plantStoreDocument, select } from '../../../spec/index.ts'
import { plantstore } from '../command.ts'

const matrix = readFileSync(killMatrix, 'utf8')
const root = new URL('../../../', import.meta.url)

const found: Row = { id: 'op/a', kill: { kind: 'found', others: [] } }
const unbreakable: Row = { id: 'op/b', kill: { kind: 'unbreakable', reason: 'one | two' } }
const faults: readonly Row[] = [
  { id: 'op/c', kill: { kind: 'found', others: ['op/a'] } },
  { id: 'op/d', kill: { kind: 'elsewhere', others: ['op/a', 'op/b'] } },
  { id: 'op/e', kill: { kind: 'missed', others: [] } },
  { id: 'op/f', kill: { kind: 'unreached', reason: 'the run had 5 cases' } },
]

test('a matrix is whole if each mutant is found by its own obligation alone, or cannot be found', () => {
  const untested: Row = { id: 'op/g', kill: { kind: 'untested', reason: 'no case can be made' } }
  expect(isWhole([found, unbreakable, untested])).toBe(true)
  for (const fault of faults) expect(isWhole([found, fault]), fault.id).toBe(false)
})

test('a matrix is printed as text and as a table of the exceptions', () => {
  const rows = [found, unbreakable, ...faults]
  expect(killSummary(rows)).toBe(
    '1 found · 1 unbreakable · 1 found with others · 1 found by others · 1 missed · 1 too few cases',
  )
  expect(killText(rows)).toBe(
    [
      'found             op/a',
      'unbreakable       op/b  one | two',
      'found with others op/c  op/a',
      'found by others   op/d  op/a, op/b',
      'missed            op/e',
      'too few cases     op/f  the run had 5 cases',
      '',
      `NOT ALL FOUND   ${killSummary(rows)}`,
    ].join('\n'),
  )
  expect(killMarkdown([found, unbreakable])).toBe(
    [
      '1 found · 1 unbreakable.',
      '',
      '| broken obligation | outcome | details |',
      '|---|---|---|',
      '| `op/b` | unbreakable | one \\| two |',
    ].join('\n'),
  )
  expect(killMarkdown([found])).toBe('1 found.')
})

const broken = ['createPlant/auth/absent', 'createPlant/request/body/id/required']
const flags = ['selftest', '--workers', '1', '--cases', '200', ...broken.flatMap(id => ['--only', id])]

test('selftest finds what it breaks, and prints that', async () => {
  const { code, stdout } = await plantstore([...flags, '--format', 'text'])
  expect(stdout).toContain('ALL FOUND   2 found')
  for (const id of broken) expect(stdout).toContain(id)
  expect(code).toBe(0)
})

test('selftest exits with 1, also as markdown, if too few cases reach the broken obligation', async () => {
  const { code, stdout } = await plantstore([
    'selftest',
    '--only',
    'createPlant/request/body/tag/right-to-left',
    '--cases',
    '20',
    '--format',
    'markdown',
  ])
  expect(stdout).toContain('1 too few cases.\n\n| broken obligation | outcome | details |')
  expect(code).toBe(1)
})

const contractOf = (spec: readonly string[]) =>
  loadContract({ from: fileURLToPath(spec[1] === undefined ? plantStoreDocument : new URL(spec[1], root)) })

test.each(tested)('the kill matrix is of the present obligations: $title', async ({ title, spec, only }) => {
  const obligations = breakableObligations(await contractOf(spec), 'declared')
  const ids = obligations
    .map(({ id }) => id)
    .filter(select(obligations, { only: only === undefined ? [] : [only], skip: [] }))
  const [, section = ''] = matrix.split(`## ${title}\n`)
  // If not: npm run kill-matrix.
  expect(section).toContain(`(${fingerprint(ids)})`)
})

const sample: Readonly<Record<string, readonly string[]>> = {
  'The plant store': [
    'createPlant/request/body/name/accents',
    'createPlant/auth/token-cut',
    'createPlant/stability/recovery',
    'createPlant/unspecified/byte-order-mark',
  ],
  Payments: ['pay/request/body/payer/anyOf/1', 'pay/auth/no-colon', 'pay/stability/pairing'],
  Library: ['createLoan/request/body/presence/with-fee'],
  Orders: ['placeOrder/response/422/bom'],
  'What is kept: plants': ['deletePlant/state/gone'],
  'What is kept: shelves': ['getBook/state/elsewhere', 'addBook/state/location'],
  'Two users: plants': ['getPlant/ownership/read', 'deletePlant/ownership/refused'],
  'What is sent to clients: subscriptions': [
    'subscribe/callback/ready/sent',
    'subscribe/callback/ready/own',
    'subscribe/callback/ready/rejected',
    'subscribe/callback/ready/repeated',
  ],
  'What is sent to clients: webhooks': ['createHook/callback/order.created/request'],
  'Keys and conditions: orders, idempotency': ['createNote/idempotency/answer'],
  'Keys and conditions: orders, conditional': ['removeOrder/conditional/old'],
}

// As `npm run kill-matrix` does, but in this process: most of its time would go into starting another.
test.each(tested)('the kill matrix has the outcome of breaking: $title', async ({ title, spec }) => {
  const only = sample[title] as readonly string[]
  const { seed, cases } = selftestCommand(() => {}).opts()
  const contract = await contractOf(spec)
  const runMutant = createMutantRuns(contract, { seed, cases, unauthenticated: 'declared' })
  const obligations = breakableObligations(contract, 'declared').filter(({ id }) => only.includes(id))
  expect(obligations.map(({ id }) => id).sort()).toEqual([...only].sort())
  const [, section = ''] = matrix.split(`## ${title}\n`)
  const [own = ''] = section.split('\n## ')
  for (const obligation of obligations) {
    const row = { id: obligation.id, kill: await runMutant(obligation) }
    const [, line = ''] = killMarkdown([row]).split('|---|---|---|\n')
    if (line === '') expect(own).not.toContain(`\`${row.id}\``)
    else expect(own).toContain(line)
  }
})
