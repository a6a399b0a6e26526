import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { during, emptyFolder, plantstore } from '../command.ts'
import { brokenStore } from '../servers.ts'

test('replay sends a token to a host that only the ledger names if the host is confirmed, and not otherwise', async () => {
  await during(brokenStore('checks-no-credentials'), async ({ url, token }) => {
    const cwd = emptyFolder()
    const args = ['--token', token, '--cases', '100', '--report', 'json']
    await plantstore(['verify', url, ...args], { cwd })
    const file = join(cwd, 'plantstore-report/ledger.ndjson')
    const { findings } = JSON.parse(readFileSync(join(cwd, 'plantstore-report/report.json'), 'utf8'))
    const replay = (...flags: readonly string[]) => ['replay', file, findings[0].id, ...flags]
    expect(await plantstore(replay('--token', token), { cwd })).toMatchObject({ code: 1, stderr: '' })

    const { origin } = new URL(url)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(origin, 'http://collector.invalid'))
    const rejected = await plantstore(replay('--token', token), { cwd })
    expect(rejected).toMatchObject({ code: 2, stdout: '' })
    expect(rejected.stderr).toMatch(
      /the token would be sent to collector\.invalid, which only the ledger names: confirm it with --target http:\/\/collector\.invalid\//,
    )
    // Without a token there is nothing to lose; with the host confirmed, or configured, it is sent.
    for (const [flags, env] of [
      [[], {}],
      [['--token', token, '--target', 'http://collector.invalid'], {}],
      [['--token', token], { PLANTSTORE_URL: 'http://collector.invalid' }],
    ] as const)
      expect(await plantstore(replay(...flags), { cwd, env })).toMatchObject({ code: 4 })
    expect(await plantstore(replay('--token', token, '--target', url), { cwd })).toMatchObject({ code: 1 })
  })
})
