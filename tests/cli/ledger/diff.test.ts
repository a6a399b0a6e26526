import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { during, emptyFolder, plantstore } from '../command.ts'
import { brokenStore, storeWith } from '../servers.ts'

const ledger = 'plantstore-report/ledger.ndjson'
const args = ['--only', 'createPlant/auth', '--cases', '150', '--seed', '1']

test('diff lists new and fixed failures, and exits with 1 if a failure is new', async () => {
  const cwd = emptyFolder()
  const runs = [
    ['intact', storeWith({})],
    ['failed', brokenStore('takes-any-token')],
  ] as const
  for (const [name, server] of runs)
    await during(server, async ({ url, token }) => {
      await plantstore(['verify', url, '--token', token, ...args], { cwd })
      cpSync(join(cwd, ledger), join(cwd, `${name}.ndjson`))
    })
  const [worse, better, same, missing] = await Promise.all([
    plantstore(['diff', 'intact.ndjson', 'failed.ndjson'], { cwd }),
    plantstore(['diff', 'failed.ndjson', 'intact.ndjson', '--format', 'markdown'], { cwd }),
    plantstore(['diff', 'intact.ndjson', 'intact.ndjson', '--format', 'json'], { cwd }),
    plantstore(['diff', 'intact.ndjson', 'none.ndjson'], { cwd }),
  ])
  expect(worse).toMatchObject({ code: 1, stderr: '' })
  expect(worse.stdout).toContain('\n                   MUST · createPlant/auth/wrong-token\n')
  expect(worse.stdout).toMatch(/^ {4}✗ accepted a request with .* {3}passed → failed$/m)
  expect(worse.stdout).toMatch(/\nNEW FAILURES {3}\d+ new failures · 0 fixed/)
  expect(worse.stdout).not.toContain('differs')
  expect(better).toMatchObject({ code: 0, stderr: '' })
  expect(better.stdout).toContain('<br>`createPlant/auth/wrong-token` | MUST | failed | passed |')
  expect(same.code).toBe(0)
  expect(JSON.parse(same.stdout)).toMatchObject({
    worse: false,
    differences: [],
    newFailures: [],
    fixed: [],
    observations: [],
  })
  expect(missing).toMatchObject({
    code: 2,
    stderr: 'plantstore: none.ndjson cannot be read (ENOENT): give the ledger.ndjson of a run\n',
  })
}, 60_000)
