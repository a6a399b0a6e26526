import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readLedger } from '../../../reports/index.ts'
import { foldLedger, type Ledger } from '../../../spec/index.ts'
import { during, emptyFolder, plantstore } from '../command.ts'
import { brokenStore, storeWith } from '../servers.ts'

const ledger = 'plantstore-report/ledger.ndjson'
const ledgerIn = (cwd: string): Ledger => foldLedger(readLedger(readFileSync(join(cwd, ledger), 'utf8')))

describe('the same seed sends the same requests', () => {
  const digestOf = async (...args: readonly string[]): Promise<string | undefined> => {
    const cwd = emptyFolder()
    expect((await plantstore(['verify', '--cases', '300', ...args], { cwd })).code).toBe(0)
    return ledgerIn(cwd).end?.digest
  }

  test('in two runs, one at a time and 32 at a time; another seed sends others', async () => {
    const first = await digestOf('--seed', '42')
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(await digestOf('--seed', '42')).toBe(first)
    expect(await digestOf('--seed', '42', '--concurrency', '1')).toBe(first)
    expect(await digestOf('--seed', '42', '--concurrency', '32')).toBe(first)
    expect(await digestOf('--seed', '43')).not.toBe(first)
  })
})

describe('replay', () => {
  test('judges by the policy of the run, whatever the case was to show', () =>
    during(brokenStore('challenge-absent'), async ({ url, token }) => {
      const where = { cwd: emptyFolder(), env: { PLANTSTORE_TOKEN: token } }
      await plantstore(['verify', url, '--unauthenticated', '401', '--cases', '300'], where)
      const [finding] = ledgerIn(where.cwd).findings
      expect(finding?.obligation).toBe('createPlant/response/401/challenge/present')
      const { code, stdout } = await plantstore(['replay', ledger, finding?.id ?? ''], where)
      expect({ code, broken: stdout.match(/broken .*/g)?.length }).toEqual({ code: 1, broken: 1 })
    }))

  test('shows a finding broken still, and kept where the server was mended', () =>
    during(brokenStore('takes-id-in-quotes'), async ({ url, token }) => {
      const where = { cwd: emptyFolder(), env: { PLANTSTORE_TOKEN: token } }
      await plantstore(['verify', url], where)
      const { findings } = ledgerIn(where.cwd)
      expect(findings.length).toBeGreaterThan(0)
      const id = findings[0]?.id ?? ''

      const still = await plantstore(['replay', ledger, id], where)
      expect({ code: still.code, last: still.stdout.trimEnd().split('\n').at(-1) }).toEqual({
        code: 1,
        last: 'BROKEN',
      })
      expect(still.stdout).toContain(findings[0]?.obligation)

      await during(storeWith({}), async mended => {
        const now = await plantstore(['replay', ledger, id, '--target', mended.url], where)
        expect({ code: now.code, last: now.stdout.trimEnd().split('\n').at(-1) }).toEqual({
          code: 0,
          last: 'KEPT',
        })
      })
    }))

  test('of a run against the embedded mock starts that mock again', async () => {
    const cwd = emptyFolder()
    await plantstore(['verify', '--cases', '100'], { cwd })
    const id = ledgerIn(cwd).exchanges.at(-1)?.id ?? ''
    const { code, stdout } = await plantstore(['replay', ledger, id], { cwd })
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: 'KEPT' })
  })

  test('of a server that is gone is inconclusive', async () => {
    const cwd = emptyFolder()
    await during(storeWith({}), ({ url, token }) =>
      plantstore(['verify', url, '--token', token, '--cases', '50'], { cwd }),
    )
    const { code, stdout } = await plantstore(['replay', ledger, '000'], { cwd })
    expect(code).toBe(4)
    expect(stdout).toContain('ECONNREFUSED')
  })

  test('of a case that is not there says which are', async () => {
    const cwd = emptyFolder()
    await plantstore(['verify', '--cases', '50'], { cwd })
    const { code, stderr } = await plantstore(['replay', ledger, 'zzz'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^plantstore: the ledger has no case zzz: its cases go from 0+ to [0-9a-f]+\n$/)
  })
})
