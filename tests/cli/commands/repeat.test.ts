import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readLedger } from '../../../reports/index.ts'
import { foldLedger, type Ledger } from '../../../spec/index.ts'
import { allTested } from '../../conclusion-so-far.ts'
import { during, emptyFolder, plantstore } from '../command.ts'
import { brokenStore, storeWith } from '../servers.ts'

const ledger = 'plantstore-report/ledger.ndjson'
const ledgerIn = (cwd: string): Ledger => foldLedger(readLedger(readFileSync(join(cwd, ledger), 'utf8')))

describe('the same seed sends the same requests', () => {
  const digestOf = async (...args: readonly string[]): Promise<string | undefined> => {
    const cwd = emptyFolder()
    expect((await plantstore(['verify', '--cases', '300', ...allTested, ...args], { cwd })).code).toBe(0)
    return ledgerIn(cwd).end?.digest
  }

  test('with any concurrency; another seed sends others', async () => {
    const [first, ...others] = await Promise.all([
      digestOf('--seed', '42'),
      digestOf('--seed', '42'),
      digestOf('--seed', '42', '--concurrency', '1'),
      digestOf('--seed', '42', '--concurrency', '32'),
      digestOf('--seed', '43'),
    ])
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    expect(others.slice(0, 3)).toEqual([first, first, first])
    expect(others.at(-1)).not.toBe(first)
  })
})

describe.concurrent('replay', () => {
  test('judges a response by the policy of the run', () =>
    during(brokenStore('challenge-absent'), async ({ url, token }) => {
      const context = { cwd: emptyFolder(), env: { PLANTSTORE_TOKEN: token } }
      await plantstore(['verify', url, '--unauthenticated', '401', '--cases', '300'], context)
      const [finding] = ledgerIn(context.cwd).findings
      expect(finding?.obligation).toBe('createPlant/response/401/challenge/present')
      const { code, stdout } = await plantstore(['replay', ledger, finding?.id ?? ''], context)
      expect({ code, failures: stdout.match(/^ {2}failed .*/gm)?.length }).toEqual({ code: 1, failures: 1 })
    }))

  test('fails as long as the server has the fault, and passes when it is fixed', () =>
    during(brokenStore('takes-id-in-quotes'), async ({ url, token }) => {
      const context = { cwd: emptyFolder(), env: { PLANTSTORE_TOKEN: token } }
      await plantstore(['verify', url, '--cases', '300'], context)
      const { findings } = ledgerIn(context.cwd)
      expect(findings.length).toBeGreaterThan(0)
      const id = findings[0]?.id ?? ''

      const still = await plantstore(['replay', ledger, id], context)
      expect({ code: still.code, last: still.stdout.trimEnd().split('\n').at(-1) }).toEqual({
        code: 1,
        last: 'FAILED',
      })
      expect(still.stdout).toContain(findings[0]?.obligation)

      await during(storeWith({}), async fixed => {
        const now = await plantstore(['replay', ledger, id, '--target', fixed.url], context)
        expect({ code: now.code, last: now.stdout.trimEnd().split('\n').at(-1) }).toEqual({
          code: 0,
          last: 'PASSED',
        })
      })
    }))

  test('starts the embedded mock again if the run tested it', async () => {
    const cwd = emptyFolder()
    await plantstore(['verify', '--cases', '100'], { cwd })
    const id = ledgerIn(cwd).exchanges.at(-1)?.id ?? ''
    const { code, stdout } = await plantstore(['replay', ledger, id], { cwd })
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: 'PASSED' })
  })

  test('exits with 4 if the server cannot be reached', async () => {
    const cwd = emptyFolder()
    await during(storeWith({}), ({ url, token }) =>
      plantstore(['verify', url, '--token', token, '--cases', '50'], { cwd }),
    )
    const { code, stdout } = await plantstore(['replay', ledger, '000'], { cwd })
    expect(code).toBe(4)
    expect(stdout).toContain('ECONNREFUSED')
  })

  test('lists the cases of the run if the id is unknown', async () => {
    const cwd = emptyFolder()
    await plantstore(['verify', '--cases', '50'], { cwd })
    const { code, stderr } = await plantstore(['replay', ledger, 'zzz'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^plantstore: the ledger has no case zzz: its cases are 0+ to [0-9a-f]+\n$/)
  })
})
