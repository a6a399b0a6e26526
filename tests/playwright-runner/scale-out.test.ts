/** A run over shards is the run as a whole: same verdicts, same findings, same requests. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { createMock } from '../../mock/index.ts'
import type { Ledger } from '../../spec/index.ts'
import { lawfulParts } from '../broken-servers/store/store.ts'
import { brokenStore, storeWith } from '../cli/servers.ts'
import { emptyFolder } from '../folder.ts'
import { ledgerIn, playwright } from './run.ts'

type Server = { readonly url: string; readonly token: string; readonly close: () => Promise<void> }

const mock = async (): Promise<Server> => {
  const { url, close } = await createMock({ tokens: ['right-token'] })
  return { url, token: 'right-token', close }
}

const on = async <T>(start: () => Promise<Server>, use: (server: Server) => Promise<T>): Promise<T> => {
  const server = await start()
  try {
    return await use(server)
  } finally {
    await server.close()
  }
}

/** What a run says, without what differs from run to run: times, ids of what was created to make cases small. */
const said = ({ entries, findings, end }: Ledger) => ({
  conclusion: end?.conclusion,
  digest: end?.digest,
  cases: end?.cases,
  verdicts: entries.map(({ obligation, verdict }) => [obligation.id, verdict]),
  findings: findings.map(({ id, obligation, also, expected, actual, repeat, cases }) => [
    [id, obligation, also.join(), repeat, cases],
    [expected, actual].map(text => text.replace(/\d{7,}/g, 'id')),
  ]),
})

const whole = ({ url, token }: Server): Promise<Ledger> => verify({ target: url, token, seed: 7, cases: 400 })

const envOf = ({ url, token }: Server, more: Readonly<Record<string, string>> = {}) => ({
  PLANTSTORE_URL: url,
  PLANTSTORE_TOKEN: token,
  ...more,
})

/** Sends the shards to a server, all at a time, as machines do, and gives the folder of their blob reports. */
const shards = async (server: Server, of: number): Promise<string> => {
  const blobs = emptyFolder()
  const send = async (shard: number): Promise<void> => {
    const { output } = await playwright(
      ['test', `--shard=${shard}/${of}`, '--workers=1', '--reporter=blob', '--output', emptyFolder()],
      envOf(server, {
        PLAYWRIGHT_BLOB_OUTPUT_DIR: join(blobs, String(shard)),
        PLAYWRIGHT_BLOB_OUTPUT_FILE: join(blobs, `${shard}.zip`),
      }),
    )
    expect({ output, there: existsSync(join(blobs, `${shard}.zip`)) }).toMatchObject({ there: true })
  }
  await Promise.all(Array.from({ length: of }, (_, place) => send(place + 1)))
  return blobs
}

const merge = async (blobs: string) => {
  const out = emptyFolder()
  return { ...(await playwright(['merge-reports', blobs], { PLANTSTORE_OUT: out })), out }
}

describe('shards that are merged equal the run as a whole', () => {
  test('four of a server that keeps its contract; where one is missing they are not green', async () => {
    const single = await on(mock, whole)
    const blobs = await on(mock, server => shards(server, 4))
    const { code, output, out } = await merge(blobs)
    expect({ code, output }).toMatchObject({ code: 0 })
    expect(said(ledgerIn(out))).toEqual(said(single))
    expect(said(single).conclusion).toBe('conformant')
    expect(existsSync(join(out, 'report.json'))).toBe(true)

    rmSync(join(blobs, '2.zip'))
    const less = await merge(blobs)
    expect(less.code).toBe(1)
    expect(less.output).toMatch(/1 of 5 cells of the plan are missing: createPlant\/\w+/)
    expect(ledgerIn(less.out).end?.conclusion).toBe('inconclusive')
  }, 60_000)

  test('two of a server that breaks it', async () => {
    const start = () => brokenStore('announces-text')
    const single = await on(start, whole)
    const { code, output, out } = await merge(await on(start, server => shards(server, 2)))
    expect({ code, output }).toMatchObject({ code: 1 })
    expect(said(ledgerIn(out))).toEqual(said(single))
    expect(single.findings.map(({ obligation }) => obligation)).toEqual([
      'createPlant/response/200/content-type',
    ])
  }, 60_000)
})

describe('tests and retries are what users of Playwright expect', () => {
  const run = async (server: Server, retries: number) => {
    const out = emptyFolder()
    const ran = await playwright(
      ['test', '--output', emptyFolder()],
      envOf(server, { PLANTSTORE_OUT: out, PLANTSTORE_RETRIES: String(retries) }),
    )
    return { ...ran, out }
  }

  test('a cell that is broken fails its test with the finding, and the others pass', async () => {
    const start = () => brokenStore('takes-null-id')
    const { code, output, out } = await on(start, server => run(server, 0))
    expect(code).toBe(1)
    expect(said(ledgerIn(out))).toEqual(said(await on(start, whole)))
    expect(output).toContain(
      'createPlant/request/body/id/type/null: null as `id` instead of an integer is rejected with a declared failure',
    )
    expect(output).toMatch(/wanted: .*\n.*got: .*200/)
    expect(output).toMatch(/1 failed\n.*createPlant › refuse.*\n.*4 passed/)
    expect(ledgerIn(out).end?.conclusion).toBe('nonconformant')
  }, 60_000)

  test('the last attempt counts, and what it did not show again is told as flaky', async () => {
    // Takes `null` for an id twice, and never again.
    let left = 2
    const healing = () => storeWith({ id: value => (value === null ? left-- > 0 : lawfulParts.id(value)) })
    const { code, output, out } = await on(healing, server => run(server, 1))
    expect({ code, output }).toMatchObject({ code: 0 })
    expect(output).toMatch(/1 flaky\n.*createPlant › refuse/)
    const ledger = ledgerIn(out)
    expect(ledger.end?.conclusion).toBe('conformant')
    expect(ledger.notes.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^flaky: .*createPlant\/request\/body\/id\/type\/null.* was broken when the cell createPlant\/refuse was first sent, and not at the last of 2 attempts$/,
      ),
    ])
  }, 60_000)
})
