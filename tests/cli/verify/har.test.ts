import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { validateHar } from 'har-validator-compiled'
import { expect, test, vi } from 'vitest'
import { openHar } from '../../../cli/outputs/har-file.ts'
import { readLedger } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { request, response } from '../../reports/fixture.ts'
import { during, emptyFolder, plantstore, start } from '../command.ts'
import { brokenStore } from '../servers.ts'

type Har = { log: { comment: string; entries: { startedDateTime: string; request: { url: string } }[] } }

const harOf = (cwd: string): Har => {
  const har: unknown = JSON.parse(readFileSync(join(cwd, 'all.har'), 'utf8'))
  validateHar(har)
  return har as Har
}

test('--har writes every request that was sent, with its time and without secrets', () =>
  during(brokenStore('takes-id-in-quotes'), async ({ url, token }) => {
    const cwd = emptyFolder()
    const began = Date.now()
    const args = [
      'verify',
      url,
      '--token',
      token,
      '--seed',
      '3',
      '--cases',
      '300',
      '--malformed-http',
      '--har',
      'all.har',
    ]
    const { code, stderr } = await plantstore([...args, '--header', 'X-Key: hush-hush-hush'], { cwd })
    expect(code, stderr).toBe(1)
    const text = readFileSync(join(cwd, 'all.har'), 'utf8')
    const { entries, comment } = harOf(cwd).log
    const { end } = foldLedger(readLedger(readFileSync(join(cwd, 'plantstore-report/ledger.ndjson'), 'utf8')))
    expect(entries).toHaveLength(end?.requests ?? 0)
    expect(entries.length).toBeGreaterThan(300)
    expect(comment).not.toMatch(/cut off|left out/)
    for (const { request, startedDateTime } of entries) {
      expect(request.url.startsWith(url.replace(/\/$/, ''))).toBe(true)
      expect(Date.parse(startedDateTime)).toBeGreaterThanOrEqual(began - 5)
      expect(Date.parse(startedDateTime)).toBeLessThanOrEqual(Date.now())
    }
    expect(text).toContain('{{token}}')
    expect(text).toContain('{"name":"X-Key","value":"{{header}}"}')
    expect(text).not.toContain(token)
    expect(text).not.toContain('hush-hush-hush')
  }))

test.each([
  ['SIGINT', 130],
  ['SIGKILL', null],
] as const)(
  'a run that %s ends leaves a valid file, which says whether it is complete',
  async (signal, code) => {
    const cwd = emptyFolder()
    const run = start(['verify', '--cases', '100000', '--har', 'all.har'], { cwd })
    await run.shows(/100,000 cases/)
    run.kill(signal)
    expect((await run.ended).code).toBe(code)
    const { entries, comment } = harOf(cwd).log
    expect(comment.includes('The run was cut off')).toBe(code === null)
    if (code !== null) expect(entries.length).toBeGreaterThan(0)
  },
)

const options = {
  product: { name: 'plantstore-contract', version: '0.1.0' },
  origin: { base: 'https://a.test', began: 0 },
}

test('the file and the terminal report how many exchanges exceed the size limit', () => {
  const cwd = emptyFolder()
  const har = openHar(join(cwd, 'all.har'), { ...options, limit: 1024 * 1024 })
  for (let at = 0; at < 2000; at++)
    har.add({ request: request('x'.repeat(1000)), outcome: response(200, ''), at })
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  try {
    expect(har.finish()).toEqual([])
    const { entries, comment } = harOf(cwd).log
    const left = 2000 - entries.length
    expect(left).toBeGreaterThan(1000)
    expect(statSync(join(cwd, 'all.har')).size).toBeLessThanOrEqual(1024 * 1024)
    expect(comment).toContain(`${left.toLocaleString('en-US')} later exchanges left out`)
    expect(stderr.mock.calls.flat().join('')).toContain(
      `all.har holds no more than 1 MiB: ${left.toLocaleString('en-US')} later exchanges are left out`,
    )
  } finally {
    stderr.mockRestore()
  }
})

test('a file without any exchange is valid, before the end of the run and after it', () => {
  const cwd = emptyFolder()
  const har = openHar(join(cwd, 'all.har'), options)
  expect(harOf(cwd).log.comment).toContain('The run was cut off')
  expect(har.finish()).toEqual([])
  expect(harOf(cwd).log.comment).not.toContain('The run was cut off')
})

test('a file that cannot be written is reported before anything is sent', async () => {
  const cwd = emptyFolder()
  const { code, stderr } = await plantstore(['verify', '--har', 'no/such/folder/all.har'], { cwd })
  expect(code).toBe(2)
  expect(stderr).toBe(
    'plantstore: no/such/folder/all.har cannot be written (ENOENT): choose another with --har\n',
  )
  expect(existsSync(join(cwd, 'plantstore-report/report.json'))).toBe(false)
})
