import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { allTested } from '../../conclusion-so-far.ts'
import { emptyFolder, plantstore, start } from '../command.ts'

const pem = (name: string): string =>
  fileURLToPath(new URL(`../../conformance/send/tls/${name}`, import.meta.url))

test('verify trusts a mock by the certificate that the mock wrote, also for malformed HTTP', async () => {
  const cwd = emptyFolder()
  const mock = start(['mock', '--port', '0', '--token', 'Tulip-7f3aC9', '--tls-cert-out', 'mock.pem'], {
    cwd,
  })
  const [, url = ''] = await mock.shows(/ at (https:\/\/127\.0\.0\.1:\d+)\n/)
  await mock.shows(/certificate SHA-256 (?:[0-9A-F]{2}:){31}[0-9A-F]{2}, valid until .*\n.*--ca mock\.pem\n/)
  const [, fingerprint = ''] = await mock.shows(/certificate SHA-256 ((?:[0-9A-F]{2}:){31}[0-9A-F]{2})/)
  const args = [
    'verify',
    url,
    '--cases',
    '600',
    ...allTested,
    '--malformed-http',
    '--strict',
    '--token',
    'Tulip-7f3aC9',
  ]
  const trusting = await plantstore([...args, '--ca', 'mock.pem', '--bundle', 'run.zip'], { cwd })
  expect(trusting.stdout).toMatch(/^PARTIAL: 600 of the 1,500 cases that the contract needs, nothing failed/m)
  expect(trusting.code).toBe(0)
  const sha256 = fingerprint.replaceAll(':', '').toLowerCase()
  const { run } = JSON.parse(readFileSync(join(cwd, 'plantstore-report/report.json'), 'utf8'))
  expect(run.certificates).toEqual([expect.objectContaining({ sha256, verified: true })])
  const checked = await plantstore(['bundle', 'verify', 'run.zip'], { cwd })
  expect(checked.stdout).toContain(`\n  server certificate: SHA-256 ${sha256}; subject `)
  expect((await plantstore(args, { cwd })).code).toBe(4)
  mock.kill('SIGTERM')
  expect((await mock.ended).code).toBe(143)
}, 30_000)

test.concurrent.each([
  [['--tls-cert', pem('server.pem')], '--tls-cert and --tls-key belong together: also give --tls-key'],
  [['--tls-key', pem('server.key')], '--tls-cert and --tls-key belong together: also give --tls-cert'],
  [['--tls-cert', 'none.pem', '--tls-key', pem('server.key')], '--tls-cert none.pem cannot be read (ENOENT)'],
  [
    ['--tls-cert', pem('server.key'), '--tls-key', pem('server.key')],
    `--tls-cert ${pem('server.key')} has no certificate: it must be PEM and begin with -----BEGIN CERTIFICATE-----`,
  ],
  [
    ['--tls-cert', pem('server.pem'), '--tls-key', pem('client.key')],
    `--tls-key ${pem('client.key')} is not the key of the certificate in --tls-cert ${pem('server.pem')}`,
  ],
  [['--tls-cert-out', 'none/mock.pem'], '--tls-cert-out none/mock.pem cannot be written (ENOENT)'],
])('%j is reported in one line, and the mock does not start', async (flags, message) => {
  const cwd = emptyFolder()
  const { code, stdout, stderr } = await plantstore(['mock', '--port', '0', ...flags], { cwd })
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `plantstore: ${message}\n` })
  expect(existsSync(join(cwd, 'mock.pem'))).toBe(false)
})
