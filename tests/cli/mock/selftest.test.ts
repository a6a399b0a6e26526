import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import {
  isWhole,
  killMarkdown,
  killSummary,
  killText,
  type Row,
} from '../../../cli/handlers/selftest/kill-matrix.ts'
import { fingerprint, judged, selftest } from '../../../scripts/write-kill-matrix.ts'
import { loadContract, obligationsOf, plantStoreDocument } from '../../../spec/index.ts'
import { plantstore } from '../command.ts'

const page = readFileSync(new URL('../../../docs/kill-matrix.md', import.meta.url), 'utf8')
const root = new URL('../../../', import.meta.url)

const found: Row = { id: 'op/a', kill: { kind: 'found', others: [] } }
const unbreakable: Row = { id: 'op/b', kill: { kind: 'unbreakable', reason: 'one | two' } }
const faults: readonly Row[] = [
  { id: 'op/c', kill: { kind: 'found', others: ['op/a'] } },
  { id: 'op/d', kill: { kind: 'elsewhere', others: ['op/a', 'op/b'] } },
  { id: 'op/e', kill: { kind: 'missed', others: [] } },
  { id: 'op/f', kill: { kind: 'unreached', reason: 'the run had 5 cases' } },
]

test('a matrix is whole where each is found by its own name alone, or has a reason', () => {
  const untested: Row = { id: 'op/g', kill: { kind: 'untested', reason: 'no case can be made' } }
  expect(isWhole([found, unbreakable, untested])).toBe(true)
  for (const fault of faults) expect(isWhole([found, fault]), fault.id).toBe(false)
})

test('a matrix is told as text and as a table', () => {
  const rows = [found, unbreakable, ...faults]
  expect(killSummary(rows)).toBe(
    '1 found · 1 not to be broken · 1 found, and others · 1 found by others · 1 missed · 1 too few cases',
  )
  expect(killText(rows)).toBe(
    [
      'found             op/a',
      'not to be broken  op/b  one | two',
      'found, and others op/c  op/a',
      'found by others   op/d  op/a, op/b',
      'missed            op/e',
      'too few cases     op/f  the run had 5 cases',
      '',
      `NOT WHOLE   ${killSummary(rows)}`,
    ].join('\n'),
  )
  expect(killMarkdown([found, unbreakable])).toBe(
    [
      '1 found · 1 not to be broken',
      '',
      '| broken obligation | outcome | |',
      '|---|---|---|',
      '| `op/a` | found |  |',
      '| `op/b` | not to be broken | one \\| two |',
    ].join('\n'),
  )
})

const broken = ['createPlant/auth/absent', 'createPlant/request/body/id/required']
const flags = ['selftest', ...broken.flatMap(id => ['--only', id])]

test.each([
  ['text', `WHOLE   2 found`],
  ['markdown', '2 found\n'],
  ['json', '"kind": "found"'],
])('selftest finds what it breaks, and says so as %s', async (format, shown) => {
  const { code, stdout } = await plantstore([...flags, '--format', format])
  expect(stdout).toContain(shown)
  for (const id of broken) expect(stdout).toContain(id)
  expect(code).toBe(0)
})

test('selftest is not content with a run that has too few cases to reach what is broken', async () => {
  const { code, stdout } = await plantstore([
    'selftest',
    '--only',
    'createPlant/request/body/tag/type/array',
    '--cases',
    '20',
  ])
  expect(stdout).toContain('NOT WHOLE   1 too few cases')
  expect(code).toBe(1)
})

const contractOf = (spec: readonly string[]) =>
  loadContract({ from: fileURLToPath(spec[1] === undefined ? plantStoreDocument : new URL(spec[1], root)) })

test.each(judged)('docs/kill-matrix.md is of the obligations of today: $title', async ({ title, spec }) => {
  const ids = obligationsOf(await contractOf(spec)).map(({ id }) => id)
  const [, section = ''] = page.split(`## ${title}\n`)
  // npm run kill-matrix writes it anew.
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
  Library: ['removeBook/response/404/body/code/format', 'createLoan/request/body/presence/with-fee'],
  Orders: ['placeOrder/response/422/bom'],
}

test.each(judged)('docs/kill-matrix.md tells what comes of breaking: $title', document => {
  const only = sample[document.title] as readonly string[]
  const rows = selftest(document, only)
  expect(rows.map(({ id }) => id).sort()).toEqual([...only].sort())
  const [, section = ''] = page.split(`## ${document.title}\n`)
  const [own = ''] = section.split('\n## ')
  for (const row of rows) {
    const [, line = ''] = killMarkdown([row]).split('|---|---|---|\n')
    // What was found is listed of the plant store alone.
    if (document.title === 'The plant store' || row.kill.kind !== 'found') expect(own).toContain(line)
    else expect(own, line).not.toContain(row.id)
  }
})
