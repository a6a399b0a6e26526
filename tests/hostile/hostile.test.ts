/** Servers that mean harm cost a run little time, and get nothing. `npm run bench:hostile` measures all of them. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { startServer } from '../broken-servers/index.ts'
import { during, emptyFolder, plantstore } from '../cli/command.ts'
import { storeWith } from '../cli/servers.ts'
import { contracts } from '../spec/contracts.ts'
import { hostileServers } from './servers.ts'
import { leaksIn } from './token-leaks.ts'

const started = (name: string) => {
  const row = hostileServers.find(server => server.name === name)
  if (row === undefined) throw new Error(`there is no server ${name}`)
  return startServer({ name: 'hostile', about: name, parts: () => row.parts })
}

test.each([
  ['400,000 properties', 'nonconformant'],
  ['800,000 numbers', 'nonconformant'],
  ['one name 450,000 times', 'nonconformant'],
  // It is JSON, but longer than the suite reads.
  ['a number of 5,000,000 digits', 'partial'],
  ['5,000,000 open brackets', 'nonconformant'],
  ['2,500,000 nested lists', 'nonconformant'],
  ['a body of 5 MB in rejections', 'partial'],
  ['a lawful response, byte by byte', 'partial'],
  ['900 header fields', 'partial'],
])('%s: a run ends in time, and says %s', { timeout: 60_000 }, async (name, conclusion) => {
  const { end } = await during(started(name), ({ url, token }) =>
    verify({
      target: url,
      token,
      contract: contracts.plantStore,
      seed: 1,
      cases: 20,
      sustained: 0,
      only: ['createPlant/request/valid', 'createPlant/request/body/id', 'createPlant/response'],
    }),
  )
  expect(end?.conclusion).toBe(conclusion)
})

test('what only came in bodies beyond the limits of what is read is not tested, and has not passed', async () => {
  const name = 'a number with 2,500,000 zeros, and as large a negative exponent'
  const ledger = await during(started(name), ({ url, token }) =>
    verify({ target: url, token, contract: contracts.plantStore, seed: 1, cases: 300, sustained: 0 }),
  )
  const ofBodies = ledger.entries.filter(({ obligation: { id } }) =>
    /response\/400\/(?:json|schema)$/.test(id),
  )
  expect(ofBodies.map(({ verdict }) => verdict.kind)).toEqual(ofBodies.map(() => 'untested'))
  expect(ofBodies).not.toEqual([])
  expect(ledger.findings).toEqual([])
})

test.each(['a status line', 'a header', 'a body'])(
  '%s that comes byte by byte, without end: a run ends in time, and does not take it for an answer',
  async name => {
    const { end } = await during(started(`${name} without end, byte by byte`), ({ url, token }) =>
      verify({ target: url, token, contract: contracts.plantStore, seed: 1, cases: 60, timeoutMs: 200 }),
    )
    expect(end?.conclusion).toBe('inconclusive')
  },
)

test('a token that a server repeats in ten forms, or at the end of what is shown, is in no report', async () => {
  for (const name of [
    'the token in ten forms',
    'the token in the name of a header field',
    'the token at the end of what is shown',
  ])
    await during(started(name), async ({ url, token }) => {
      const cwd = emptyFolder()
      await plantstore(['verify', url, '--token', token, '--cases', '100', '--report', 'all'], { cwd })
      expect(leaksIn(join(cwd, 'plantstore-report'), token)).toEqual([])
    })
})

const askingToWait = (seconds: number) =>
  storeWith({
    respond: response => ({
      ...response,
      status: 429,
      headers: { ...response.headers, 'retry-after': String(seconds) },
    }),
  })

test('a run that is interrupted, or whose time is up, waits no longer for a server that asks to', async () => {
  for (const [limits, stopped] of [
    [{ signal: AbortSignal.timeout(300) }, 'interrupt'],
    [{ maxSeconds: 0.3 }, 'time'],
  ] as const)
    await during(askingToWait(4), async ({ url, token }) => {
      const began = performance.now()
      const { end } = await verify({ target: url, token, contract: contracts.plantStore, ...limits })
      expect(end?.stopped).toBe(stopped)
      expect(performance.now() - began).toBeLessThan(3500)
    })
})

test('a server that always asks to wait is asked no more after a few cases', async () => {
  const began = performance.now()
  const { end } = await during(askingToWait(0.1), ({ url, token }) =>
    verify({ target: url, token, contract: contracts.plantStore, cases: 1000 }),
  )
  expect(end?.conclusion).toBe('inconclusive')
  expect(performance.now() - began).toBeLessThan(30_000)
})
