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
  plantstore(['verify', url, '--token', token, '--only', 'createPlant/auth', '--cases', '150', ...args], {
    cwd,
  })

test('what is broken on adoption is accepted, as long as nothing new breaks and nothing is mended', async () => {
  const cwd = emptyFolder()
  await during(brokenStore('takes-any-token'), async store => {
    const first = await verify(cwd, store)
    expect(first.code).toBe(1)
    const written = await plantstore(['baseline', ledger], { cwd })
    expect(written).toMatchObject({ code: 0, stderr: '' })
    const accepted = readIn(cwd)
    expect(written.stdout).toBe(`written: ${file}: ${accepted.length} broken promises accepted\n`)
    expect(accepted.map(({ obligation }) => obligation)).toContain('createPlant/auth/wrong-token')
    expect(new Set(accepted.map(({ cause }) => cause))).toEqual(new Set(['answered 200']))

    const held = await verify(cwd, store, '--baseline', file, '--report', 'all')
    expect(held.code).toBe(0)
    expect(held.stdout).toContain(`${accepted.length} accepted`)
    expect(held.stdout).toContain(`baseline: accepts ${accepted.length}`)
    expect(held.stdout).toContain(
      `  baseline          ${accepted.length}: in the baseline since ${accepted[0]?.since}`,
    )
    const report = JSON.parse(readFileSync(join(cwd, 'plantstore-report/report.json'), 'utf8'))
    expect(report).toMatchObject({ verdict: 'CONFORMANT', counts: { broken: 0, accepted: accepted.length } })
    expect(readFileSync(join(cwd, 'plantstore-report/junit.xml'), 'utf8')).toContain(
      `<skipped message="in the baseline since ${accepted[0]?.since}"`,
    )

    // One less in it: that one is new, and is not taken in but by --grow.
    writeIn(cwd, accepted.slice(1))
    expect((await verify(cwd, store, '--baseline', file)).code).toBe(1)
    const small = await plantstore(['baseline', ledger], { cwd })
    expect(small.code).toBe(1)
    expect(small.stderr).toContain(
      `not in ${file}: 1 broken promise: mend what is new, or accept it with --grow`,
    )
    expect(small.stderr).toContain(`  ${accepted[0]?.obligation}: answered 200`)
    expect(readIn(cwd)).toHaveLength(accepted.length - 1)
    expect((await plantstore(['baseline', ledger, '--grow'], { cwd })).code).toBe(0)
    expect(readIn(cwd)).toEqual(accepted)

    // Broken in another way, it counts.
    writeIn(
      cwd,
      accepted.map(one => ({ ...one, cause: 'answered 500' })),
    )
    const changed = await verify(cwd, store, '--baseline', file)
    expect(changed.code).toBe(1)
    expect(changed.stdout).toContain(
      'is in the baseline as «answered 500» and is «answered 200» now: it counts',
    )
    writeIn(cwd, accepted)
  })
  await during(storeWith({}), async store => {
    const accepted = readIn(cwd)
    const mended = await verify(cwd, store, '--baseline', file)
    expect(mended.code).toBe(1)
    expect(mended.stdout).toContain(`${accepted.length} mended`)
    expect(mended.stdout).toContain('kept again, so that it has to leave the baseline: --update-baseline')
    const updated = await verify(cwd, store, '--baseline', file, '--update-baseline')
    expect(updated).toMatchObject({ code: 0 })
    expect(updated.stderr).toContain(`left the baseline ${file}: ${accepted.length} promises; still in it: 0`)
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
])('a baseline that cannot be used is refused with one line: %j', async (value, message) => {
  const path = join(emptyFolder(), file)
  writeFileSync(path, stringify({ version: 1, ...value }, { aliasDuplicateObjects: false }))
  const obligations = obligationsOf(await loadContract({ from: fileURLToPath(plantStoreDocument) }))
  expect(() => createBaseline(obligations, readBaseline(path), false)).toThrow(message)
})

test('a baseline that is not there, and one that is to shrink and is not named, are told', async () => {
  const cwd = emptyFolder()
  const store = { url: 'http://127.0.0.1:9', token: 'x' }
  expect(await verify(cwd, store, '--baseline', 'none.yaml')).toMatchObject({
    code: 2,
    stderr:
      'plantstore: the baseline in none.yaml cannot be read (ENOENT): plantstore baseline LEDGER --out none.yaml writes it\n',
  })
  expect(await verify(cwd, store, '--update-baseline')).toMatchObject({
    code: 2,
    stderr: 'plantstore: --update-baseline needs the file that is to shrink: give --baseline as well\n',
  })
})
