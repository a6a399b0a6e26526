import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { unzipSync, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import {
  inspectBundle,
  makeBundle,
  mostBytes,
  sha256,
  signBundle,
  writeEvent,
} from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { start } from '../fixture.ts'
import { runs } from '../runs.ts'

const document = '{"openapi":"3.1.0"}'
const contract = { ...start().contract, digest: sha256(document) }
const events = runs.fiveFailures.map(event => (event.type === 'start' ? { ...event, contract } : event))
const { version } = start().product

const bundle = (): Uint8Array =>
  makeBundle({
    ledger: Buffer.from(events.map(writeEvent).join('')),
    document,
    configuration: [{ name: '--seed', value: 4242, origin: 'flag' }],
    environment: {
      of: 'the run',
      node: '24.21.0',
      platform: 'linux',
      release: '6',
      arch: 'x64',
      packages: {},
    },
    missing: [],
  })

const pair = () =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { format: 'pem', type: 'spki' },
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
  })
const keys = pair()
const others = pair()
const problemsOf = (zip: Uint8Array, key: string | null = null): readonly string[] =>
  inspectBundle(zip, { key, version }).problems

type Files = Record<string, Uint8Array>
/** The same zip with other files in it, packed as bundles are. */
const withFiles = (zip: Uint8Array, change: (files: Files) => Files): Uint8Array =>
  zipSync(change({ ...unzipSync(zip) }), { level: 6, mtime: new Date(1980, 0, 1) })

const text = (file: Uint8Array | undefined): string => new TextDecoder().decode(file)
const bytes = (source: string): Uint8Array => new TextEncoder().encode(source)

/** What a forger would do: changes files and rewrites the manifest, so that its digests fit. */
const forged = (zip: Uint8Array, change: (files: Files) => Files): Uint8Array =>
  withFiles(zip, files => {
    const changed = change(files)
    const manifest = JSON.parse(text(changed['manifest.json'])) as { files: { name: string }[] }
    manifest.files = manifest.files.map(file => {
      const found = changed[file.name] ?? new Uint8Array()
      return { ...file, bytes: found.length, sha256: sha256(found) }
    })
    return { ...changed, 'manifest.json': bytes(`${JSON.stringify(manifest, null, 2)}\n`) }
  })

const signed = signBundle(bundle(), keys.privateKey)
const names = Object.keys(unzipSync(signed))

describe('a bundle', () => {
  test('holds the ledger, the contract, every report, the settings, and a digest of each', () => {
    const files = unzipSync(bundle())
    expect(Object.keys(files)).toEqual([
      'manifest.json',
      'READ-ME.txt',
      'contract.json',
      'ledger.ndjson',
      ...Object.keys(files).filter(name => name.startsWith('reports/')),
      'configuration.json',
      'environment.json',
      'waivers.json',
    ])
    const manifest = JSON.parse(text(files['manifest.json']))
    expect(manifest).toMatchObject({
      contract: { digest: sha256(files['contract.json'] ?? '') },
      run: {
        seed: 4242,
        verdict: 'NOT CONFORMANT (11 of 16 MUST passed)',
        requestDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    })
    for (const { name, sha256: digest } of manifest.files) expect(sha256(files[name] ?? '')).toBe(digest)
    expect(Object.keys(files)).toContain('reports/report.html')
    expect(Object.keys(files)).toContain('reports/junit.xml')
  })

  test('is the same, byte for byte, when it is made again', () => {
    expect(Buffer.compare(bundle(), bundle())).toBe(0)
  })

  test('names the library that packed it, which is the installed one', () => {
    const { dependencies } = JSON.parse(
      readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
    )
    expect(JSON.parse(text(unzipSync(bundle())['manifest.json'])).packing).toContain(
      `fflate ${dependencies.fflate}`,
    )
  })

  test('can be made of a run that was cut off', () => {
    const cut = Buffer.from(`${events.slice(0, 3).map(writeEvent).join('')}{"type":"verd`)
    const zip = makeBundle({
      ledger: cut,
      document: null,
      configuration: [],
      environment: { of: 'the run', node: '', platform: '', release: '', arch: '', packages: {} },
      missing: [{ name: 'contract.json', reason: 'it is gone' }],
    })
    const { problems, notes, manifest } = inspectBundle(zip, { key: null, version })
    expect({ problems, notes }).toEqual({
      problems: [],
      notes: ['contract.json was never part of it: it is gone'],
    })
    expect(manifest?.run).toMatchObject({ stopped: 'cut', requestDigest: null })
  })
})

describe('a change is found and named', () => {
  test.each(names)('%s, if one byte of it differs', name => {
    const changed = withFiles(signed, files => {
      const file = Uint8Array.from(files[name] ?? [])
      const at = Math.floor(file.length / 2)
      file[at] = (file[at] ?? 0) ^ 1
      return { ...files, [name]: file }
    })
    const problems = problemsOf(changed, keys.publicKey)
    expect(problems.join('\n')).toContain(name)
    expect(problemsOf(changed).join('\n')).toContain(name)
  })

  test.each(names)('%s, if it was removed', name => {
    const problems = problemsOf(
      withFiles(signed, ({ [name]: _, ...files }) => files),
      keys.publicKey,
    )
    expect(problems.join('\n')).toContain(name)
  })

  test.each(['manifest.json', 'signature.json'])('%s, if only its white space differs', name => {
    const changed = withFiles(name === 'manifest.json' ? bundle() : signed, files => ({
      ...files,
      [name]: bytes(text(files[name]).replace('{\n', '{ \n')),
    }))
    expect(problemsOf(changed)).toEqual([
      expect.stringMatching(`^${name} was changed: it is not written as plantstore writes it`),
    ])
  })

  test('a file that was added', () => {
    const problems = problemsOf(withFiles(signed, files => ({ ...files, 'extra.txt': bytes('hello') })))
    expect(problems).toEqual(['extra.txt was added'])
  })

  test('any single bit of the zip, wherever it is', () => {
    const missed: number[] = []
    // Every fifth byte of the zip's structures at its beginning and end, and fewer of the packed files between.
    const near = signed.length - 1600
    for (let at = 0; at < signed.length; at += at < 300 || at > near ? 5 : 997) {
      const changed = Uint8Array.from(signed)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      if (problemsOf(changed).length === 0) missed.push(at)
    }
    expect(missed).toEqual([])
  }, 60_000)

  test('bytes before and after the zip, and another order or date in it', () => {
    const after = problemsOf(Buffer.concat([signed, Buffer.from('x')]))
    expect(after).toHaveLength(1)
    expect(problemsOf(Buffer.concat([Buffer.from('x'), signed]))).toHaveLength(1)
    const turned = withFiles(signed, files => Object.fromEntries(Object.entries(files).toReversed()))
    expect(problemsOf(turned)[0]).toContain('manifest.json')
    const dated = zipSync(unzipSync(signed), { level: 6, mtime: new Date(2001, 0, 1) })
    expect(problemsOf(dated)).toEqual([
      expect.stringContaining('the zip was changed around its files, or packed again'),
    ])
  })
})

describe('a manifest that was rewritten after a change does not hide it', () => {
  test('of the verdict in a report', () => {
    const zip = forged(bundle(), files => ({
      ...files,
      'reports/report.html': bytes(
        text(files['reports/report.html']).replaceAll('Not conformant', 'Conformant'),
      ),
    }))
    expect(problemsOf(zip)).toEqual([
      'reports/report.html is not what version 0.1.0 writes from ledger.ndjson',
    ])
  })

  test('of the verdict in the JSON report, also for a plantstore of another version', () => {
    const zip = forged(bundle(), files => ({
      ...files,
      'reports/report.json': bytes(
        text(files['reports/report.json']).replace('NOT CONFORMANT', 'CONFORMANT'),
      ),
    }))
    const { problems } = inspectBundle(zip, { key: null, version: '9.0.0' })
    expect(problems).toEqual(['reports/report.json is not what version 0.1.0 writes from ledger.ndjson'])
  })

  test('of the ledger, if the reports stay', () => {
    const zip = forged(bundle(), files => ({
      ...files,
      'ledger.ndjson': bytes(text(files['ledger.ndjson']).replace('"seed":4242', '"seed":4243')),
    }))
    expect(problemsOf(zip)[0]).toBe('manifest.json says 4242 for run seed, but ledger.ndjson says 4243')
    expect(problemsOf(zip).join('\n')).toContain('reports/report.json is not what')
  })

  test('of the contract', () => {
    const zip = forged(bundle(), files => ({ ...files, 'contract.json': bytes('{"openapi":"3.1.1"}') }))
    expect(problemsOf(zip)).toEqual([
      'contract.json is not the contract that was tested: ledger.ndjson records another digest',
    ])
  })

  test('of anything, if the bundle is signed', () => {
    const zip = forged(signed, files => ({ ...files, 'configuration.json': bytes('[]\n') }))
    expect(problemsOf(zip)[0]).toMatch(/^signature\.json is not valid/)
  })
})

describe('a signature', () => {
  test('changes no other file, and is verified with nothing but the public key', () => {
    const [before, after] = [unzipSync(bundle()), unzipSync(signed)]
    for (const [name, file] of Object.entries(before))
      expect(Buffer.compare(file, after[name] ?? file)).toBe(0)
    expect(Object.keys(after)).toEqual([...Object.keys(before), 'signature.json'])
    expect(problemsOf(signed, keys.publicKey)).toEqual([])
  })

  test('is reported as missing if there is none, or only one by another key', () => {
    expect(problemsOf(bundle(), keys.publicKey)).toEqual([
      'signature.json is missing: nobody has signed this bundle',
    ])
    expect(problemsOf(signed, others.publicKey)[0]).toMatch(/^signature\.json is by another key: /)
  })

  test('can be added to another; the same key signs once', () => {
    const both = signBundle(signed, others.privateKey)
    expect(problemsOf(both, keys.publicKey)).toEqual([])
    expect(problemsOf(both, others.publicKey)).toEqual([])
    expect(Buffer.compare(signBundle(both, keys.privateKey), both)).toBe(0)
  })

  test('of one bundle is not valid for another', () => {
    const stolen = unzipSync(signed)['signature.json'] as Uint8Array
    const other = forged(bundle(), files => ({ ...files, 'environment.json': bytes('{}\n') }))
    const zip = withFiles(other, files => ({ ...files, 'signature.json': stolen }))
    expect(problemsOf(zip, keys.publicKey)[0]).toMatch(/^signature\.json is not valid/)
  })
})

describe('a harmful zip', () => {
  const evil = (files: Files): string => problemsOf(zipSync(files)).join()

  test.each([
    '../evil.txt',
    '/etc/passwd',
    'C:\\evil.txt',
    'a/../../b',
    '.hidden',
    'a/',
    '__proto__',
    '\u001b[31m',
  ])('is rejected for the name %j', name => {
    expect(evil({ ['x'.repeat(name.length)]: bytes('1') })).toContain('manifest.json is missing')
    const zip = Buffer.from(zipSync({ ['x'.repeat(Buffer.byteLength(name))]: bytes('1') }))
    for (let at = zip.indexOf('xx'); at !== -1; at = zip.indexOf('xx')) zip.write(name, at)
    expect(problemsOf(zip).join()).toContain('is not the name of a file in a bundle')
  })

  test('is rejected for names that differ by case, or not at all', () => {
    expect(evil({ 'a.txt': bytes('1'), 'A.txt': bytes('2') })).toContain('occurs twice')
    const zip = Buffer.from(zipSync({ 'a.txt': bytes('1'), 'b.txt': bytes('2') }))
    for (let at = zip.indexOf('b.txt'); at !== -1; at = zip.indexOf('b.txt')) zip.write('a.txt', at)
    expect(problemsOf(zip).join()).toContain('"a.txt" occurs twice')
  })

  test('is not unpacked beyond what a bundle may hold, whatever size it claims', () => {
    const zip = Buffer.from(zipSync({ 'bomb.txt': new Uint8Array(20_000_000) }))
    const directory = zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    const claiming = (size: number): Buffer => {
      const lying = Buffer.from(zip)
      lying.writeUInt32LE(size, directory + 24)
      return lying
    }
    expect(problemsOf(claiming(mostBytes + 1)).join()).toContain('it unpacks to more than')
    const before = process.memoryUsage().arrayBuffers
    problemsOf(claiming(10))
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
  })

  test.each([
    ['nothing', ''],
    ['a text', 'hello'],
    ['the end of a zip alone', 'PK\u0005\u0006'],
  ])('is rejected if it is not a zip at all: %s', (_name, content) => {
    expect(problemsOf(Buffer.from(content)).join()).toMatch(/^the zip: it is not a zip/)
  })
})

test('a bundle of another version is checked as far as possible, and says so', () => {
  const { problems, notes } = inspectBundle(signed, { key: keys.publicKey, version: '9.0.0' })
  expect(problems).toEqual([])
  expect(notes).toEqual([
    'its reports were not written again to compare: they are by version 0.1.0, and this is 9.0.0',
  ])
  expect(foldLedger(events).start.product.version).toBe('0.1.0')
})
