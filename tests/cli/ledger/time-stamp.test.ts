import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync, zipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import { askAuthority } from '../../../cli/handlers/bundle/time-stamp.ts'
import {
  type Authority,
  createAuthority,
  hasOpenssl,
  type Making,
  reply,
  type Serve,
  served,
} from '../../time-stamp-authority.ts'
import { during, emptyFolder, plantstore, plantstoreProcess } from '../command.ts'
import { deadUrl } from '../servers.ts'

const document = `
openapi: 3.1.0
info: { title: Small, version: '1' }
paths:
  /things:
    get: { responses: { '200': { description: all, content: { application/json: { schema: { type: boolean } } } } } }
`

const few = ['--spec', 'api.yaml', '--only', 'get-things/response', '--cases', '10']

describe.skipIf(!hasOpenssl)('bundle sign --timestamp-authority (skipped without OpenSSL)', () => {
  const cwd = emptyFolder()
  let authority: Authority
  const answering =
    (making?: Making): Serve =>
    (body, response) =>
      reply(response, authority.answer(body, making))
  const filesOf = (zip: string): Record<string, Uint8Array> => unzipSync(readFileSync(join(cwd, zip)))
  const bundle = (name: 'sign' | 'verify', zip: string, ...flags: readonly string[]) =>
    plantstore(['bundle', name, zip, ...flags], { cwd })
  const sign = (zip: string, ...flags: readonly string[]) =>
    bundle('sign', zip, '--key', 'vendor.private.pem', ...flags)
  const unsigned = (name: string): string => {
    copyFileSync(join(cwd, 'run.zip'), join(cwd, name))
    return name
  }
  const trusted = (): readonly string[] => ['--timestamp-ca', authority.caFile]

  beforeAll(async () => {
    authority = createAuthority()
    // A small one: every check of a bundle writes all its reports again.
    writeFileSync(join(cwd, 'api.yaml'), document)
    await plantstore(['verify', ...few, '--seed', '1', '--bundle', 'run.zip'], { cwd })
    await plantstore(['bundle', 'keygen', '--out', 'vendor'], { cwd })
    await plantstore(['bundle', 'keygen', '--out', 'buyer'], { cwd })
    await during(served(answering()), async ({ url }) => {
      const { code, stdout } = await sign(unsigned('stamped.zip'), '--timestamp-authority', url, ...trusted())
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringMatching(
          /^written: stamped\.zip\nsigned by \w+\ntime stamp of 2\S+Z by O=Example, CN=Example authority, whose certificate leads to O=Example, CN=Example root\n$/,
        ),
      })
    })
  })

  test('asks over HTTP as RFC 3161 says, and OpenSSL accepts the stored answer', async () => {
    const headers: unknown[] = []
    const serve: Serve = (body, response, { method, headers: { 'content-type': type } }) => {
      headers.push([method, type])
      reply(response, authority.answer(body))
    }
    await during(served(serve), ({ url }) => sign(unsigned('asked.zip'), '--timestamp-authority', url))
    expect(headers).toEqual([['POST', 'application/timestamp-query']])
    const { 'manifest.json': manifest = '', 'timestamp.tsr': answer = '' } = filesOf('asked.zip')
    writeFileSync(join(cwd, 'manifest.json'), manifest)
    writeFileSync(join(cwd, 'timestamp.tsr'), answer)
    const args = [
      'ts',
      '-verify',
      '-data',
      'manifest.json',
      '-in',
      'timestamp.tsr',
      '-CAfile',
      authority.caFile,
    ]
    expect(execFileSync('openssl', args, { cwd, encoding: 'utf8', stdio: 'pipe' })).toContain('OK')
  })

  test('verify prints the time, the authority, and whether its certificate was checked', async () => {
    const stamp = / {2}time stamp of 2\S+Z by O=Example, CN=Example authority(.*)\n$/
    const checked = await bundle('verify', 'stamped.zip', ...trusted())
    expect(checked).toMatchObject({ code: 0, stdout: expect.stringContaining('INTACT ') })
    expect(stamp.exec(checked.stdout)?.[1]).toBe(', whose certificate leads to O=Example, CN=Example root')
    const unchecked = await bundle('verify', 'stamped.zip')
    expect(unchecked.code).toBe(0)
    expect(stamp.exec(unchecked.stdout)?.[1]).toBe(
      ', unchecked: its certificate leads to none of the roots of Node.js (give its root with --timestamp-ca)',
    )
    // Its roots are read once, when it starts.
    const env = { NODE_EXTRA_CA_CERTS: authority.caFile }
    const byRoots = await plantstoreProcess(['bundle', 'verify', 'stamped.zip'], { cwd, env })
    expect(stamp.exec(byRoots.stdout)?.[1]).toBe(', whose certificate leads to O=Example, CN=Example root')
  })

  test('verify --timestamp-ca fails without a time stamp, and with another root', async () => {
    const another = createAuthority()
    const tries = [
      ['run.zip', authority.caFile, 'timestamp.tsr: it is missing: this bundle has no time stamp'],
      [
        'stamped.zip',
        another.caFile,
        'timestamp.tsr: its certificate leads to none of the given certificates',
      ],
    ] as const
    for (const [zip, caFile, problem] of tries) {
      const { code, stdout } = await bundle('verify', zip, '--timestamp-ca', caFile)
      expect({ code, stdout }).toEqual({
        code: 1,
        stdout: expect.stringContaining(`  ${problem}\nNOT INTACT\n`),
      })
    }
  })

  test('another signature leaves the time stamp as it is, and no second one is asked for', async () => {
    copyFileSync(join(cwd, 'stamped.zip'), join(cwd, 'both.zip'))
    expect((await bundle('sign', 'both.zip', '--key', 'buyer.private.pem')).code).toBe(0)
    expect(filesOf('both.zip')['timestamp.tsr']).toEqual(filesOf('stamped.zip')['timestamp.tsr'])
    expect((await bundle('verify', 'both.zip', '--key', 'vendor.public.pem', ...trusted())).code).toBe(0)
    const again = await sign('both.zip', '--timestamp-authority', await deadUrl())
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^plantstore: both\.zip has a time stamp of 2/),
    })
  })

  test('a time stamp that was changed, or is of another bundle, is one line and no intact bundle', async () => {
    await plantstore(['verify', ...few, '--seed', '2', '--bundle', 'second.zip'], { cwd })
    await during(served(answering()), ({ url }) => sign('second.zip', '--timestamp-authority', url))
    const foreign = filesOf('second.zip')['timestamp.tsr'] ?? Buffer.of()
    const changed = Uint8Array.from(filesOf('stamped.zip')['timestamp.tsr'] ?? [])
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1
    for (const [answer, problem] of [
      [foreign, 'it is of another content, and not of manifest.json'],
      [
        changed,
        'its signature is not valid: the time stamp was changed, or is not by O=Example, CN=Example authority',
      ],
      [Buffer.from('2026-11-21'), 'it is not the answer of a time-stamping authority (RFC 3161): '],
    ] as const) {
      const files = { ...filesOf('stamped.zip'), 'timestamp.tsr': answer }
      writeFileSync(join(cwd, 'forged.zip'), zipSync(files, { level: 6, mtime: new Date(1980, 0, 1) }))
      for (const flags of [[], trusted()]) {
        const { code, stdout } = await bundle('verify', 'forged.zip', ...flags)
        expect({ code, stdout }).toMatchObject({
          code: 1,
          stdout: expect.stringContaining(`\n  timestamp.tsr: ${problem}`),
        })
        expect(stdout).toMatch(/\n {2}timestamp\.tsr: .*\nNOT INTACT\n$/)
      }
      expect((await sign('forged.zip')).code).toBe(1)
    }
  })

  test.each<readonly [string, Serve, string]>([
    ['refuses', answering({ accepts: 'sha512' }), 'the authority has refused (status 2, '],
    [
      'answers a page',
      (_, response) => response.writeHead(503, { 'content-type': 'text/html' }).end('<p>'),
      'it answered 503 with text/html instead of ',
    ],
    [
      'redirects',
      (_, response) => response.writeHead(302, { location: '/' }).end(),
      'it answered 302 with no content type',
    ],
    ['hangs up', (_, response) => response.destroy(), 'it did not answer (ECONNRESET)'],
    [
      'answers endlessly',
      (_, response) => response.writeHead(200).end(Buffer.alloc(2_000_000)),
      'it did not answer (its answer has more than 1 MiB)',
    ],
    [
      'answers rubbish',
      (_, response) => reply(response, Buffer.from('\u001b[31mgranted')),
      'it is not the answer of a time-stamping authority',
    ],
    [
      'gives an old answer',
      (_, response) => reply(response, filesOf('stamped.zip')['timestamp.tsr'] ?? Buffer.of()),
      'it answers another request: its nonce differs',
    ],
    [
      'has a wrong certificate',
      answering({ other: { usage: 'critical,serverAuth' } }),
      'is not one for time stamps only',
    ],
  ])(
    'if the authority %s, the bundle is signed without, in one line, and the exit code is 4',
    async (_, serve, problem) => {
      await during(served(serve), async ({ url }) => {
        const { code, stdout, stderr } = await sign(unsigned('refused.zip'), '--timestamp-authority', url)
        expect({ code, stdout }).toEqual({
          code: 4,
          stdout: expect.stringMatching(/^written: .*\nsigned by .*\n$/),
        })
        expect(stderr).toMatch(/^plantstore: no time stamp by 127[^\n\u001b]* \(sign again to ask again\)\n$/)
        expect(stderr).toContain(` by ${new URL(url).host}: `)
        expect(stderr).toContain(problem)
      })
      expect(Object.keys(filesOf('refused.zip'))).not.toContain('timestamp.tsr')
      expect((await bundle('verify', 'refused.zip', '--key', 'vendor.public.pem')).code).toBe(0)
    },
  )

  test('if nobody answers, the bundle is signed without, and can be signed again for the time', async () => {
    const { code, stderr } = await sign(unsigned('late.zip'), '--timestamp-authority', await deadUrl())
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining('it did not answer (ECONNREFUSED)'),
    })
    await during(served(answering()), async ({ url }) => {
      expect((await sign('late.zip', '--timestamp-authority', url)).code).toBe(0)
    })
    expect((await bundle('verify', 'late.zip', '--key', 'vendor.public.pem', ...trusted())).code).toBe(0)
  })

  test('--timestamp-ca alone, and a file that is no certificate, are a wrong use', async () => {
    writeFileSync(join(cwd, 'empty.pem'), '')
    expect(await sign('run.zip', ...trusted())).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('also give --timestamp-authority'),
    })
    expect(await bundle('verify', 'run.zip', '--timestamp-ca', 'empty.pem')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--timestamp-ca empty.pem has no certificate'),
    })
  })
})

test.each<readonly [string, Serve]>([
  ['never', () => {}],
  ['in part', (_, response) => response.writeHead(200).write('0')],
])('an authority that answers %s is not waited for', async (_, serve) => {
  await during(served(serve), async ({ url }) => {
    await expect(askAuthority(new URL(url), Buffer.of(0x30), 0.1)).rejects.toThrow(
      'it did not answer within 0.1 s',
    )
  })
})
