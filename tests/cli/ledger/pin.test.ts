import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { readPins } from '../../../cli/inputs/gate-files.ts'
import { verify as verifyServer } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import {
  loadContract,
  obligationsOf,
  type Pin,
  pinned,
  plantStoreDocument,
  protocolObligationsOf,
} from '../../../spec/index.ts'
import { lawfulServers, startServer } from '../../broken-servers/index.ts'
import { allTested, conclusionSoFar } from '../../conclusion-so-far.ts'
import { during, emptyFolder, plantstore, type Ran } from '../command.ts'
import { brokenStore, storeWith } from '../servers.ts'

const file = 'plantstore.pins.yaml'
const ledger = 'plantstore-report/ledger.ndjson'

const verify = (
  cwd: string,
  { url, token }: { readonly url: string; readonly token: string },
  ...args: readonly string[]
): Promise<Ran> =>
  plantstore(['verify', url, '--token', token, '--cases', '350', ...allTested, ...args], { cwd })

/** A lawful store that rejects duplicate ids. */
const storeWithUniqueIds = async () => {
  const row = lawfulServers.find(({ name }) => name === 'rejects-duplicates')
  if (row === undefined) throw new Error('there is no such store')
  return startServer(row)
}

const pinsIn = (cwd: string): readonly Pin[] => parse(readFileSync(join(cwd, file), 'utf8')).pins

test('after pinning, another answer to an open question is a failure', async () => {
  const cwd = emptyFolder()
  await during(storeWith({}), async store => {
    expect((await verify(cwd, store)).code).toBe(0)
    const written = await plantstore(['pin', ledger], { cwd })
    expect(written).toMatchObject({ code: 0, stderr: '' })
    const pins = pinsIn(cwd)
    expect(pins.length).toBeGreaterThan(5)
    expect(written.stdout).toBe(`written: ${file}: ${pins.length} pinned answers\n`)

    const held = await verify(cwd, store, '--pins', file, '--seed', '7')
    expect(held.code).toBe(0)
    expect(held.stdout).not.toContain('observed')
    expect(held.stdout).toMatch(new RegExp(`unspecified +${pins.length} passed`))
    // Existing pins stay as they are.
    writeFileSync(join(cwd, file), stringify({ version: 1, pins: pins.slice(1) }))
    const again = await plantstore(['pin', ledger], { cwd })
    expect(again.stdout).toBe(`written: ${file}: ${pins.length} pinned answers, 1 of them new\n`)
    expect(new Set(pinsIn(cwd))).toEqual(new Set(pins))
  })
  await during(storeWithUniqueIds(), async store => {
    const id = 'createPlant/unspecified/duplicate-id'
    const failed = await verify(cwd, store, '--pins', file, '--report', 'json,junit,html')
    expect(failed.code).toBe(1)
    expect(failed.stdout).toContain('\n  1 failed\n')
    expect(failed.stdout).toContain(
      [
        '  ✗ rejected a second request with the same `id`, contrary to its pin',
        '    requirement  the response to a second request with the same `id` is as pinned: accepted (200)',
        `                 MUST · ${id} · `,
      ].join('\n'),
    )
    expect(failed.stdout).toMatch(
      /expected +as pinned: accepted \(200\)\n +actual +rejected \(400 error \d+\)/,
    )
    expect(failed.stdout).toContain(
      'the response is not the pinned one. If the change is meant, update the pin.',
    )
    const report = JSON.parse(readFileSync(join(cwd, 'plantstore-report/report.json'), 'utf8'))
    expect(report.findings).toMatchObject([{ obligation: id, level: 'MUST', also: [], repeat: 'steady' }])
    expect(report.obligations).toContainEqual(
      expect.objectContaining({ id, pinned: ['accepted (200)'], status: 'failed' }),
    )
    const replayed = await plantstore(['replay', ledger, report.findings[0].id, '--token', store.token], {
      cwd,
    })
    expect(replayed.stdout).toContain(
      `failed    ${id}: expected as pinned: accepted (200), actual rejected (400`,
    )
    expect(replayed.code).toBe(1)
    // A server that does not know the id gets it twice.
    await during(storeWithUniqueIds(), async ({ url }) => {
      const fresh = ['replay', ledger, report.findings[0].id, '--target', url, '--token', store.token]
      expect((await plantstore(fresh, { cwd })).code).toBe(1)
    })

    const wild = pinsIn(cwd).map(pin =>
      pin.obligation === id ? { ...pin, answers: ['rejected (400 *)'] } : pin,
    )
    writeFileSync(join(cwd, file), stringify({ version: 1, pins: wild }))
    expect((await verify(cwd, store, '--pins', file)).code).toBe(0)
  })
}, 90_000)

const obligation = 'createPlant/unspecified/duplicate-id'

test.each([
  [
    [{ obligation: 'createPlant/unspecified/none', answers: ['x'] }],
    /^a pin matches nothing: the contract has no obligation createPlant\/unspecified\/none: /,
  ],
  [
    [{ obligation: 'createPlant/unspecified', answers: ['x'] }],
    /^a pin names one open question, but createPlant\/unspecified is a pattern$/,
  ],
  [
    [{ obligation: 'createPlant/auth/absent', answers: ['x'] }],
    /^createPlant\/auth\/absent is not an open question: its level is MUST/,
  ],
  [
    [
      { obligation, answers: ['x'] },
      { obligation, answers: ['y'] },
    ],
    /is pinned twice: list all its answers in one pin$/,
  ],
  [[{ obligation, answers: [] }], /pins\.yaml:4: the pins: pins\.0\.answers must have at least 1 item$/],
  [[{ obligation, answer: 'x' }], /pins\.yaml:\d: the pins: pins\.0\.answers? must /],
])('invalid pins are reported in one line: %j', async (pins, message) => {
  const path = join(emptyFolder(), file)
  writeFileSync(path, stringify({ version: 1, pins }))
  const obligations = obligationsOf(await loadContract({ from: fileURLToPath(plantStoreDocument) }))
  expect(() => pinned(obligations, readPins(path))).toThrow(message)
})

test('an open question of HTTP itself can only be pinned with --malformed-http', async () => {
  const contract = await loadContract({ from: fileURLToPath(plantStoreDocument) })
  const protocol = protocolObligationsOf(contract)
  const open = protocol.find(({ level }) => level === 'OBSERVE')?.id ?? ''
  const pin = [{ obligation: open, answers: ['baselined'] }]
  expect(() => pinned(obligationsOf(contract), pin)).toThrow(
    `a pin matches nothing: there is no obligation ${open}: it is tested only with --malformed-http`,
  )
  expect(pinned(protocol, pin).find(({ id }) => id === open)).toMatchObject({ level: 'MUST', pin: pin[0] })
})

test('a pin of the response to wrong credentials is judged by the cases that test them', async () => {
  const mock = await createMock({ tokens: ['secret'] })
  try {
    const id = 'createPlant/unspecified/credentials'
    const run = (answers: readonly string[]) =>
      verifyServer({
        target: mock.url,
        token: 'secret',
        seed: 1,
        cases: 350,
        pins: [{ obligation: id, answers }],
      })
    const other = await run(['403'])
    expect(other.findings).toMatchObject([{ obligation: id, also: [], expected: 'as pinned: 403' }])
    expect(other.end?.conclusion).toBe('nonconformant')
    const same = await run(['400 *'])
    expect(same.entries.find(({ obligation: { id: other } }) => other === id)?.verdict.kind).toBe('passed')
    expect(conclusionSoFar(same)).toBe('conformant')
  } finally {
    await mock.close()
  }
})

test('an answer that breaks a MUST is not pinned, and is named', async () => {
  const cwd = emptyFolder()
  await during(brokenStore('takes-any-token'), async store => {
    expect((await verify(cwd, store)).code).toBe(1)
    const { code, stderr } = await plantstore(['pin', ledger], { cwd })
    expect(code).toBe(0)
    expect(stderr).toBe('not pinned: createPlant/unspecified/credentials: 200, which breaks a MUST\n')
    const pin = pinsIn(cwd).find(({ obligation }) => obligation.endsWith('/credentials'))
    expect(pin?.answers).toEqual([expect.stringMatching(/^400 /)])
  })
})
