/** `verify --listen`, from the command line. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { emptyFolder, plantstoreProcess as plantstore } from '../cli/command.ts'
import { freePort } from '../free-port.ts'
import { startSubscriptions, token } from './subscription-server.ts'

const spec = fileURLToPath(new URL('subscriptions.openapi.yaml', import.meta.url))

test('a run listens on the port, and a finding says how to see it again', async () => {
  const { url, close } = await startSubscriptions('twice')
  const cwd = emptyFolder()
  /** Another process may take a free port before the run does. */
  const run = async (tries: number): Promise<Awaited<ReturnType<typeof plantstore>> & { port: string }> => {
    const port = await freePort()
    const listen = [
      ...['--listen', port, '--callback-wait', '900ms'],
      ...['--public-url', `http://127.0.0.1:${port}/hooks`],
    ]
    const ended = await plantstore(
      [
        ...['verify', url, '--spec', spec, '--token', token, ...listen],
        ...['--seed', '1', '--cases', '30', '--strict'],
      ],
      { cwd },
    )
    return tries > 1 && ended.stderr.includes('cannot listen') ? run(tries - 1) : { ...ended, port }
  }
  try {
    const { code, stdout, stderr, port } = await run(3)
    expect(code).toBe(1)
    expect(stderr).not.toContain('not tested')
    expect(stdout).toContain('sent the callback ready again after a success')
    expect(stdout).toMatch(
      /request +POST \/subscriptions .*"callbackUrl":"http:\/\/127\.0\.0\.1:\d+\/hooks\//,
    )
    const again = `--listen 127.0.0.1:${port} --callback-wait 900ms --public-url http://127.0.0.1:${port}/hooks --only subscribe/callback/ready/once`
    expect(stdout).toContain(again)
    const ledger = join(cwd, 'plantstore-report', 'ledger.ndjson')
    const [, id = ''] = /"type":"finding","id":"([^"]+)"/.exec(readFileSync(ledger, 'utf8')) ?? []
    const replayed = await plantstore(['replay', ledger, id, '--spec', spec])
    expect(replayed.code).toBe(2)
    expect(replayed.stderr).toContain(
      `it is about a callback: listen for that again, with plantstore verify … --listen 127.0.0.1:${port} --only subscribe/callback/ready/once`,
    )
  } finally {
    await close()
  }
})

test.each([
  [
    ['--public-url', 'http://a.test'],
    '--public-url is of no use without --listen: add --listen 0 to listen for callbacks',
  ],
  [
    ['--callback-wait', '1s'],
    '--callback-wait is of no use without --listen: add --listen 0 to listen for callbacks',
  ],
  [['--listen', '70000'], 'It must be a port, or an address and a port, such as 0.0.0.0:9000.'],
  [
    ['--listen', '192.0.2.1:0'],
    'cannot listen for callbacks on 192.0.2.1:0 (EADDRNOTAVAIL): choose another address with --listen',
  ],
])('%j is refused', async (flags, message) => {
  const { code, stderr } = await plantstore(['verify', '--spec', spec, ...flags], { cwd: emptyFolder() })
  expect(code).toBe(2)
  expect(stderr).toContain(message)
})

test('the requirements of callbacks are listed and explained', async () => {
  const { stdout } = await plantstore(['obligations', '--spec', spec, '--callbacks'])
  expect(stdout).toContain('SHOULD  subscribe/callback/ready/sent  the callback ready comes after')
  const without = await plantstore(['obligations', '--spec', spec])
  expect(without.stdout).not.toContain('subscribe/callback/')
  const explained = await plantstore(['explain', 'subscribe/callback/ready/sent', '--spec', spec])
  expect(explained.stdout).toContain('What the server sends must be as the requirement says.')
})
