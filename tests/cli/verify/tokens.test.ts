import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesIn } from '../../folder.ts'
import { during, emptyFolder, plantstore } from '../command.ts'
import { echoingStore, type storeWith } from '../servers.ts'

/** A text, and what it contains in base64. */
const readings = (text: string): readonly string[] => [
  text,
  ...(text.match(/[A-Za-z0-9+/]{8,}={0,2}/g) ?? []).map(word =>
    Buffer.from(word, 'base64').toString('latin1'),
  ),
]

describe.concurrent('a token is in nothing that is written or printed', () => {
  const leaks = async (url: string, token: string, args: readonly string[]): Promise<readonly string[]> => {
    const cwd = emptyFolder()
    const context = { cwd, env: { PLANTSTORE_TOKEN: token } }
    const har = 'plantstore-report/all.har'
    const run = await plantstore(['verify', url, '--report', 'all', '--har', har, '-v', ...args], context)
    const ledger = 'plantstore-report/ledger.ndjson'
    const id = /"type":"finding","id":"([^"]+)"/.exec(readFileSync(join(cwd, ledger), 'utf8'))?.[1] ?? '000'
    const again = await plantstore(['replay', ledger, id], context)
    const outputs: readonly (readonly [string, string])[] = [
      ['stdout', run.stdout],
      ['stderr', run.stderr],
      ['stdout of replay', again.stdout],
      ['stderr of replay', again.stderr],
      ...filesIn(join(cwd, 'plantstore-report')),
    ]
    // The responses that echo the credentials are recorded.
    for (const file of ['ledger.ndjson', 'all.har'])
      expect(outputs.find(([name]) => name === file)?.[1].length ?? 0).toBeGreaterThan(10_000)
    return outputs.flatMap(([name, text]) =>
      [token, encodeURIComponent(token)].flatMap(trace => {
        const found = readings(text).find(reading => reading.includes(trace))
        return found === undefined ? [] : [`${name}: ${around(found, trace)}`]
      }),
    )
  }
  const around = (text: string, trace: string): string => {
    const at = text.indexOf(trace)
    return text.slice(Math.max(0, at - 120), at + trace.length + 20)
  }

  test.each(['Tulip-7f3aC9-Garden', 'x7-Qz', 'eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJl+/=='])(
    'if the server echoes it in headers, plants and errors, and violates the contract: %s',
    token =>
      during(storeOf(token), async ({ url }) => {
        expect(await leaks(url, token, ['--cases', '300'])).toEqual([])
      }),
  )

  test('if the server rejects it, and echoes it', () =>
    during(storeOf('another'), async ({ url }) => {
      expect(await leaks(url, 'Refused-7f3aC9-Token', ['--cases', '300'])).toEqual([])
    }))

  test('if the response is binary, and recorded in base64', () =>
    during(bytesStore('Tulip-7f3aC9-Garden'), async ({ url }) => {
      expect(await leaks(url, 'Tulip-7f3aC9-Garden', ['--cases', '300'])).toEqual([])
    }))
})

/** An echoing store for which this token is right; it accepts ids in quotes, so that there is a finding. */
const storeOf = (right: string): ReturnType<typeof storeWith> =>
  echoingStore({
    authenticate: ({ request }) =>
      request.headers.authorization?.toLowerCase() === `bearer ${right}`.toLowerCase(),
    id: value => typeof value === 'bigint' || typeof value === 'string',
  })

const bytesStore = (right: string): ReturnType<typeof storeWith> =>
  echoingStore({
    authenticate: ({ request }) => request.headers.authorization === `Bearer ${right}`,
    write: (value, { request }) =>
      Buffer.concat([
        Buffer.from([0xff]),
        Buffer.from(`${request.headers.authorization} ${JSON.stringify(value)}`),
      ]),
  })
