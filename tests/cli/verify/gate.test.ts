/** A gate is not green unless a server was named, answered, and was tested. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rawServer, responseText } from '../../conformance/send/raw-server.ts'
import { during, emptyFolder, plantstore } from '../command.ts'
import { brokenStore, deadUrl, storeWith } from '../servers.ts'

const ledger = 'plantstore-report/ledger.ndjson'

test.each([{ CI: 'true' }, { CI: '1', PLANTSTORE_URL: '' }])(
  'in CI a run without a URL is refused: %o',
  async env => {
    expect(await plantstore(['verify', '--cases', '5'], { env })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'plantstore: there is no URL, and CI is set: name the server (argument, PLANTSTORE_URL or url in the configuration), or embedded-mock\n',
    })
  },
)

test('in CI the embedded mock can be named', async () => {
  const args = ['--cases', '5', '--allow-partial']
  const { code } = await plantstore(['verify', 'embedded-mock', ...args], { env: { CI: 'true' } })
  expect(code).toBe(0)
  const named = { CI: 'true', PLANTSTORE_URL: 'embedded-mock' }
  expect((await plantstore(['verify', ...args], { env: named })).code).toBe(0)
})

test('--min-tested accepts a partial run that tested enough, and reports say so', async () => {
  const cwd = emptyFolder()
  const run = (share: string) =>
    plantstore(['verify', '--cases', '100', '--seed', '1', '--min-tested', share, '--report', 'github'], {
      cwd,
    })
  const enough = await run('0.5')
  expect(enough.code).toBe(0)
  expect(enough.stdout).toMatch(/^PARTIAL: /m)
  const less = await run('0.999')
  expect(less.code).toBe(4)
  expect((await plantstore(['report', ledger, '--min-tested', '0.5'], { cwd })).code).toBe(0)
  expect((await run('1.5')).code).toBe(2)
})

test('a missing check of credentials is found with 60 cases', async () => {
  await during(brokenStore('checks-no-credentials'), async ({ url, token }) => {
    const { code, stdout } = await plantstore([
      'verify',
      url,
      '--token',
      token,
      '--cases',
      '60',
      '--seed',
      '1',
    ])
    expect(code).toBe(1)
    expect(stdout).toContain('accepted a request without credentials')
  })
})

test('--wait-for does not take a 503 for a server that is up', async () => {
  let requests = 0
  const starting = await rawServer(({ socket }) => {
    requests += 1
    socket.write(responseText(503, 'starting'))
  })
  const { code, stdout, stderr } = await plantstore(['verify', starting.url.href, '--wait-for', '600ms'])
  expect(code).toBe(4)
  expect(stdout + stderr).toContain('no response within 0.6 s (the last one was 503)')
  expect(requests).toBeGreaterThan(1)
})

test('diff exits with 4 if the newer run could not judge, or judges less', async () => {
  const cwd = emptyFolder()
  const args = ['--cases', '150', '--seed', '1']
  await during(storeWith({}), async ({ url, token }) => {
    for (const [name, only] of [
      ['whole', 'createPlant/auth'],
      ['less', 'createPlant/auth/absent'],
    ] as const) {
      await plantstore(['verify', url, '--token', token, '--only', only, ...args], { cwd })
      cpSync(join(cwd, ledger), join(cwd, `${name}.ndjson`))
    }
  })
  await plantstore(['verify', await deadUrl()], { cwd })
  const diff = (...rest: readonly string[]) => plantstore(['diff', ...rest], { cwd })
  const less = await diff('whole.ndjson', 'less.ndjson')
  expect(less.code).toBe(4)
  expect(less.stdout).toMatch(/BUT \d+ REQUIREMENTS ARE NO LONGER JUDGED/)
  expect((await diff('whole.ndjson', 'less.ndjson', '--allow-partial')).code).toBe(0)
  expect((await diff('whole.ndjson', 'whole.ndjson')).code).toBe(0)
  expect((await diff('less.ndjson', ledger)).code).toBe(4)
  const none = await diff(ledger, ledger)
  expect(none.code).toBe(4)
  expect(none.stdout).toContain('BUT THE NEW RUN IS INCONCLUSIVE')
})
