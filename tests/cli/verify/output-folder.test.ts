/** What stands in an output folder is of one run, and whole. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { during, emptyFolder, plantstore, start } from '../command.ts'
import { slowStore, storeWith } from '../servers.ts'

const out = 'plantstore-report'
const small = ['--cases', '5', '--allow-partial', '--seed', '1']

test('reports of an earlier run do not stand beside a new ledger, and other files stay', async () => {
  const cwd = emptyFolder()
  await plantstore(['verify', ...small, '--report', 'all'], { cwd })
  writeFileSync(join(cwd, out, 'notes.txt'), 'mine')
  expect(readdirSync(join(cwd, out))).toEqual(
    expect.arrayContaining(['junit.xml', 'report.sarif', 'allure-results']),
  )
  await plantstore(['verify', ...small, '--report', 'json'], { cwd })
  expect(readdirSync(join(cwd, out)).sort()).toEqual([
    'allure-results',
    'ledger.ndjson',
    'notes.txt',
    'report.json',
  ])
  expect(readdirSync(join(cwd, out, 'allure-results'))).not.toContainEqual(
    expect.stringMatching(/^plantstore-/),
  )
})

test('a run that cannot start leaves everything of the last one', async () => {
  const cwd = emptyFolder()
  await plantstore(['verify', ...small], { cwd })
  const before = readFileSync(join(cwd, out, 'ledger.ndjson'), 'utf8')
  const wrong = await plantstore(['verify', ...small, '--har', '/proc/none/x.har'], { cwd })
  expect(wrong.code).toBe(2)
  expect(readFileSync(join(cwd, out, 'ledger.ndjson'), 'utf8')).toBe(before)
  expect(readdirSync(join(cwd, out)).sort()).toEqual([
    'junit.xml',
    'ledger.ndjson',
    'report.html',
    'report.json',
  ])
})

test('a second run in the same folder is refused while the first one runs', async () => {
  const cwd = emptyFolder()
  await during(slowStore(15), async ({ url, token }) => {
    const first = start(['verify', url, '--token', token, '--cases', '600', '--concurrency', '4'], { cwd })
    await first.shows(/ 25 %/)
    const second = await plantstore(['verify', url, '--token', token, ...small], { cwd })
    expect(second.code).toBe(2)
    expect(second.stderr).toMatch(
      /^plantstore: the output folder plantstore-report is in use by another run \(process \d+\): choose another with --out\n$/,
    )
    first.kill('SIGKILL')
    await first.ended
  })
  // What a killed run leaves keeps nobody out.
  expect(existsSync(join(cwd, out, 'ledger.ndjson'))).toBe(false)
  expect(existsSync(join(cwd, out, 'ledger.ndjson.part'))).toBe(true)
  await during(storeWith({}), async ({ url, token }) => {
    expect((await plantstore(['verify', url, '--token', token, ...small], { cwd })).code).toBe(0)
  })
  expect(readdirSync(join(cwd, out)).sort()).toEqual([
    'junit.xml',
    'ledger.ndjson',
    'report.html',
    'report.json',
  ])
})
