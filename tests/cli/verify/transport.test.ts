/** How a server is reached: proxies, certificates, extra headers, waiting. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { filesIn } from '../../folder.ts'
import { during, emptyFolder, plantstore, start } from '../command.ts'
import { startProxy } from '../proxy-server.ts'
import { brokenStore, deadUrl, storeWith } from '../servers.ts'

const few = ['--cases', '60', '--allow-partial', '--token', 'Tulip-7f3aC9-Garden']
const har = ['--har', 'plantstore-report/all.har']
const pem = (name: string): string =>
  fileURLToPath(new URL(`../../conformance/send/tls/${name}`, import.meta.url))

const textsIn = (folder: string): string =>
  filesIn(folder)
    .map(([, text]) => text)
    .join('\n')

const mock = () => createMock({ tokens: ['Tulip-7f3aC9-Garden'] })

/** The mock behind TLS; `mutual`: only for clients with a certificate. */
const startTls = async (mutual: boolean) => {
  const behind = await mock()
  const sockets = new Set<Socket>()
  const options = {
    cert: readFileSync(pem('server.pem')),
    key: readFileSync(pem('server.key')),
    ca: readFileSync(pem('ca.pem')),
    requestCert: mutual,
    rejectUnauthorized: mutual,
    allowHalfOpen: true,
  }
  const server = createServer(options, socket => {
    const onward = connect({ port: Number(new URL(behind.url).port), host: '127.0.0.1', allowHalfOpen: true })
    for (const each of [socket, onward]) {
      sockets.add(each)
      each.on('error', () => each.destroy())
    }
    socket.pipe(onward).pipe(socket)
  })
  server.on('tlsClientError', () => {})
  server.on('connection', socket => sockets.add(socket))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>(resolve => {
        server.close(() => resolve())
      })
      await behind.close()
    },
  }
}

describe('a proxy', () => {
  test('gets the whole URL of an http server, and its password is in no output', () =>
    during(startProxy('Fern-Pa55word'), proxy =>
      during(mock(), async ({ url }) => {
        const cwd = emptyFolder()
        const withPassword = proxy.url.replace('//', '//me:Fern-Pa55word@')
        const run = await plantstore(
          [
            'verify',
            url,
            ...few,
            '--malformed-http',
            '--proxy',
            withPassword,
            '--report',
            'all',
            ...har,
            '-v',
          ],
          { cwd },
        )
        expect(run).toMatchObject({ code: 0 })
        const lines = new Set(proxy.seen.map(({ line }) => line))
        expect(lines).toContain(`POST ${url}/plants`)
        // Malformed bytes go through a tunnel, as no proxy would forward them unchanged.
        expect(lines).toContain(`CONNECT ${new URL(url).host}`)
        const output = run.stdout + run.stderr + textsIn(join(cwd, 'plantstore-report'))
        expect(output).toContain(`through the proxy ${proxy.url}`)
        expect(output).not.toContain('Pa55word')
        expect(output).not.toContain(Buffer.from('me:Fern-Pa55word').toString('base64'))
      }),
    ))

  test('is taken from the environment, but not for this machine', () =>
    during(startProxy(), proxy =>
      during(mock(), async ({ url }) => {
        const env = { HTTP_PROXY: proxy.url }
        expect(await plantstore(['verify', url, ...few], { env })).toMatchObject({ code: 0 })
        expect(proxy.seen).toEqual([])
        const elsewhere = await plantstore(['verify', 'http://store.invalid', ...few, '--timeout', '2s'], {
          env,
        })
        expect(elsewhere.code).not.toBe(0)
        expect(proxy.seen[0]?.line).toBe('POST http://store.invalid/plants')
        const direct = await plantstore(['verify', 'http://store.invalid', ...few, '--timeout', '20s'], {
          env: { ...env, NO_PROXY: 'store.invalid' },
        })
        expect(direct.stdout).toContain('ENOTFOUND')
      }),
    ))

  test('that rejects the credentials, or does not listen, is reported as such, and not as a failure of the server', () =>
    during(startProxy('right'), proxy =>
      during(mock(), async ({ url }) => {
        for (const target of [url, 'https://store.invalid']) {
          const { code, stdout } = await plantstore(['verify', target, ...few, '--proxy', proxy.url])
          expect({ code, stdout }).toMatchObject({ code: 4 })
          expect(stdout).toContain(`the proxy ${proxy.url}`)
          expect(stdout).toContain('requires credentials (407): give them in its URL')
        }
        const dead = await deadUrl()
        const { code, stdout } = await plantstore(['verify', url, ...few, '--proxy', dead])
        expect(code).toBe(4)
        expect(stdout).toContain(`the proxy ${dead}: connect ECONNREFUSED`)
      }),
    ))
})

describe('certificates', () => {
  test('are trusted with --ca, also through a proxy, but not without; --insecure prints a warning', () =>
    during(startProxy(), proxy =>
      during(startTls(false), async ({ url }) => {
        const trusted = await plantstore(['verify', url, ...few, '--ca', pem('ca.pem'), '--malformed-http'])
        expect(trusted).toMatchObject({ code: 0 })
        const through = await plantstore(['verify', url, ...few, '--ca', pem('ca.pem'), '--proxy', proxy.url])
        expect(through).toMatchObject({ code: 0 })
        expect(new Set(proxy.seen.map(({ line }) => line))).toEqual(new Set([`CONNECT ${new URL(url).host}`]))
        const without = await plantstore(['verify', url, ...few])
        expect(without.code).toBe(4)
        expect(without.stdout).toMatch(/certificate/)
        const insecure = await plantstore(['verify', url, ...few, '--insecure'])
        expect(insecure).toMatchObject({ code: 0, stderr: expect.stringContaining('warning: --insecure') })
        expect(insecure.stdout).toContain('--insecure: the certificate was not verified')
      }),
    ))

  test('of the client are sent to a server that requires them', () =>
    during(startTls(true), async ({ url }) => {
      const trust = ['--ca', pem('ca.pem')]
      const own = ['--cert', pem('client.pem'), '--key', pem('client.key')]
      expect(await plantstore(['verify', url, ...few, ...trust, ...own])).toMatchObject({ code: 0 })
      const { code, stdout } = await plantstore(['verify', url, ...few, ...trust])
      expect(code).toBe(4)
      expect(stdout).toMatch(/certificate required/)
    }))

  test.concurrent.each([
    [['--ca', 'gone.pem'], '--ca gone.pem cannot be read (ENOENT)'],
    [['--ca', 'folder'], '--ca folder cannot be read (EISDIR)'],
    [
      ['--ca', 'text'],
      '--ca text has no certificate: it must be PEM and begin with -----BEGIN CERTIFICATE-----',
    ],
    [['--cert', pem('client.pem')], '--cert and --key belong together: also give --key'],
    [['--key', pem('client.key')], '--cert and --key belong together: also give --cert'],
    [
      ['--cert', pem('client.pem'), '--key', 'text'],
      '--key text has no private key: it must be PEM and begin with -----BEGIN PRIVATE KEY-----',
    ],
    [
      ['--cert', pem('client.pem'), '--key', 'locked'],
      '--key locked has an encrypted key: give it without a passphrase',
    ],
    [
      ['--cert', pem('client.pem'), '--key', pem('server.key')],
      `--key ${pem('server.key')} is not the key of the certificate in --cert ${pem('client.pem')}`,
    ],
  ])('that cannot be used are reported with their file: %j', async (flags, message) => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'text'), 'hello')
    writeFileSync(join(cwd, 'locked'), '-----BEGIN ENCRYPTED PRIVATE KEY-----\n')
    mkdirSync(join(cwd, 'folder'))
    const run = await plantstore(['verify', 'https://store.invalid', ...flags], { cwd })
    expect(run).toEqual({ code: 2, stdout: '', stderr: `plantstore: ${message}\n` })
  })
})

describe('an extra header', () => {
  test('is sent with every request, with its value in no output; replay requires it, and curl takes it from the environment', async () => {
    const { respond } = (await import('../../broken-servers/store/store.ts')).lawfulParts
    const store = storeWith({
      // A gateway that requires a key, and echoes it.
      respond: (answer, exchange) =>
        exchange.request.headers['x-gate'] === 'Sesame-41-Open'
          ? respond({ ...answer, headers: { ...answer.headers, 'x-seen': 'Sesame-41-Open' } }, exchange)
          : { ...answer, status: 403, body: '{}' },
      id: value => typeof value === 'bigint' || typeof value === 'string',
    })
    await during(store, async ({ url, token }) => {
      const cwd = emptyFolder()
      const gate = ['--header', 'X-Gate: Sesame-41-Open']
      const run = await plantstore(
        ['verify', url, '--token', token, '--cases', '300', '--report', 'all', ...har, ...gate],
        { cwd },
      )
      expect(run.code).toBe(1)
      const output = run.stdout + run.stderr + textsIn(join(cwd, 'plantstore-report'))
      expect(output).not.toContain('Sesame')
      expect(run.stdout).toContain('-H "X-Gate: $X_GATE"')
      expect(run.stdout).toContain(`--header 'X-Gate: …'`)
      const id = /ledger\.ndjson (\w+) --header/.exec(run.stdout)?.[1] ?? ''
      const ledger = 'plantstore-report/ledger.ndjson'
      const without = await plantstore(['replay', ledger, id, '--token', token], { cwd })
      expect(without).toMatchObject({
        code: 2,
        stderr: "plantstore: the run sent an extra header X-Gate: give it with --header 'X-Gate: …'\n",
      })
      const again = await plantstore(['replay', ledger, id, '--token', token, ...gate], { cwd })
      expect(again.code).toBe(1)
      expect(again.stdout).toContain('FAILED')
      expect(again.stdout).not.toContain('Sesame')
    })
  })

  const invalid = (header: string, why: string): string =>
    `plantstore: option '--header <header>' argument '${header}' is invalid. ${why}`
  test.concurrent.each([
    ['Accept: x', 'The suite tests or sets Accept itself.'],
    ['content-type: x', 'The suite tests or sets content-type itself.'],
    ['Host: x', 'The suite tests or sets Host itself.'],
    ['X-Key', "It must be a name and a value, such as 'X-Key: 1'."],
    ['X Key: 1', "It must be a name and a value, such as 'X-Key: 1'."],
    ['X-Key: a\r\nX-More: b', "It must be a name and a value, such as 'X-Key: 1'."],
  ])('that the suite sets itself, or that is invalid, is rejected: %j', async (header, why) => {
    const { code, stderr } = await plantstore(['verify', '--header', header])
    expect(code).toBe(2)
    expect(stderr).toContain(invalid(header.replace('\r\n', '\\u000d\\u000a'), why))
  })
})

describe('a server that does not listen yet', () => {
  test('is verified once it answers', async () => {
    const free = await deadUrl()
    const waiting = start(['verify', free, ...few, '--wait-for', '20s'])
    await waiting.shows(/waiting up to 20 s/)
    const late = await createMock({ tokens: ['Tulip-7f3aC9-Garden'], port: Number(new URL(free).port) })
    try {
      expect(await waiting.ended).toMatchObject({ code: 0 })
    } finally {
      await late.close()
    }
  })

  test('is reported if it does not answer in time, and the reports are written', async () => {
    const cwd = emptyFolder()
    const { code, stdout } = await plantstore(['verify', await deadUrl(), '--wait-for', '600ms'], { cwd })
    expect(code).toBe(4)
    expect(stdout).toMatch(/no response within 0\.6 s \(connect ECONNREFUSED .*\)\. Is the server running/)
    expect(readdirSync(join(cwd, 'plantstore-report'))).toContain('junit.xml')
  })
})

test('--rate limits all requests of a run', () =>
  during(brokenStore('takes-null-name'), async ({ url, token }) => {
    const cwd = emptyFolder()
    await plantstore(['verify', url, '--token', token, '--cases', '40', '--rate', '100'], { cwd })
    const end =
      readFileSync(join(cwd, 'plantstore-report/ledger.ndjson'), 'utf8').trim().split('\n').at(-1) ?? ''
    const { requests, ms } = JSON.parse(end) as { requests: number; ms: number }
    expect(requests).toBeGreaterThan(60)
    expect((requests - 1) / (ms / 1000)).toBeLessThan(104)
  }))
