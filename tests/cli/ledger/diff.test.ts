import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { during, emptyFolder, plantstore } from '../command.ts'
import { brokenStore, storeWith } from '../servers.ts'

const ledger = 'plantstore-report/ledger.ndjson'
const args = ['--only', 'createPlant/auth', '--cases', '150', '--seed', '1']

test('two recorded runs are told apart by what broke and what mended, and the exit code says which', async () => {
  const cwd = emptyFolder()
  const runs = [
    ['sound', storeWith({})],
    ['failed', brokenStore('takes-any-token')],
  ] as const
  for (const [name, server] of runs)
    await during(server, async ({ url, token }) => {
      await plantstore(['verify', url, '--token', token, ...args], { cwd })
      cpSync(join(cwd, ledger), join(cwd, `${name}.ndjson`))
    })
  const [worse, better, same, told] = await Promise.all([
    plantstore(['diff', 'sound.ndjson', 'broken.ndjson'], { cwd }),
    plantstore(['diff', 'broken.ndjson', 'sound.ndjson', '--format', 'markdown'], { cwd }),
    plantstore(['diff', 'sound.ndjson', 'sound.ndjson', '--format', 'json'], { cwd }),
    plantstore(['diff', 'sound.ndjson', 'none.ndjson'], { cwd }),
  ])
  expect(worse).toMatchObject({ code: 1, stderr: '' })
  expect(worse.stdout).toContain('    createPlant/auth/wrong-token   MUST · kept → broken · answered 200\n')
  expect(worse.stdout).toMatch(/\nBROKE {3}\d+ broke · 0 mended/)
  expect(worse.stdout).not.toContain('not alike')
  expect(better).toMatchObject({ code: 0, stderr: '' })
  expect(better.stdout).toContain('| `createPlant/auth/wrong-token` | MUST | broken | kept |  |')
  expect(same.code).toBe(0)
  expect(JSON.parse(same.stdout)).toMatchObject({
    worse: false,
    apart: [],
    broke: [],
    mended: [],
    observations: [],
  })
  expect(told).toMatchObject({
    code: 2,
    stderr: 'plantstore: none.ndjson cannot be read (ENOENT): give the ledger.ndjson of a run\n',
  })
}, 60_000)
