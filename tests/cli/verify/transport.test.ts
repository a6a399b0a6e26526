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

const few = ['--cases', '60', '--token', 'Tulip-7f3aC9-Garden']
const har = ['--har', 'plantstore-report/all.har']
const pem = (name: string): string =>
  fileURLToPath(new URL(`../../conformance/send/tls/${name}`, import.meta.url))

const everything = (folder: string): string =>
  filesIn(folder)
    .map(([, text]) => text)
    .join('\n')

const mock = () => createMock({ tokens: ['Tulip-7f3aC9-Garden'] })

/** The mock behind TLS; `asks`: only for clients with a certificate of ours. */
const startTls = async (asks: boolean) => {
  const behind = await mock()
  const sockets = new Set<Socket>()
  const options = {
    cert: readFileSync(pem('server.pem')),
    key: readFileSync(pem('server.key')),
    ca: readFileSync(pem('ca.pem')),
    requestCert: asks,
    rejectUnauthorized: asks,
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
  test('is told the whole URL of an http server, and its password is in nothing that is written', () =>
    during(startProxy('Fern-Pa55word'), proxy =>
      during(mock(), async ({ url }) => {
        const cwd = emptyFolder()
        const withPassword = proxy.url.replace('//', '//me:Fern-Pa55word@')
        const run = await plantstore(
          ['verify', url, ...few, '--wire', '--proxy', withPassword, '--report', 'all', ...har, '-v'],
          { cwd },
        )
        expect(run).toMatchObject({ code: 0 })
        const lines = new Set(proxy.seen.map(({ line }) => line))
        expect(lines).toContain(`POST ${url}/plants`)
        // Bytes that no proxy would pass on as they are go through a tunnel.
        expect(lines).toContain(`CONNECT ${new URL(url).host}`)
        const told = run.stdout + run.stderr + everything(join(cwd, 'plantstore-report'))
        expect(told).toContain(`through the proxy ${proxy.url}`)
        expect(told).not.toContain('Pa55word')
        expect(told).not.toContain(Buffer.from('me:Fern-Pa55word').toString('base64'))
      }),
    ))

  test('is named by the environment, but not for this machine', () =>
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
        const direct = await plantstore(['verify', 'http://store.invalid', ...few, '--timeout', '2s'], {
          env: { ...env, NO_PROXY: 'store.invalid' },
        })
        expect(direct.stdout).toContain('ENOTFOUND')
      }),
    ))

  test('that wants other credentials, or is not there, is told as that, and not as the server’s doing', () =>
    during(startProxy('right'), proxy =>
      during(mock(), async ({ url }) => {
        for (const target of [url, 'https://store.invalid']) {
          const { code, stdout } = await plantstore(['verify', target, ...few, '--proxy', proxy.url])
          expect({ code, stdout }).toMatchObject({ code: 4 })
          expect(stdout).toContain(`the proxy ${proxy.url}`)
          expect(stdout).toContain('asks for credentials (407)')
        }
        const dead = await deadUrl()
        const { code, stdout } = await plantstore(['verify', url, ...few, '--proxy', dead])
        expect(code).toBe(4)
        expect(stdout).toContain(`the proxy ${dead}: connect ECONNREFUSED`)
      }),
    ))
})

describe('certificates', () => {
  test('are trusted by --ca, also through a proxy, and not without it; --insecure says so loudly', () =>
    during(startProxy(), proxy =>
      during(startTls(false), async ({ url }) => {
        const trusted = await plantstore(['verify', url, ...few, '--ca', pem('ca.pem'), '--wire'])
        expect(trusted).toMatchObject({ code: 0 })
        const through = await plantstore(['verify', url, ...few, '--ca', pem('ca.pem'), '--proxy', proxy.url])
        expect(through).toMatchObject({ code: 0 })
        expect(new Set(proxy.seen.map(({ line }) => line))).toEqual(new Set([`CONNECT ${new URL(url).host}`]))
        const without = await plantstore(['verify', url, ...few])
        expect(without.code).toBe(4)
        expect(without.stdout).toMatch(/certificate/)
        const insecure = await plantstore(['verify', url, ...few, '--insecure'])
        expect(insecure).toMatchObject({ code: 0, stderr: expect.stringContaining('warning: --insecure') })
        expect(insecure.stdout).toContain('the server’s certificate was not checked')
      }),
    ))

  test('of the client are shown to a server that asks for them', () =>
    during(startTls(true), async ({ url }) => {
      const trust = ['--ca', pem('ca.pem')]
      const own = ['--cert', pem('client.pem'), '--key', pem('client.key')]
      expect(await plantstore(['verify', url, ...few, ...trust, ...own])).toMatchObject({ code: 0 })
      const { code, stdout } = await plantstore(['verify', url, ...few, ...trust])
      expect(code).toBe(4)
      expect(stdout).toMatch(/certificate required/)
    }))

  test.each([
    [['--ca', 'gone.pem'], '--ca gone.pem cannot be read (ENOENT)'],
    [['--ca', 'folder'], '--ca folder cannot be read (EISDIR)'],
    [
      ['--ca', 'text'],
      '--ca text holds no certificate: it must be PEM, beginning with -----BEGIN CERTIFICATE-----',
    ],
    [['--cert', pem('client.pem')], '--cert and --key belong together: give --key as well'],
    [['--key', pem('client.key')], '--cert and --key belong together: give --cert as well'],
    [
      ['--cert', pem('client.pem'), '--key', 'text'],
      '--key text holds no private key: it must be PEM, beginning with -----BEGIN PRIVATE KEY-----',
    ],
    [
      ['--cert', pem('client.pem'), '--key', 'locked'],
      '--key locked holds a key under a passphrase: give it without one',
    ],
    [
      ['--cert', pem('client.pem'), '--key', pem('server.key')],
      `--key ${pem('server.key')} is not the key of the certificate in --cert ${pem('client.pem')}`,
    ],
  ])('that cannot be used are told by their file: %j', async (flags, message) => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'text'), 'hello')
    writeFileSync(join(cwd, 'locked'), '-----BEGIN ENCRYPTED PRIVATE KEY-----\n')
    mkdirSync(join(cwd, 'folder'))
    const run = await plantstore(['verify', 'https://store.invalid', ...flags], { cwd })
    expect(run).toEqual({ code: 2, stdout: '', stderr: `plantstore: ${message}\n` })
  })
})

describe('an extra header', () => {
  test('goes with every request, its value in nothing that is written; replay asks for it, curl takes it from the environment', async () => {
    const { respond } = (await import('../../broken-servers/store/store.ts')).lawfulParts
    const store = storeWith({
      // A gateway that wants a key, and gives it back.
      respond: (answer, asked) =>
        asked.request.headers['x-gate'] === 'Sesame-41-Open'
          ? respond({ ...answer, headers: { ...answer.headers, 'x-seen': 'Sesame-41-Open' } }, asked)
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
      const told = run.stdout + run.stderr + everything(join(cwd, 'plantstore-report'))
      expect(told).not.toContain('Sesame')
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
      expect(again.stdout).toContain('BROKEN')
      expect(again.stdout).not.toContain('Sesame')
    })
  })

  const invalid = (header: string, why: string): string =>
    `plantstore: option '--header <header>' argument '${header}' is invalid. ${why}`
  test.each([
    ['Authorization: x', 'Authorization is what is tested: it cannot be given for every request.'],
    ['content-type: x', 'content-type is what is tested: it cannot be given for every request.'],
    ['Host: x', 'Host is what is tested: it cannot be given for every request.'],
    ['X-Key', "It must be a name and a value, such as 'X-Key: 1'."],
    ['X Key: 1', "It must be a name and a value, such as 'X-Key: 1'."],
    ['X-Key: a\r\nX-More: b', "It must be a name and a value, such as 'X-Key: 1'."],
  ])('that is what is tested, or none, is refused: %j', async (header, why) => {
    const { code, stderr } = await plantstore(['verify', '--header', header])
    expect(code).toBe(2)
    expect(stderr).toContain(invalid(header, why))
  })
})

describe('a server that is not there yet', () => {
  test('is waited for, and then verified', async () => {
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

  test('is told when it does not come in time, and the reports are written', async () => {
    const cwd = emptyFolder()
    const { code, stdout } = await plantstore(['verify', await deadUrl(), '--wait-for', '600ms'], { cwd })
    expect(code).toBe(4)
    expect(stdout).toMatch(/no answer within 0\.6 s \(connect ECONNREFUSED .*\): is the server running there/)
    expect(readdirSync(join(cwd, 'plantstore-report'))).toContain('junit.xml')
  })
})

test('--rate holds for all requests of a run', () =>
  during(brokenStore('takes-null-name'), async ({ url, token }) => {
    const cwd = emptyFolder()
    await plantstore(['verify', url, '--token', token, '--cases', '40', '--rate', '100'], { cwd })
    const end =
      readFileSync(join(cwd, 'plantstore-report/ledger.ndjson'), 'utf8').trim().split('\n').at(-1) ?? ''
    const { requests, ms } = JSON.parse(end) as { requests: number; ms: number }
    expect(requests).toBeGreaterThan(60)
    expect((requests - 1) / (ms / 1000)).toBeLessThan(104)
  }))
