import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { during, emptyFolder, plantstore } from '../command.ts'
import { brokenStore, deadUrl, storeWith } from '../servers.ts'

const args = ['--only', 'createPlant/auth', '--cases', '150', '--seed', '1']

test('compare names the requirement that one server breaks, with both exchanges', async () => {
  const cwd = emptyFolder()
  await during(storeWith({}), a =>
    during(brokenStore('takes-any-token'), async b => {
      const tokens = ['--token', a.token]
      const worse = await plantstore(['compare', a.url, b.url, ...tokens, ...args, '--report', 'html'], {
        cwd,
      })
      expect(worse.code).toBe(1)
      expect(worse.stderr.match(/^sending the plan to [AB]: /gm)).toHaveLength(4)
      expect(worse.stdout).toMatch(
        /^ {4}createPlant\/auth\/wrong-token {3}MUST\n {6}A passed {3}B failed: answered 200$/m,
      )
      expect(worse.stdout).toMatch(/\n {6}→ A 400 .*\n {6}→ B 200 /)
      expect(worse.stdout).toMatch(/\nVERDICTS DIFFER: \d+ verdicts?/i)
      const page = readFileSync(join(cwd, 'plantstore-report/compare.html'), 'utf8')
      expect(page).toContain('<code>createPlant/auth/wrong-token</code>')
      expect(page + worse.stdout).not.toContain(a.token)
      const same = await plantstore(['compare', a.url, a.url, ...tokens, ...args, '--format', 'json'], {
        cwd,
      })
      expect(same.code).toBe(0)
      expect(JSON.parse(same.stdout)).toMatchObject({ format: 'plantstore-compare', version: 1, alike: true })
    }),
  )
}, 60_000)

test('a waived failure of one server does not count', async () => {
  const cwd = emptyFolder()
  const waiver = {
    obligation: 'createPlant/auth/wrong-token',
    reason: 'known',
    owner: 'shop',
    expires: '2999-12-31',
  }
  writeFileSync(join(cwd, 'waivers.json'), JSON.stringify([waiver]))
  await during(storeWith({}), a =>
    during(brokenStore('takes-any-token'), async b => {
      const only = ['--only', waiver.obligation, ...args.slice(2)]
      const command = ['compare', a.url, b.url, '--token', a.token, ...only, '--waivers', 'waivers.json']
      const { code, stdout } = await plantstore(command, { cwd })
      expect(stdout).toMatch(
        /^ {2}Verdicts that differ, and are waived: 1\n {4}createPlant\/auth\/wrong-token /m,
      )
      expect(stdout).not.toContain('VERDICTS DIFFER')
      expect(code).toBe(0)
    }),
  )
}, 60_000)

test('other answers to open questions fail only with --fail-on any, and a server has a token of its own', async () => {
  const own = { failure: () => ({ error: 77, message: 'no' }) }
  await during(storeWith({}), a =>
    during(storeWith(own), async b => {
      const command = ['compare', a.url, b.url, '--token', a.token, '--token-b', b.token, ...args]
      const [told, failed] = [await plantstore(command), await plantstore([...command, '--fail-on', 'any'])]
      expect([told.code, failed.code]).toEqual([0, 1])
      expect(told.stdout).toMatch(/createPlant\/unspecified\/credentials {3}error code · \d+ cases/)
      expect(told.stdout).toMatch(/ {6}A error \d+ {3}B error 77\n/)
    }),
  )
}, 60_000)

test('compare exits with 4 if a server cannot be reached', async () => {
  const { code, stdout } = await plantstore(['compare', 'embedded-mock', await deadUrl(), ...args])
  expect(code).toBe(4)
  expect(stdout).toContain('not compared  B: the target could not be reached')
}, 60_000)
