import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { plantStoreDocument } from '../../../spec/index.ts'
import { during, emptyFolder, plantstore, start } from '../command.ts'
import { deadUrl, echoingStore, slowStore } from '../servers.ts'

const filesOf = (zip: string): Readonly<Record<string, Uint8Array>> => unzipSync(readFileSync(zip))
const textOf = (zip: string, name: string): string => new TextDecoder().decode(filesOf(zip)[name])

describe('verify --bundle', () => {
  test('leaves a bundle in which no token is, in no form, though the server gives it back', () =>
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
          '200',
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
          // What base64 makes of it where it begins one or two bytes later.
          Buffer.from(`x${secret}`).toString('base64').slice(2, -4),
          Buffer.from(`xx${secret}`).toString('base64').slice(3, -4),
        ])
          expect(all.some(file => file.includes(trace))).toBe(false)
      // The server did give it back.
      expect(textOf(zip, 'ledger.ndjson')).toMatch(/x-seen","[^"]*\{\{token\}\}/i)
      const settings = JSON.parse(textOf(zip, 'configuration.json')) as readonly unknown[]
      for (const setting of [
        { name: 'url', value: new URL(url).href, origin: 'argument' },
        { name: '--seed', value: 7, origin: 'flag' },
        { name: '--concurrency', value: 16, origin: 'default' },
        { name: '--token', value: '{{token}}', origin: 'PLANTSTORE_TOKEN' },
        { name: '--header', value: ['X-Gate'], origin: 'flag' },
      ])
        expect(settings).toContainEqual(expect.objectContaining(setting))
      expect((await plantstore(['bundle', 'verify', 'run.zip'], { cwd })).code).toBe(0)
    }))

  test('leaves out a contract in which the token stands, and says so', async () => {
    const cwd = emptyFolder()
    const token = 'Tulip-7f3aC9-Garden'
    const store = readFileSync(plantStoreDocument, 'utf8')
    writeFileSync(join(cwd, 'api.yaml'), store.replace('info:\n', `info:\n  x-try: ${token}\n`))
    const run = await plantstore(
      ['verify', '--spec', 'api.yaml', '--token', token, '--cases', '60', '--bundle', 'run.zip'],
      { cwd },
    )
    expect(run).toMatchObject({ code: 0 })
    expect(Object.keys(filesOf(join(cwd, 'run.zip')))).not.toContain('contract.json')
    const { code, stdout } = await plantstore(['bundle', 'verify', 'run.zip'], { cwd })
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('contract.json was never in it: the token'),
    })
  })

  test('leaves it after a run that was interrupted', () =>
    during(slowStore(15), async ({ url, token }) => {
      const cwd = emptyFolder()
      const args = ['verify', url, '--token', token, '--cases', '1000', '--concurrency', '4']
      const run = start([...args, '--bundle', 'run.zip'], { cwd })
      await run.shows(/ 25 %/)
      run.kill('SIGINT')
      expect((await run.ended).code).toBe(130)
      expect(JSON.parse(textOf(join(cwd, 'run.zip'), 'manifest.json')).run.stopped).toBe('interrupt')
      expect((await plantstore(['bundle', 'verify', 'run.zip'], { cwd })).code).toBe(0)
    }))

  test('leaves it where the server cannot be reached', async () => {
    const cwd = emptyFolder()
    const { code } = await plantstore(['verify', await deadUrl(), '--bundle', 'run.zip'], { cwd })
    expect(code).toBe(4)
    expect(JSON.parse(textOf(join(cwd, 'run.zip'), 'manifest.json')).run).toMatchObject({
      stopped: 'unreachable',
      verdict: 'INCONCLUSIVE',
    })
  })

  test('says before anything is sent that the file cannot be written', async () => {
    const cwd = emptyFolder()
    const { code, stderr } = await plantstore(['verify', '--bundle', 'no/such/run.zip'], { cwd })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'plantstore: the bundle no/such/run.zip cannot be written (ENOENT): choose another with --bundle\n',
    })
  })
})

describe('from a recorded run to a signature that another folder checks', () => {
  const cwd = emptyFolder()
  const ledger = join(cwd, 'plantstore-report/ledger.ndjson')

  test('a bundle is made of the ledger, and has the contract in it', async () => {
    await plantstore(['verify', '--cases', '60', '--seed', '1'], { cwd })
    const { code, stdout } = await plantstore(['bundle', 'make', ledger, '--out', 'run.zip'], { cwd })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'written: run.zip\n' })
    expect(Object.keys(filesOf(join(cwd, 'run.zip')))).toContain('contract.json')
    expect(
      Buffer.from(filesOf(join(cwd, 'run.zip'))['ledger.ndjson'] ?? []).equals(readFileSync(ledger)),
    ).toBe(true)
  })

  test('where the contract is another by now, it is left out and that is told', async () => {
    const other = join(cwd, 'other.yaml')
    writeFileSync(other, 'openapi: 3.1.0\ninfo: { title: Other, version: "1" }\npaths: {}\n')
    const args = ['bundle', 'make', ledger, '--out', 'other.zip', '--spec', other]
    const { code, stderr } = await plantstore(args, { cwd })
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('contract.json is left out: '),
    })
    const { stdout } = await plantstore(['bundle', 'verify', 'other.zip'], { cwd })
    expect(stdout).toContain('note: contract.json was never in it: ')
  })

  test('keys are made once, and the private one is for its owner alone', async () => {
    expect((await plantstore(['bundle', 'keygen', '--out', 'vendor'], { cwd })).code).toBe(0)
    expect(statSync(join(cwd, 'vendor.private.pem')).mode & 0o777).toBe(0o600)
    const again = await plantstore(['bundle', 'keygen', '--out', 'vendor'], { cwd })
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') })
    await plantstore(['bundle', 'keygen', '--out', 'buyer'], { cwd })
  })

  test('signed here, it holds there, with nothing but the public key', async () => {
    const signed = await plantstore(['bundle', 'sign', 'run.zip', '--key', 'vendor.private.pem'], { cwd })
    expect(signed).toMatchObject({ code: 0, stdout: expect.stringContaining('signed by ') })
    const there = emptyFolder()
    for (const file of ['run.zip', 'vendor.public.pem']) copyFileSync(join(cwd, file), join(there, file))
    const args = ['bundle', 'verify', 'run.zip', '--key', 'vendor.public.pem']
    const { code, stdout } = await plantstore(args, { cwd: there })
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('INTACT') })
    expect(stdout).toContain('the key that was given')
  })

  test('another key, no signature and a changed byte leave with 1, and say what it is', async () => {
    const told = async (zip: string, key: string): Promise<string> => {
      const { code, stdout } = await plantstore(['bundle', 'verify', zip, '--key', key], { cwd })
      expect({ code, stdout }).toMatchObject({ code: 1, stdout: expect.stringContaining('NOT INTACT') })
      return stdout
    }
    expect(await told('run.zip', 'buyer.public.pem')).toContain('signature.json is by another key')
    expect(await told('other.zip', 'vendor.public.pem')).toContain('nobody has signed this bundle')
    const changed = readFileSync(join(cwd, 'run.zip'))
    const at = changed.indexOf('ledger.ndjson') + 2000
    changed[at] = (changed[at] ?? 0) ^ 1
    writeFileSync(join(cwd, 'changed.zip'), changed)
    expect(await told('changed.zip', 'vendor.public.pem')).toContain('ledger.ndjson')
    const refused = await plantstore(['bundle', 'sign', 'changed.zip', '--key', 'buyer.private.pem'], { cwd })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('was not signed') })
    expect(readFileSync(join(cwd, 'changed.zip')).equals(changed)).toBe(true)
  })

  test('what cannot be used leaves with 2 and one line', async () => {
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
