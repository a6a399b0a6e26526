import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { during, emptyFolder, plantstore } from '../command.ts'
import { brokenStore } from '../servers.ts'

const run = (url: string, token: string, waivers: string) => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'waivers.yaml'), waivers)
  const args = [
    'verify',
    url,
    '--token',
    token,
    '--only',
    'createPlant/auth',
    '--cases',
    '150',
    '--allow-partial',
  ]
  return plantstore([...args, '--waivers', 'waivers.yaml', '--report', 'json'], { cwd }).then(ran => ({
    ...ran,
    report: () => JSON.parse(readFileSync(join(cwd, 'plantstore-report/report.json'), 'utf8')),
  }))
}

const waiver = (obligation: string, expires: string): string =>
  `- obligation: ${obligation}\n  reason: known since the pilot\n  owner: identity team\n  expires: ${expires}\n`

test('a waived failure does not change the exit code, and every report shows it', () =>
  during(brokenStore('takes-any-token'), async ({ url, token }) => {
    const plain = await run(url, token, '[]')
    expect(plain.code).toBe(1)
    const ids: readonly string[] = plain
      .report()
      .obligations.filter(({ status }: { status: string }) => status === 'failed')
      .map(({ id }: { id: string }) => id)
    const waived = await run(url, token, ids.map(id => waiver(id, '2999-12-31')).join(''))
    expect(waived.code).toBe(0)
    expect(waived.stdout).toContain('waived by identity team until 2999-12-31: known since the pilot')
    expect(waived.report()).toMatchObject({
      verdict: 'PARTIAL',
      counts: { failed: 0, waived: ids.length },
    })
    const late = await run(url, token, ids.map(id => waiver(id, '2020-01-01')).join(''))
    expect(late.code).toBe(1)
    expect(late.stdout).toContain('(identity team) expired on 2020-01-01')
    const fixed = await run(url, token, waiver('createPlant/auth/absent', '2999-12-31'))
    expect(fixed.code).toBe(1)
    expect(fixed.stdout).toContain('1 fixed')
  }))

test.each([
  ['createPlant/auth: x', /^plantstore: waivers\.yaml is not a list of waivers: each needs obligation/],
  ['[', /^plantstore: the waivers in waivers\.yaml cannot be read: /],
  [waiver('createPlant/none', '2999-12-31'), /^plantstore: a waiver matches nothing: the contract has no/],
  [waiver('createPlant/auth', 'soon'), /^plantstore: the waiver of createPlant\/auth expires on soon: give/],
])('invalid waivers are reported in one line, with exit code 2', async (text, message) => {
  const { code, stderr } = await run('http://127.0.0.1:9', 'secret', text)
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

test('--max-waiver-days rejects a waiver that runs longer', async () => {
  const cwd = emptyFolder()
  const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const verify = (expires: string) => {
    writeFileSync(join(cwd, 'waivers.yaml'), waiver('createPlant/auth/absent', expires))
    return plantstore(
      ['verify', 'embedded-mock', '--cases', '5', '--waivers', 'waivers.yaml', '--max-waiver-days', '90'],
      { cwd },
    )
  }
  const long = await verify(inDays(120))
  expect(long.code).toBe(2)
  expect(long.stderr).toMatch(
    /^plantstore: the waiver of createPlant\/auth\/absent \(identity team\) expires on \d{4}-\d\d-\d\d: --max-waiver-days allows \d{4}-\d\d-\d\d at most\n$/,
  )
  expect((await verify(inDays(60))).code).not.toBe(2)
})
