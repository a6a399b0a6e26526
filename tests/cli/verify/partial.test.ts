/** A run that left something out exits with 4, unless --allow-partial permits that. tests/cli/ledger/merge.test.ts does it for merge. */
import { expect, test } from 'vitest'
import { allTested } from '../../conclusion-so-far.ts'
import { during, emptyFolder, plantstore } from '../command.ts'
import { brokenStore, deadUrl, storeWith } from '../servers.ts'

const part = ['--only', 'createPlant/auth', '--cases', '150', '--seed', '1']

/** The exit codes of verify and report, without --allow-partial and with it. */
const exitCodesOf = async ({ url, token }: { readonly url: string; readonly token: string }) => {
  const codesOf = async (...flags: readonly string[]) => {
    const cwd = emptyFolder()
    const run = await plantstore(['verify', url, '--token', token, ...part, ...flags], { cwd })
    const report = ['report', 'plantstore-report/ledger.ndjson']
    const [plain, allowed] = await Promise.all([
      plantstore(report, { cwd }),
      plantstore([...report, '--allow-partial'], { cwd }),
    ])
    return {
      verify: run.code,
      report: plain.code,
      'report --allow-partial': allowed.code,
      stdout: run.stdout,
    }
  }
  const [plain, allowed] = await Promise.all([codesOf(), codesOf('--allow-partial')])
  return { plain, allowed }
}

test('a partial run without failures exits with 4, and with 0 with --allow-partial', () =>
  during(storeWith({}), async store => {
    const { plain, allowed } = await exitCodesOf(store)
    expect(plain).toMatchObject({ verify: 4, report: 4, 'report --allow-partial': 0 })
    expect(allowed).toMatchObject({ verify: 0, report: 4, 'report --allow-partial': 0 })
    for (const { stdout } of [plain, allowed])
      expect(stdout).toMatch(/^PARTIAL: 42 of 274 requirements tested, nothing failed /m)
  }))

test('a partial run with a failure exits with 1, also with --allow-partial', () =>
  during(brokenStore('takes-any-token'), async store => {
    const { plain, allowed } = await exitCodesOf(store)
    for (const codes of [plain, allowed]) {
      expect(codes).toMatchObject({ verify: 1, report: 1, 'report --allow-partial': 1 })
      expect(codes.stdout).toMatch(/^NOT CONFORMANT /m)
    }
  }))

test('--allow-partial does not excuse a server that cannot be reached', async () => {
  const { code, stdout } = await plantstore(['verify', await deadUrl(), ...part, '--allow-partial'])
  expect(code).toBe(4)
  expect(stdout).toMatch(/^INCONCLUSIVE /m)
})

test('a whole run exits with 0 without --allow-partial', () =>
  during(storeWith({}), async ({ url, token }) => {
    expect((await plantstore(['verify', url, '--token', token, '-q'])).code).toBe(0)
  }))

test('a run with fewer cases than the contract needs is partial, and says how many it needs', () =>
  during(storeWith({}), async ({ url, token }) => {
    const few = ['verify', url, '--token', token, '--cases', '300']
    const { code, stdout } = await plantstore(few)
    expect(stdout).toMatch(/^PARTIAL: 300 of the 1,500 cases that the contract needs, nothing failed/m)
    expect(code).toBe(4)
    expect((await plantstore([...few, ...allTested])).code).toBe(0)
  }))
