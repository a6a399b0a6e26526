/** A run over several shards equals a single run: same verdicts, same findings, same requests. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { createMock } from '../../mock/index.ts'
import type { Ledger } from '../../spec/index.ts'
import { lawfulParts } from '../broken-servers/store/store.ts'
import { brokenStore, storeWith } from '../cli/servers.ts'
import { conclusionSoFar } from '../conclusion-so-far.ts'
import { emptyFolder } from '../folder.ts'
import { ledgerIn, playwright } from './run.ts'

type Server = { readonly url: string; readonly token: string; readonly close: () => Promise<void> }

const mock = async (): Promise<Server> => {
  const { url, close } = await createMock({ tokens: ['right-token'] })
  return { url, token: 'right-token', close }
}

const withServer = async <T>(
  start: () => Promise<Server>,
  use: (server: Server) => Promise<T>,
): Promise<T> => {
  const server = await start()
  try {
    return await use(server)
  } finally {
    await server.close()
  }
}

/** The result of a run, without what differs from run to run: times, and the ids of what was created while minimising. */
const resultOf = ({ entries, findings, end }: Ledger) => ({
  conclusion: end?.conclusion,
  digest: end?.digest,
  cases: end?.cases,
  verdicts: entries.map(({ obligation, verdict }) => [obligation.id, verdict]),
  findings: findings.map(({ id, obligation, also, expected, actual, repeat, cases }) => [
    [id, obligation, also.join(), repeat, cases],
    [expected, actual].map(text => text.replace(/\d{7,}/g, 'id')),
  ]),
})

const singleRun = ({ url, token }: Server): Promise<Ledger> =>
  verify({ target: url, token, seed: 7, cases: 350, minTested: 0.999 })

const envOf = ({ url, token }: Server, more: Readonly<Record<string, string>> = {}) => ({
  PLANTSTORE_URL: url,
  PLANTSTORE_TOKEN: token,
  ...more,
})

/** Sends one shard, and leaves its blob report in a folder. */
const sendShard = async (server: Server, blobs: string, shard: number, total: number, seed = 7) => {
  const { output } = await playwright(
    ['test', `--shard=${shard}/${total}`, '--workers=1', '--reporter=blob', '--output', emptyFolder()],
    envOf(server, {
      PLANTSTORE_SEED: String(seed),
      PLAYWRIGHT_BLOB_OUTPUT_DIR: join(blobs, String(shard)),
      PLAYWRIGHT_BLOB_OUTPUT_FILE: join(blobs, `${shard}.zip`),
    }),
  )
  expect({ output, exists: existsSync(join(blobs, `${shard}.zip`)) }).toMatchObject({ exists: true })
}

/** Sends all shards at once, as several machines do, and returns the folder of their blob reports. */
const sendShards = async (server: Server, total: number): Promise<string> => {
  const blobs = emptyFolder()
  await Promise.all(Array.from({ length: total }, (_, index) => sendShard(server, blobs, index + 1, total)))
  return blobs
}

const merge = async (blobs: string) => {
  const out = emptyFolder()
  return { ...(await playwright(['merge-reports', blobs], { PLANTSTORE_OUT: out })), out }
}

test('merged shards of a conforming server equal a single run; if one is missing or of another seed, the merge fails', async () => {
  const single = await withServer(mock, singleRun)
  const blobs = await withServer(mock, server => sendShards(server, 2))
  const { code, output, out } = await merge(blobs)
  expect({ code, output }).toMatchObject({ code: 0 })
  expect(resultOf(ledgerIn(out))).toEqual(resultOf(single))
  expect(conclusionSoFar(single)).toBe('conformant')
  expect(existsSync(join(out, 'report.json'))).toBe(true)

  rmSync(join(blobs, '2.zip'))
  const partial = await merge(blobs)
  expect(partial.code).toBe(1)
  expect(partial.output).toMatch(/2 of 5 slices of the plan are missing: createPlant\/\w+/)
  expect(ledgerIn(partial.out).end?.conclusion).toBe('partial')

  await withServer(mock, server => sendShard(server, blobs, 2, 2, 8))
  const mixed = await merge(blobs)
  expect({ code: mixed.code, files: readdirSync(mixed.out) }).toEqual({ code: 1, files: [] })
  expect(mixed.output).toMatch(/^the shards differ in their seed: (7 and 8|8 and 7)$/m)
}, 120_000)

describe('tests and retries behave as users of Playwright expect', () => {
  const run = async (server: Server, retries: number, workers = 2) => {
    const out = emptyFolder()
    const result = await playwright(
      ['test', `--workers=${workers}`, '--output', emptyFolder()],
      envOf(server, { PLANTSTORE_OUT: out, PLANTSTORE_RETRIES: String(retries) }),
    )
    return { ...result, out }
  }

  test('a test fails with the finding if its slice shows the failure, and the others pass', async () => {
    const start = () => brokenStore('takes-null-id')
    const { code, output, out } = await withServer(start, server => run(server, 0))
    expect(code).toBe(1)
    expect(resultOf(ledgerIn(out))).toEqual(resultOf(await withServer(start, singleRun)))
    expect(output).toContain('Error: accepted null as `id` instead of an integer\n')
    expect(output).toMatch(
      /requirement +null as `id` instead of an integer is rejected with a declared failure\n +MUST · createPlant\/request\/body\/id\/type\/null · /,
    )
    expect(output).toMatch(/expected +400.*\n +actual +200 .*\n +request +POST .*\n +reproduce +curl /)
    // The slice `stability` also sends requests that the server has to reject.
    expect(output).toMatch(/2 failed\n.*createPlant › reject.*\n.*createPlant › stability.*\n.*3 passed/)
    expect(ledgerIn(out).end?.conclusion).toBe('nonconformant')
  }, 120_000)

  test('the last attempt counts, and what failed in an earlier one only is reported as flaky', async () => {
    // Accepts `null` as an id twice, and never again.
    let left = 2
    const recovering = () => storeWith({ id: value => (value === null ? left-- > 0 : lawfulParts.id(value)) })
    const { code, output, out } = await withServer(recovering, server =>
      // One slice after the other: two at a time could each get one of the two.
      run(server, 1, 1),
    )
    expect({ code, output }).toMatchObject({ code: 0 })
    expect(output).toMatch(/1 flaky\n.*createPlant › reject/)
    const ledger = ledgerIn(out)
    expect(conclusionSoFar(ledger)).toBe('conformant')
    expect(ledger.notes.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^flaky: .*createPlant\/request\/body\/id\/type\/null.* failed in an earlier attempt at createPlant\/reject, but not in the last of 2$/,
      ),
    ])
  }, 120_000)
})
