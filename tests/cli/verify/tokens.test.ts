import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { filesIn } from '../../folder.ts'
import { during, emptyFolder, plantstore } from '../command.ts'
import { echoingStore, type storeWith } from '../servers.ts'

/** A text, and what it holds in base64. */
const readings = (text: string): readonly string[] => [
  text,
  ...(text.match(/[A-Za-z0-9+/]{8,}={0,2}/g) ?? []).map(word =>
    Buffer.from(word, 'base64').toString('latin1'),
  ),
]

describe('a token is in nothing that is written or said', () => {
  const leaks = async (url: string, token: string, args: readonly string[]): Promise<readonly string[]> => {
    const cwd = emptyFolder()
    const where = { cwd, env: { PLANTSTORE_TOKEN: token } }
    const har = 'plantstore-report/all.har'
    const run = await plantstore(['verify', url, '--report', 'all', '--har', har, '-v', ...args], where)
    const ledger = 'plantstore-report/ledger.ndjson'
    const id = /"type":"finding","id":"([^"]+)"/.exec(readFileSync(join(cwd, ledger), 'utf8'))?.[1] ?? '000'
    const again = await plantstore(['replay', ledger, id], where)
    const said: readonly (readonly [string, string])[] = [
      ['stdout', run.stdout],
      ['stderr', run.stderr],
      ['stdout of replay', again.stdout],
      ['stderr of replay', again.stderr],
      ...filesIn(join(cwd, 'plantstore-report')),
    ]
    // Something was said, and the answers that give the credentials back are among it.
    for (const file of ['ledger.ndjson', 'all.har'])
      expect(said.find(([name]) => name === file)?.[1].length ?? 0).toBeGreaterThan(10_000)
    return said.flatMap(([name, text]) =>
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
    'though the server gives it back in headers, plants and errors, and breaks promises: %s',
    token =>
      during(storeOf(token), async ({ url }) => {
        expect(await leaks(url, token, ['--cases', '300'])).toEqual([])
      }),
  )

  test('though the server refuses it, and says so with it', () =>
    during(storeOf('another'), async ({ url }) => {
      expect(await leaks(url, 'Refused-7f3aC9-Token', ['--cases', '300'])).toEqual([])
    }))

  test('though the answer is no text, and is recorded in base64', () =>
    during(bytesStore('Tulip-7f3aC9-Garden'), async ({ url }) => {
      expect(await leaks(url, 'Tulip-7f3aC9-Garden', ['--cases', '300'])).toEqual([])
    }))
})

/** An echoing store to which this token is right; it takes ids in quotes, so that there is something to find. */
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
