import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readLedger } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { during, emptyFolder, plantstore, start } from '../command.ts'
import { slowStore, storeWith } from '../servers.ts'

const out = 'plantstore-report'
const read = (cwd: string, file: string): string => readFileSync(join(cwd, out, file), 'utf8')

describe.concurrent('an interrupted run leaves a complete ledger and the reports', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('after %s, with exit code %i', (signal, code) =>
    during(slowStore(15), async ({ url, token }) => {
      const cwd = emptyFolder()
      const args = ['verify', url, '--token', token, '--cases', '600', '--concurrency', '4']
      const run = start(args, { cwd })
      await run.shows(/ 25 %/)
      run.kill(signal)
      const { code: exitCode, stdout, stderr } = await run.ended
      expect(exitCode).toBe(code)
      expect(stderr).toContain('stopping, and writing the reports; press again to exit at once\n')
      expect(stdout).toMatch(/^PARTIAL: .*\nincomplete run: the run was interrupted$/m)

      const events = readLedger(read(cwd, 'ledger.ndjson'))
      const ledger = foldLedger(events)
      expect(events.at(-1)).toMatchObject({ type: 'end', stopped: 'interrupt', conclusion: 'partial' })
      expect(ledger.entries.every(({ verdict }) => verdict.kind !== 'failed')).toBe(true)
      expect(ledger.end?.cases).toBeLessThan(600)
      expect(JSON.parse(read(cwd, 'report.json'))).toBeTruthy()
      expect(read(cwd, 'junit.xml')).toMatch(/<\/testsuite>\s*$/)
      expect(read(cwd, 'report.html')).toMatch(/<\/html>\s*$/)
      expect((await plantstore(['report', `${out}/ledger.ndjson`], { cwd })).code).toBe(4)
    }),
  )

  test('a second signal ends the process at once, and the ledger so far can be read', () => {
    let answers = 0
    // Answers for a while, then no more: the run can only wait.
    const falling = storeWith({ respond: answer => (++answers > 150 ? undefined : answer) })
    return during(falling, async ({ url, token }) => {
      const cwd = emptyFolder()
      const run = start(['verify', url, '--token', token, '--timeout', '1h'], { cwd })
      await run.shows(/verifying/)
      run.kill('SIGINT')
      await run.shows(/stopping/)
      run.kill('SIGINT')
      expect((await run.ended).code).toBe(130)
      const { code, stdout } = await plantstore(['report', `${out}/ledger.ndjson.part`], { cwd })
      expect(code).toBe(4)
      expect(stdout).toMatch(/^INCONCLUSIVE /m)
    })
  })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s ends a mock with exit code %i, even if a client keeps its connection open',
  async (signal, code) => {
    const mock = start(['mock', '--port', '0'])
    const [, url = ''] = await mock.shows(/ at (http:\S+)\n/)
    const answer = await fetch(`${url}/plants`, { method: 'POST', headers: { connection: 'keep-alive' } })
    expect(answer.status).toBe(400)
    await answer.text()
    mock.kill(signal)
    expect((await mock.ended).code).toBe(code)
  },
)
