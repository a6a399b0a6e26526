import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { plantStoreDocument } from '../../../spec/index.ts'
import { during, emptyFolder, plantstore, start } from '../command.ts'
import { brokenStore, deadUrl, echoingStore, slowStore, storeWith } from '../servers.ts'

const filesOf = (zip: string): Readonly<Record<string, Uint8Array>> => unzipSync(readFileSync(zip))
const textOf = (zip: string, name: string): string => new TextDecoder().decode(filesOf(zip)[name])

describe('verify --bundle', () => {
  test('writes a bundle without the token in any form, although the server echoes it', () =>
    during(echoingStore({ authenticate: () => true }), async ({ url }) => {
      const cwd = emptyFolder()
      const token = 'Tulip/7f3aC9+Garden=='
      const extra = 'Hush-5d1e77-Header'
      const { code, stderr } = await plantstore(
        [
          'verify',
          url,
          '--bundle',
          'run.zip',
          '--cases',
          '60',
          '--header',
          `X-Gate: ${extra}`,
          '--seed',
          '7',
        ],
        { cwd, env: { PLANTSTORE_TOKEN: token } },
      )
      expect({ code, stderr }).toMatchObject({ code: 1 })
      const zip = join(cwd, 'run.zip')
      const all = [readFileSync(zip), ...Object.values(filesOf(zip)).map(file => Buffer.from(file))]
      for (const secret of [token, extra])
        for (const trace of [
          secret,
          encodeURIComponent(secret),
          Buffer.from(secret).toString('base64'),
          // In base64, one or two bytes later.
          Buffer.from(`x${secret}`).toString('base64').slice(2, -4),
          Buffer.from(`xx${secret}`).toString('base64').slice(3, -4),
        ])
          expect(all.some(file => file.includes(trace))).toBe(false)
      // The server did echo it.
      expect(textOf(zip, 'ledger.ndjson')).toMatch(/x-seen","[^"]*\{\{token\}\}/i)
      const settings = JSON.parse(textOf(zip, 'configuration.json')) as readonly unknown[]
      for (const setting of [
        { name: 'url', value: new URL(url).href, origin: 'argument' },
        { name: '--seed', value: 7, origin: 'flag' },
        { name: '--concurrency', value: 128, origin: 'default' },
        { name: '--token', value: '{{token}}', origin: 'PLANTSTORE_TOKEN' },
        { name: '--header', value: ['X-Gate'], origin: 'flag' },
      ])
        expect(settings).toContainEqual(expect.objectContaining(setting))
      expect((await plantstore(['bundle', 'verify', 'run.zip'], { cwd })).code).toBe(0)
    }))

  test('leaves out a contract that contains the token, and reports that', async () => {
    const cwd = emptyFolder()
    const token = 'Tulip-7f3aC9-Garden'
    const store = readFileSync(plantStoreDocument, 'utf8')
    writeFileSync(join(cwd, 'api.yaml'), store.replace('info:\n', `info:\n  x-try: ${token}\n`))
    const run = await plantstore(
      [
        'verify',
        '--spec',
        'api.yaml',
        '--token',
        token,
        '--cases',
        '60',
        '--allow-partial',
        '--bundle',
        'run.zip',
      ],
      { cwd },
    )
    expect(run).toMatchObject({ code: 0 })
    expect(Object.keys(filesOf(join(cwd, 'run.zip')))).not.toContain('contract.json')
    const { code, stdout } = await plantstore(['bundle', 'verify', 'run.zip'], { cwd })
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('contract.json was never part of it: it contains the token'),
    })
  })

  test('says what was tested, by whom, and whether the requests follow from the nonce', () =>
    during(storeWith({}), async ({ url, token }) => {
      const cwd = emptyFolder()
      const args = [
        'verify',
        url,
        '--token',
        token,
        '--cases',
        '10',
        '--allow-partial',
        '--bundle',
        'run.zip',
      ]
      const given = ['--subject', 'name=<b>Garden</b>', '--subject', 'commit=abc', '--run-by', 'Jane']
      const run = await plantstore([...args, ...given, '--nonce', 'hello'], { cwd })
      expect(run).toMatchObject({ code: 0, stderr: expect.not.stringContaining('nonce') })
      const { code, stdout } = await plantstore(['bundle', 'verify', 'run.zip'], { cwd })
      const [first, ...rest] = stdout.split('\n')
      expect(code).toBe(0)
      expect(first).toMatch(
        /^run\.zip: <b>Garden<\/b>, tested against Plant Store 1\.0\.0, PARTIAL.*, seed 377038557, derived from the nonce$/,
      )
      expect(rest.slice(0, 4)).toEqual([
        '  product name: <b>Garden</b>',
        '  product commit: abc',
        '  run by: Jane',
        '  nonce: hello',
      ])
      const chosen = await plantstore([...args, '--nonce', 'hello', '--seed', '1'], { cwd })
      expect(chosen.stderr).toContain('not from the nonce: leave the seed out\n')
    }))

  test('writes it after an interrupted run', () =>
    during(slowStore(15), async ({ url, token }) => {
      const cwd = emptyFolder()
      const args = ['verify', url, '--token', token, '--cases', '400', '--concurrency', '4']
      const run = start([...args, '--bundle', 'run.zip'], { cwd })
      await run.shows(/ 25 %/)
      run.kill('SIGINT')
      expect((await run.ended).code).toBe(130)
      expect(JSON.parse(textOf(join(cwd, 'run.zip'), 'manifest.json')).run.stopped).toBe('interrupt')
      expect((await plantstore(['bundle', 'verify', 'run.zip'], { cwd })).code).toBe(0)
    }))

  test('writes it if the server cannot be reached', async () => {
    const cwd = emptyFolder()
    const { code } = await plantstore(['verify', await deadUrl(), '--bundle', 'run.zip'], { cwd })
    expect(code).toBe(4)
    expect(JSON.parse(textOf(join(cwd, 'run.zip'), 'manifest.json')).run).toMatchObject({
      stopped: 'unreachable',
      verdict: expect.stringMatching(/^INCONCLUSIVE /),
    })
  })

  test('reports that the file cannot be written before anything is sent', async () => {
    const cwd = emptyFolder()
    const { code, stderr } = await plantstore(['verify', '--bundle', 'no/such/run.zip'], { cwd })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'plantstore: the bundle no/such/run.zip cannot be written (ENOENT): choose another with --bundle\n',
    })
  })
})

describe('bundle make, keygen, sign and verify', () => {
  const cwd = emptyFolder()
  const ledger = join(cwd, 'plantstore-report/ledger.ndjson')

  test('make writes a bundle with the ledger and the contract', async () => {
    await plantstore(['verify', '--cases', '60', '--seed', '1'], { cwd })
    const { code, stdout } = await plantstore(['bundle', 'make', ledger, '--out', 'run.zip'], { cwd })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'written: run.zip\n' })
    expect(Object.keys(filesOf(join(cwd, 'run.zip')))).toContain('contract.json')
    expect(
      Buffer.from(filesOf(join(cwd, 'run.zip'))['ledger.ndjson'] ?? []).equals(readFileSync(ledger)),
    ).toBe(true)
  })

  test('a bundle of a document with an overlay, and with parts that are not tested, is intact and has the contract', async () => {
    const cwd = emptyFolder()
    const hook = { post: { responses: { 200: { description: 'x' } } } }
    const document = {
      openapi: '3.1.0',
      info: { title: 'Hooks', version: '1' },
      paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'x' } } } } },
      webhooks: { hook },
    }
    const update = { responses: { 404: { description: 'y' } } }
    const overlay = {
      overlay: '1.0.0',
      info: { title: 'o', version: '1' },
      actions: [{ target: '$.paths.*.get', update }],
    }
    writeFileSync(join(cwd, 'openapi.json'), JSON.stringify(document))
    writeFileSync(join(cwd, 'o.json'), JSON.stringify(overlay))
    const run = ['verify', 'embedded-mock', '--overlay', 'o.json', '--cases', '30', '--bundle', 'run.zip']
    await plantstore(run, { cwd })
    const made = ['bundle', 'make', 'plantstore-report/ledger.ndjson', '--out', 'made.zip']
    expect(await plantstore(made, { cwd })).toMatchObject({ code: 0, stdout: 'written: made.zip\n' })
    for (const zip of ['run.zip', 'made.zip']) {
      const { code, stdout } = await plantstore(['bundle', 'verify', zip], { cwd })
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('INTACT') })
      expect(textOf(join(cwd, zip), 'contract.json')).toContain('"404"')
      expect(JSON.parse(textOf(join(cwd, zip), 'manifest.json')).contract).toMatchObject({
        overlays: ['o.json'],
        notTested: [expect.any(String)],
      })
    }
  })

  test('make leaves out a contract that has changed, and reports that', async () => {
    const other = join(cwd, 'other.yaml')
    writeFileSync(other, 'openapi: 3.1.0\ninfo: { title: Other, version: "1" }\npaths: {}\n')
    const args = ['bundle', 'make', ledger, '--out', 'other.zip', '--spec', other]
    const { code, stderr } = await plantstore(args, { cwd })
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('contract.json is missing: '),
    })
    const { stdout } = await plantstore(['bundle', 'verify', 'other.zip'], { cwd })
    expect(stdout).toContain('note: contract.json was never part of it: ')
  })

  test('verify judges the responses again: a ledger from which a failure was taken out is not intact', async () => {
    await during(brokenStore('plant-without-name'), async ({ url, token }) => {
      const args = ['verify', url, '--token', token, '--cases', '300', '--seed', '1', '--out', 'broken']
      expect((await plantstore(args, { cwd })).code).toBe(1)
    })
    const forged = join(cwd, 'forged.ndjson')
    const events = readFileSync(join(cwd, 'broken/ledger.ndjson'), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line))
      .filter(({ type }) => type !== 'finding')
      .map(event => ({
        ...event,
        ...(event.type === 'exchange' ? { failed: [] } : {}),
        ...(event.type === 'verdict' && event.verdict.kind === 'failed'
          ? { verdict: { kind: 'passed', cases: event.verdict.cases } }
          : {}),
        ...(event.type === 'end' ? { conclusion: 'partial' } : {}),
      }))
    writeFileSync(forged, events.map(event => `${JSON.stringify(event)}\n`).join(''))
    expect((await plantstore(['bundle', 'make', forged, '--out', 'forged.zip'], { cwd })).code).toBe(0)
    const { code, stdout } = await plantstore(['bundle', 'verify', 'forged.zip'], { cwd })
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(
        /exchange [0-9a-f]+ shows that createPlant\/response\/200\/body\/name\/required failed, which the ledger leaves out: .*\n(.*\n)*NOT INTACT\n$/,
      ),
    })
  })

  test('keygen never overwrites keys, and only the owner can read the private one', async () => {
    expect((await plantstore(['bundle', 'keygen', '--out', 'vendor'], { cwd })).code).toBe(0)
    expect(statSync(join(cwd, 'vendor.private.pem')).mode & 0o777).toBe(0o600)
    const again = await plantstore(['bundle', 'keygen', '--out', 'vendor'], { cwd })
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('exists, and keys are never overwritten'),
    })
    await plantstore(['bundle', 'keygen', '--out', 'buyer'], { cwd })
  })

  test('verify checks a signature in another folder with only the public key', async () => {
    const signed = await plantstore(['bundle', 'sign', 'run.zip', '--key', 'vendor.private.pem'], { cwd })
    expect(signed).toMatchObject({ code: 0, stdout: expect.stringContaining('signed by ') })
    const there = emptyFolder()
    for (const file of ['run.zip', 'vendor.public.pem']) copyFileSync(join(cwd, file), join(there, file))
    const args = ['bundle', 'verify', 'run.zip', '--key', 'vendor.public.pem']
    const { code, stdout } = await plantstore(args, { cwd: there })
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('INTACT') })
    expect(stdout).toContain(', the given key')
  })

  test('verify exits with 1 for another key, a missing signature and a changed byte', async () => {
    const outputOf = async (zip: string, key: string): Promise<string> => {
      const { code, stdout } = await plantstore(['bundle', 'verify', zip, '--key', key], { cwd })
      expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('NOT INTACT') })
      return stdout
    }
    expect(await outputOf('run.zip', 'buyer.public.pem')).toContain('signature.json is by another key')
    expect(await outputOf('other.zip', 'vendor.public.pem')).toContain('nobody has signed this bundle')
    const changed = readFileSync(join(cwd, 'run.zip'))
    const at = changed.indexOf('ledger.ndjson') + 2000
    changed[at] = (changed[at] ?? 0) ^ 1
    writeFileSync(join(cwd, 'changed.zip'), changed)
    expect(await outputOf('changed.zip', 'vendor.public.pem')).toContain('ledger.ndjson')
    const unsigned = await plantstore(['bundle', 'sign', 'changed.zip', '--key', 'buyer.private.pem'], {
      cwd,
    })
    expect(unsigned).toMatchObject({ code: 1, stderr: expect.stringContaining('was not signed') })
    expect(readFileSync(join(cwd, 'changed.zip')).equals(changed)).toBe(true)
  })

  test('a file that cannot be used exits with 2 and one line', async () => {
    const tries = [
      ['bundle', 'verify', 'none.zip'],
      ['bundle', 'verify', 'run.zip', '--key', 'vendor.private.pem'],
      ['bundle', 'sign', 'run.zip', '--key', 'vendor.public.pem'],
      ['bundle', 'make', 'run.zip'],
    ]
    for (const args of tries) {
      const { code, stdout, stderr } = await plantstore(args, { cwd })
      expect({ args, code, stdout, lines: stderr.split('\n').length }).toEqual({
        args,
        code: 2,
        stdout: '',
        lines: 2,
      })
    }
    expect(existsSync(join(cwd, 'plantstore-bundle.zip'))).toBe(false)
  })
})
