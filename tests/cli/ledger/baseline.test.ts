import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { readBaseline } from '../../../cli/inputs/gate-files.ts'
import { createBaseline, loadContract, obligationsOf, plantStoreDocument } from '../../../spec/index.ts'
import { during, emptyFolder, plantstore, type Ran } from '../command.ts'
import { brokenStore, storeWith } from '../servers.ts'

const file = 'plantstore.baseline.yaml'
const ledger = 'plantstore-report/ledger.ndjson'

type Entry = { readonly obligation: string; readonly cause: string; readonly since: string }

const readIn = (cwd: string): readonly Entry[] => parse(readFileSync(join(cwd, file), 'utf8')).findings
const writeIn = (cwd: string, findings: readonly object[]): void =>
  writeFileSync(join(cwd, file), stringify({ version: 1, findings }))

const verify = (
  cwd: string,
  { url, token }: { readonly url: string; readonly token: string },
  ...args: readonly string[]
): Promise<Ran> =>
  plantstore(
    [
      'verify',
      url,
      '--token',
      token,
      '--only',
      'createPlant/auth',
      '--cases',
      '150',
      '--allow-partial',
      ...args,
    ],
    { cwd },
  )

test('known failures are accepted until one is fixed, and new failures are not', async () => {
  const cwd = emptyFolder()
  await during(brokenStore('takes-any-token'), async store => {
    const first = await verify(cwd, store)
    expect(first.code).toBe(1)
    const written = await plantstore(['baseline', ledger], { cwd })
    expect(written).toMatchObject({ code: 0, stderr: '' })
    const accepted = readIn(cwd)
    expect(written.stdout).toBe(`written: ${file}: ${accepted.length} accepted failures\n`)
    expect(accepted.map(({ obligation }) => obligation)).toContain('createPlant/auth/wrong-token')
    expect(new Set(accepted.map(({ cause }) => cause))).toEqual(new Set(['answered 200']))

    const held = await verify(cwd, store, '--baseline', file, '--report', 'all')
    expect(held.code).toBe(0)
    expect(held.stdout).toContain(`${accepted.length} baselined`)
    expect(held.stdout).toContain(`baseline: ignores ${accepted.length} known failures`)
    expect(held.stdout).toContain(
      `  baselined         ${accepted.length}: in the baseline since ${accepted[0]?.since}`,
    )
    const report = JSON.parse(readFileSync(join(cwd, 'plantstore-report/report.json'), 'utf8'))
    expect(report).toMatchObject({ verdict: 'PARTIAL', counts: { failed: 0, baselined: accepted.length } })
    expect(readFileSync(join(cwd, 'plantstore-report/junit-full.xml'), 'utf8')).toContain(
      `(in the baseline since ${accepted[0]?.since})">`,
    )

    // Without one entry, that failure is new: only --accept-new adds it.
    writeIn(cwd, accepted.slice(1))
    expect((await verify(cwd, store, '--baseline', file)).code).toBe(1)
    const small = await plantstore(['baseline', ledger], { cwd })
    expect(small.code).toBe(1)
    expect(small.stderr).toContain(
      `${file} does not include 1 new failure: fix it, or accept it with --accept-new`,
    )
    expect(small.stderr).toContain(`  ${accepted[0]?.obligation}: answered 200`)
    expect(readIn(cwd)).toHaveLength(accepted.length - 1)
    expect((await plantstore(['baseline', ledger, '--accept-new'], { cwd })).code).toBe(0)
    expect(readIn(cwd)).toEqual(accepted)

    // With another cause it counts.
    writeIn(
      cwd,
      accepted.map(one => ({ ...one, cause: 'answered 500' })),
    )
    const changed = await verify(cwd, store, '--baseline', file)
    expect(changed.code).toBe(1)
    expect(changed.stdout).toContain(
      'fails for another cause than in the baseline («answered 200», not «answered 500»), so it counts',
    )
    writeIn(cwd, accepted)
  })
  await during(storeWith({}), async store => {
    const accepted = readIn(cwd)
    const fixed = await verify(cwd, store, '--baseline', file)
    expect(fixed.code).toBe(6)
    expect(fixed.stdout).toContain(`${accepted.length} fixed`)
    expect(fixed.stdout).toContain('passed again; remove it from the baseline with --update-baseline')
    const updated = await verify(cwd, store, '--baseline', file, '--update-baseline')
    expect(updated).toMatchObject({ code: 0 })
    expect(updated.stderr).toContain(
      `removed ${accepted.length} fixed failures from the baseline ${file}; 0 remain`,
    )
    expect(readIn(cwd)).toEqual([])
    expect((await verify(cwd, store, '--baseline', file)).code).toBe(0)
  })
}, 60_000)

const one = { obligation: 'createPlant/auth/wrong-token', cause: 'answered 200', since: '2026-01-01' }

test.each([
  [
    { findings: [{ ...one, obligation: 'createPlant/auth/none-such' }] },
    /^the baseline matches nothing: the contract has no obligation createPlant\/auth\/none-such: .*; --update-baseline removes the entry$/,
  ],
  [
    { findings: [{ ...one, obligation: 'createPlant/auth' }] },
    /^the baseline names createPlant\/auth, which is a pattern: name whole obligations, such as /,
  ],
  [{ findings: [one, one] }, /^the baseline names createPlant\/auth\/wrong-token twice$/],
  [
    { findings: [{ ...one, cuase: 'x' }] },
    /baseline\.yaml:6: the baseline: findings\.0\.cuase must NOT have additional properties$/,
  ],
  [{ version: 2, findings: [] }, /baseline\.yaml:1: the baseline: version must be 1$/],
  [
    { findings: [{ ...one, since: 'May' }] },
    /baseline\.yaml:5: the baseline: findings\.0\.since must be a date$/,
  ],
])('an invalid baseline is reported in one line: %j', async (value, message) => {
  const path = join(emptyFolder(), file)
  writeFileSync(path, stringify({ version: 1, ...value }, { aliasDuplicateObjects: false }))
  const obligations = obligationsOf(await loadContract({ from: fileURLToPath(plantStoreDocument) }))
  expect(() => createBaseline(obligations, readBaseline(path), false)).toThrow(message)
})

test('a missing baseline is reported, and --update-baseline without --baseline', async () => {
  const cwd = emptyFolder()
  const store = { url: 'http://127.0.0.1:9', token: 'x' }
  expect(await verify(cwd, store, '--baseline', 'none.yaml')).toMatchObject({
    code: 2,
    stderr:
      'plantstore: the baseline in none.yaml cannot be read (ENOENT): write it with plantstore baseline LEDGER --out none.yaml\n',
  })
  expect(await verify(cwd, store, '--update-baseline')).toMatchObject({
    code: 2,
    stderr: 'plantstore: --update-baseline needs --baseline, the file to update\n',
  })
})
