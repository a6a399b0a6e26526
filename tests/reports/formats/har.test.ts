import fc from 'fast-check'
import { validateHar } from 'har-validator-compiled'
import { describe, expect, test } from 'vitest'
import { createHarStream } from '../../../reports/index.ts'
import { foldLedger, type Ledger, type RunEvent, type SentExchange } from '../../../spec/index.ts'
import { request, response } from '../fixture.ts'
import { anyLedger, anyText } from '../ledgers.ts'
import { runs } from '../runs.ts'
import { many } from './many.ts'

type Entry = {
  startedDateTime: string
  time: number
  request: {
    url: string
    headers: { name: string; value: string }[]
    cookies: { name: string; value: string }[]
    queryString: { name: string; value: string }[]
    postData?: { text: string; comment?: string }
  }
  response: {
    status: number
    statusText: string
    redirectURL: string
    comment?: string
    content: { text?: string; size: number; encoding?: string; comment?: string }
  }
}
type Log = { comment: string; entries: readonly Entry[] }

/** Reads a file as HAR 1.2, by the schemas of the format (har-schema). */
const read = (text: string): Log => {
  const har: unknown = JSON.parse(text)
  expect(() => validateHar(har)).not.toThrow()
  return (har as { log: Log }).log
}
const product = { name: 'plantstore-contract', version: '0.1.0' }
const began = Date.parse('2026-11-21T09:30:00.000Z')

const write = (exchanges: readonly SentExchange[], base = 'https://a.test'): string => {
  const stream = createHarStream({ product, origin: { base, began }, limit: 1e8 })
  return stream.head + exchanges.map(stream.entry).join('') + stream.tail(true)
}

/** Everything that was sent according to a ledger. */
const sentIn = ({ exchanges, findings }: Ledger): readonly SentExchange[] =>
  [...exchanges, ...findings].map(({ request, outcome }) => ({ request, outcome, at: 0 }))
const logOf = (events: readonly RunEvent[]): Log => read(write(sentIn(foldLedger(events))))

test('the schema rejects what is not HAR', () => {
  const har = JSON.parse(write(sentIn(foldLedger(runs.conformant))))
  har.log.entries[0].request.url = 7
  expect(() => validateHar(har)).toThrow()
})

test.each([...Object.entries(runs), ['many', many(10)] as const])(
  'the exchanges of the run %s are HAR 1.2',
  (_name, run) => {
    logOf(run)
  },
)

test('an entry has the request and the response', () => {
  const { entries } = logOf(runs.fiveFailures)
  expect(entries).toHaveLength(6)
  expect(entries[1]).toMatchObject({
    startedDateTime: '2026-11-21T09:30:00.000Z',
    request: { url: 'https://a.test/plants', postData: { text: '{"id":"0","name":""}' } },
    response: { status: 200, statusText: 'OK', content: { text: '{"name":""}', size: 11 } },
  })
})

test('a request without a response says why', () => {
  expect(logOf(runs.fiveFailures).entries.map(({ response }) => response.comment)).toContain(
    'no whole response (timeout): nothing came in 5,000 ms',
  )
})

test('queries, cookies, redirects, bytes and cut bodies are where readers look for them', () => {
  const exchange: SentExchange = {
    request: request(null, {
      target: '/x?a=1&b=%20%22&a=2',
      headers: [['Cookie', 'key={{token}}; theme=dark']],
    }),
    outcome: {
      kind: 'response',
      status: 302,
      headers: [
        ['Location', '/y'],
        ['Set-Cookie', 'sid=1=2; Path=/'],
      ],
      body: { encoding: 'base64', data: '/w==', bytes: 4000 },
      ms: 2,
    },
    at: 0,
  }
  const { entries } = read(write([exchange], 'https://a.test/base/'))
  expect(entries[0]).toMatchObject({
    request: {
      url: 'https://a.test/base/x?a=1&b=%20%22&a=2',
      queryString: [
        { name: 'a', value: '1' },
        { name: 'b', value: ' "' },
        { name: 'a', value: '2' },
      ],
      cookies: [
        { name: 'key', value: '{{token}}' },
        { name: 'theme', value: 'dark' },
      ],
    },
    response: {
      redirectURL: '/y',
      cookies: [{ name: 'sid', value: '1=2' }],
      content: { text: '/w==', encoding: 'base64', size: 4000, comment: 'the first 1 of 4,000 bytes' },
    },
  })
})

test('any exchange is HAR 1.2, with its texts unchanged', () => {
  fc.assert(
    fc.property(anyLedger, ledger => {
      const { entries } = read(write(sentIn(ledger)))
      expect(entries).toHaveLength(ledger.exchanges.length + ledger.findings.length)
      expect(entries[0]?.request.headers).toEqual(
        ledger.exchanges[0]?.request.headers.map(([name, value]) => ({ name, value })),
      )
    }),
  )
})

describe('a file that is written during the run', () => {
  const sent = (body: string, at: number, target = '/plants'): SentExchange => ({
    request: request(body, { target }),
    outcome: response(200, body),
    at,
  })
  const streamOf = (limit: number) =>
    createHarStream({
      product,
      origin: { base: 'https://a.test', began },
      limit,
    })

  test('is valid at each moment, and says whether the run is over', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, fc.nat(9999), anyText), { maxLength: 5 }), exchanges => {
        const stream = streamOf(1e6)
        let text = stream.head
        for (const [index, [body, at, target]] of exchanges.entries()) {
          const before = read(text + stream.tail(false))
          expect(before.entries).toHaveLength(index)
          expect(before.comment).toContain('The run was cut off')
          text += stream.entry(sent(body, at, target))
        }
        const log = read(text + stream.tail(true))
        expect(log.entries.map(({ request }) => request.postData?.text)).toEqual(
          exchanges.map(([body]) => (body.toWellFormed() === body ? body : expect.any(String))),
        )
        expect(log.comment).not.toContain('cut off')
      }),
    )
  })

  test('has the moment of each exchange', () => {
    const stream = streamOf(1e6)
    const { entries } = read(stream.head + stream.entry(sent('{}', 1500.4)) + stream.tail(true))
    expect(entries[0]).toMatchObject({ startedDateTime: '2026-11-21T09:30:01.500Z', time: 3.2 })
  })

  test('grows no larger than its limit, and counts what is left out', () => {
    const stream = streamOf(20_000)
    let text = stream.head
    for (let index = 0; index < 100; index++) text += stream.entry(sent(`"${'é'.repeat(400)}"`, index))
    // A small one is left out as well: a file with gaps would look complete.
    expect(stream.entry(sent('', 101))).toBe('')
    const { entries, comment } = read(text + stream.tail(true))
    expect(Buffer.byteLength(text + stream.tail(true))).toBeLessThanOrEqual(20_000)
    expect(entries.length).toBeGreaterThan(5)
    expect(stream.leftOut()).toBe(101 - entries.length)
    expect(comment).toContain(`${101 - entries.length} later exchanges left out`)
  })
})
