import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readLedger } from '../../../reports/index.ts'
import { foldLedger, type Ledger } from '../../../spec/index.ts'
import { allTested } from '../../conclusion-so-far.ts'
import { during, emptyFolder, plantstore, start } from '../command.ts'
import { brokenStore, deadUrl, recordingStore, silentServer, storeWith } from '../servers.ts'

const ledgerIn = (cwd: string): Ledger =>
  foldLedger(readLedger(readFileSync(join(cwd, 'plantstore-report/ledger.ndjson'), 'utf8')))

describe.concurrent('0: the server conforms', () => {
  test('the embedded mock, without arguments, with at least a thousand requests', async () => {
    const cwd = emptyFolder()
    const { code, stdout } = await plantstore(['verify'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^CONFORMANT .* plantstore-report\/report\.html$/m)
    expect(ledgerIn(cwd).end?.requests).toBeGreaterThanOrEqual(1000)
    for (const file of ['report.html', 'report.json', 'junit.xml'])
      expect(existsSync(join(cwd, 'plantstore-report', file))).toBe(true)
    const again = await plantstore(['report', 'plantstore-report/ledger.ndjson', '--format', 'json'], { cwd })
    const written = readFileSync(join(cwd, 'plantstore-report/report.json'), 'utf8')
    expect(again).toEqual({ code: 0, stdout: written, stderr: '' })
  })

  test('the printed command reproduces the run', async () => {
    const cwd = emptyFolder()
    const { stdout } = await plantstore(['verify', '--cases', '300', ...allTested], { cwd })
    const [, again = ''] = /^reproduce this run: plantstore (.*)$/m.exec(stdout) ?? []
    const first = ledgerIn(cwd)
    expect(again).toContain(`--seed ${first.start.seed}`)
    expect((await plantstore([...again.split(' '), ...allTested], { cwd })).code).toBe(0)
    expect(ledgerIn(cwd).end?.digest).toBe(first.end?.digest)
  })

  test('a mock that plantstore mock started, with two tokens', async () => {
    const mock = start(['mock', '--port', '0', '--token', 'one-token', '--token', 'another-token'])
    const [, url = ''] = await mock.shows(/ at (http:\S+)\n/)
    for (const token of ['one-token', 'another-token'])
      expect(
        (await plantstore(['verify', url, '--token', token, '--cases', '300', ...allTested, '--strict']))
          .code,
      ).toBe(0)
    mock.kill('SIGTERM')
    expect((await mock.ended).code).toBe(143)
  })

  test('without a token wrong tokens are not tested, and that is reported', () =>
    during(storeWith({ authenticate: () => true }), async ({ url }) => {
      const cwd = emptyFolder()
      const { stdout } = await plantstore(['verify', url, '--cases', '60'], { cwd })
      expect(stdout).toContain('no token was given (--token), so none is known to be wrong')
      const wrong = ledgerIn(cwd).entries.find(({ obligation }) =>
        obligation.id.endsWith('/auth/wrong-token'),
      )
      expect(wrong?.verdict.kind).toBe('untested')
    }))

  test('the token of the environment is the right one, and the flag overrides it', () =>
    during(storeWith({}), async ({ url, token }) => {
      const args = ['verify', url, '--cases', '300', ...allTested]
      const right = { env: { PLANTSTORE_TOKEN: token } }
      const wrong = { env: { PLANTSTORE_TOKEN: 'not-this-one' } }
      expect((await plantstore(args, right)).code).toBe(0)
      expect((await plantstore(args, wrong)).code).toBe(4)
      expect((await plantstore([...args, '--token', token], wrong)).code).toBe(0)
    }))

  test('both ends of int64 are sent, and the numbers just beyond them', () =>
    during(recordingStore(), async ({ url, token, bodies }) => {
      const args = ['verify', url, '--token', token, '--cases', '300', ...allTested]
      expect((await plantstore(args)).code).toBe(0)
      const sent = bodies.join('\n')
      for (const id of [
        '9223372036854775807',
        '9223372036854775808',
        '-9223372036854775808',
        '-9223372036854775809',
      ])
        expect(sent).toMatch(new RegExp(`"id":${id}\\b`))
    }))
})

describe.concurrent('1: an obligation failed', () => {
  test.each(['takes-id-in-quotes', 'takes-query-token'])(
    '%s: the failed obligation is printed, with the command that reproduces it',
    name =>
      during(brokenStore(name), async ({ url, token, breaks }) => {
        const cwd = emptyFolder()
        const args = ['verify', url, '--token', token, '--cases', '300']
        const { code, stdout } = await plantstore(args, { cwd })
        expect(code).toBe(1)
        expect(stdout).toMatch(/^NOT CONFORMANT /m)
        const { findings } = ledgerIn(cwd)
        expect(findings.filter(({ obligation }) => breaks.test(obligation))).not.toEqual([])
        for (const { id, obligation } of findings) {
          expect(stdout).toContain(` · ${obligation} · `)
          expect(stdout).toContain(`plantstore replay plantstore-report/ledger.ndjson ${id}\n`)
        }
      }),
  )

  test('a SHOULD counts with --strict only', () =>
    during(brokenStore('echoes-lower-case'), async ({ url, token }) => {
      const args = ['verify', url, '--token', token, '--cases', '300', ...allTested]
      const [lenient, strict] = await Promise.all([plantstore(args), plantstore([...args, '--strict'])])
      expect([lenient.code, strict.code]).toEqual([0, 1])
    }))
})

describe.concurrent('4: no conclusion', () => {
  test('nothing listens', async () => {
    const cwd = emptyFolder()
    const { code, stdout } = await plantstore(['verify', await deadUrl()], { cwd })
    expect(code).toBe(4)
    expect(stdout).toMatch(
      /^INCONCLUSIVE .*\nincomplete run: the target could not be reached: .*ECONNREFUSED/m,
    )
    expect(ledgerIn(cwd).end?.conclusion).toBe('inconclusive')
  })

  test('the server never answers', () =>
    during(silentServer(), async ({ url }) => {
      const cwd = emptyFolder()
      const { code, stdout } = await plantstore(['verify', url, '--timeout', '200ms'], { cwd })
      expect(code).toBe(4)
      expect(stdout).toMatch(/^INCONCLUSIVE /m)
      expect(ledgerIn(cwd).findings).toEqual([])
    }))
})
