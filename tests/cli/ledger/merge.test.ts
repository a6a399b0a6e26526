import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLedger } from '../../../reports/index.ts'
import { foldLedger, type Ledger } from '../../../spec/index.ts'
import { during, emptyFolder, plantstore } from '../command.ts'
import { brokenStore, echoingStore, storeWith } from '../servers.ts'

const ledgerIn = (cwd: string, folder: string): Ledger =>
  foldLedger(readLedger(readFileSync(join(cwd, folder, 'ledger.ndjson'), 'utf8')))

const verdictsOf = ({ entries }: Ledger) =>
  entries.map(({ obligation, verdict }) => [obligation.id, verdict] as const)

const plan = ['--seed', '7', '--cases', '300']

test('merged shards give the verdicts and the digest of one run; merge lists missing ones and exits with 4', async () => {
  const cwd = emptyFolder()
  const verify = (...args: readonly string[]) =>
    during(brokenStore('takes-missing-name'), ({ url, token }) =>
      plantstore(['verify', url, ...plan, ...args], { cwd, env: { PLANTSTORE_TOKEN: token } }),
    )
  expect((await verify('--out', 'whole')).code).toBe(1)
  for (const shard of ['1/3', '2/3', '3/3']) {
    const { code, stderr, stdout } = await verify('--shard', shard, '--out', 'shards')
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(
      /^shard \d of 3: createPlant\/\w+(, createPlant\/\w+)?: \d+ requests → shards\/shard-\d-of-3\.json\n/,
    )
  }
  const merged = await plantstore(['merge', 'shards', '--out', 'merged'], { cwd })
  expect({ code: merged.code, stderr: merged.stderr }).toEqual({ code: 1, stderr: '' })
  const [one, other] = [ledgerIn(cwd, 'whole'), ledgerIn(cwd, 'merged')]
  expect(verdictsOf(other)).toEqual(verdictsOf(one))
  expect(other.end?.digest).toBe(one.end?.digest)
  expect(other.findings.map(({ id }) => id)).toEqual(one.findings.map(({ id }) => id))

  rmSync(join(cwd, 'shards/shard-3-of-3.json'))
  const less = await plantstore(['merge', 'shards', '--out', 'less'], { cwd })
  expect(less.stdout).toContain('1 of 5 slices of the plan are missing: createPlant/auth')
  // A failure counts, whatever is missing.
  expect(less.code).toBe(1)
  expect((await plantstore(['merge', 'shards', '--out', 'less', '--allow-partial'], { cwd })).code).toBe(1)

  await during(storeWith({}), ({ url, token }) =>
    plantstore(['verify', url, ...plan, '--shard', '1/3', '--out', 'first'], {
      cwd,
      env: { PLANTSTORE_TOKEN: token },
    }),
  )
  const least = await plantstore(['merge', 'first', '--out', 'least'], { cwd })
  expect(least.stdout).toMatch(/^PARTIAL: \d+ of 274 requirements tested, nothing failed /m)
  expect(least.stdout).toContain(
    '3 of 5 slices of the plan are missing: createPlant/reject, createPlant/auth, createPlant/unspecified',
  )
  expect(least.code).toBe(4)
  expect((await plantstore(['merge', 'first', '--out', 'least', '--allow-partial'], { cwd })).code).toBe(0)
}, 60_000)

test('a baseline and pins apply to shards as to one run, and merge requires the same ones', async () => {
  const cwd = emptyFolder()
  const pins = 'plantstore.pins.yaml'
  const pin = (answer: string): void =>
    writeFileSync(
      join(cwd, pins),
      JSON.stringify({
        version: 1,
        pins: [{ obligation: 'createPlant/unspecified/other-path', answers: [answer] }],
      }),
    )
  const verify = (...args: readonly string[]) =>
    during(brokenStore('takes-missing-name'), ({ url, token }) =>
      plantstore(['verify', url, ...plan, ...args], { cwd, env: { PLANTSTORE_TOKEN: token } }),
    )
  await verify('--out', 'first')
  await plantstore(['baseline', 'first/ledger.ndjson'], { cwd })
  pin('never')
  const held = ['--baseline', 'plantstore.baseline.yaml', '--pins', pins] as const
  expect((await verify(...held, '--out', 'whole')).code).toBe(1)
  for (const shard of ['1/2', '2/2'])
    expect((await verify(...held, '--shard', shard, '--har', 'sent.har', '--out', 'shards')).code).toBe(0)
  expect(JSON.parse(readFileSync(join(cwd, 'sent.har'), 'utf8')).log.entries.length).toBeGreaterThan(0)

  expect((await plantstore(['merge', 'shards', '--report', 'all', '--out', 'merged'], { cwd })).code).toBe(1)
  const [one, other] = [ledgerIn(cwd, 'whole'), ledgerIn(cwd, 'merged')]
  expect(verdictsOf(other)).toEqual(verdictsOf(one))
  const kinds = new Map(verdictsOf(other).map(([id, { kind }]) => [id, kind]))
  expect(kinds.get('createPlant/unspecified/other-path')).toBe('failed')
  expect([...kinds.values()].filter(kind => kind === 'failed')).toHaveLength(1)
  expect([...kinds.values()]).toContain('baselined')
  expect(other.start.obligations).toEqual(one.start.obligations)
  expect(other.start.clauses).toEqual(one.start.clauses)
  expect(other.findings.map(({ id, excerpt }) => [id, excerpt])).toEqual(
    one.findings.map(({ id, excerpt }) => [id, excerpt]),
  )
  expect(existsSync(join(cwd, 'merged/allure-results'))).toBe(true)

  pin('404')
  await verify(...held, '--shard', '2/2', '--out', 'shards')
  expect((await plantstore(['merge', 'shards'], { cwd })).stderr).toMatch(
    /^plantstore: the shards differ in their pins: .*"never".* and .*"404".*\n$/,
  )
}, 60_000)

test('files that are not shards of one plan are reported by name', async () => {
  const cwd = emptyFolder()
  const merge = async (...places: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await plantstore(['merge', ...places], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    return stderr
  }
  await plantstore(['verify', '--cases', '10', '--seed', '1', '--shard', '1/2', '--out', 'a'], { cwd })
  await plantstore(['verify', '--cases', '10', '--seed', '2', '--shard', '2/2', '--out', 'b'], { cwd })
  expect(await merge('a', 'b')).toBe('plantstore: the shards differ in their seed: 1 and 2\n')
  await plantstore(
    ['verify', '--cases', '10', '--seed', '1', '--shard', '2/2', '--out', 'c', '--run-by', 'J'],
    {
      cwd,
    },
  )
  expect(await merge('a', 'c')).toBe(
    'plantstore: the shards differ in their name of who runs the tests: null and "J"\n',
  )
  writeFileSync(join(cwd, 'a/shard-2-of-2.json'), readFileSync(join(cwd, 'a/shard-1-of-2.json')))
  expect(await merge('a')).toBe(
    'plantstore: two shards sent the slice createPlant/accept: give each shard once\n',
  )
  const other = join(import.meta.dirname, '../../documents/library.openapi.yaml')
  expect(await merge('a', '--spec', other)).toMatch(
    /^plantstore: a\/shard-1-of-2\.json: this shard result is of another contract \(Plant Store, digest \w{12}…\): give the same document with --spec\n$/m,
  )
  writeFileSync(join(cwd, 'cut.json'), readFileSync(join(cwd, 'a/shard-1-of-2.json'), 'utf8').slice(0, 500))
  expect(await merge('cut.json')).toBe(
    'plantstore: cut.json: this shard result is not JSON: was it cut off?\n',
  )
  writeFileSync(join(cwd, 'none.json'), '{}')
  expect(await merge('none.json')).toBe('plantstore: none.json: this is not a shard result\n')
  expect(await merge('nowhere')).toMatch(/^plantstore: nowhere does not exist: /)
  expect((await plantstore(['verify', '--shard', '1/2'], { cwd })).stderr).toBe(
    'plantstore: --shard needs --seed or --nonce: all shards must send parts of one plan\n',
  )
}, 60_000)

test('a token is in no shard result, even if the server echoes it', async () => {
  const cwd = emptyFolder()
  await during(echoingStore({ type: () => 'text/plain' }), ({ url, token }) =>
    plantstore(['verify', url, '--seed', '7', '--cases', '100', '--shard', '1/1', '--out', 'shards'], {
      cwd,
      env: { PLANTSTORE_TOKEN: token },
    }).then(() => {
      const result = readFileSync(join(cwd, 'shards/shard-1-of-1.json'), 'utf8')
      expect(result.includes(token)).toBe(false)
      // The server did echo it.
      expect(result).toMatch(/x-seen","[^"]*\{\{token\}\}/i)
    }),
  )
}, 60_000)

test('shards of another run of the CI system, or of another day, are not merged', async () => {
  const cwd = emptyFolder()
  const shard = (part: string, run: string, out: string) =>
    plantstore(['verify', 'embedded-mock', '--cases', '10', '--seed', '7', '--shard', part, '--out', out], {
      cwd,
      env: { CI: 'true', GITHUB_RUN_ID: run },
    })
  await shard('1/2', '41', 'parts')
  await shard('2/2', '42', 'parts')
  const mixed = await plantstore(['merge', 'parts'], { cwd })
  expect(mixed.code).toBe(2)
  expect(mixed.stderr).toMatch(/^plantstore: the shards differ in their policies: .*"ci run":"4[12]"/)

  await shard('1/2', '42', 'parts')
  expect((await plantstore(['merge', 'parts', '--allow-partial'], { cwd })).code).toBe(0)
  expect(readFileSync(join(cwd, 'plantstore-report/junit.xml'), 'utf8')).toMatch(
    /name="the run"[^>]*>\s*<skipped /,
  )
  expect((await plantstore(['merge', 'parts'], { cwd })).code).toBe(4)
  expect(readFileSync(join(cwd, 'plantstore-report/junit.xml'), 'utf8')).toMatch(
    /name="the run"[^>]*>\s*<error /,
  )
  const file = join(cwd, 'parts/shard-1-of-2.json')
  const old = readFileSync(file, 'utf8').replace(/"at":"2\d{3}-/, '"at":"2020-')
  writeFileSync(file, old)
  expect((await plantstore(['merge', 'parts'], { cwd })).stderr).toMatch(
    /^plantstore: the shards were started \d+ hours apart: remove the results of the older run\n$/,
  )
})
