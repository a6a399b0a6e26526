/** The console's own paths. Its page is tested in console-page.test.ts. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { request as playwright } from 'playwright'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { eventStream } from '../../mock/console/events.ts'
import type { Detail, OperationSheet, Outline, Sample, SeenAll, Summary } from '../../mock/console/shape.ts'
import type { Mock } from '../../mock/index.ts'
import { createJournal } from '../../mock/journal.ts'
import { loadContract, plantStoreDocument } from '../../spec/index.ts'
import { libraryDocument, ordersDocument, paymentsDocument } from '../documents/index.ts'
import { importsOf } from '../imports.ts'
import { ask, exchange, json, postPlant, startMock } from './ask.ts'

const base = '/__plantstore'
const documents = {
  plantStore: fileURLToPath(plantStoreDocument),
  library: libraryDocument,
  orders: ordersDocument,
  payments: paymentsDocument,
}

const own = (mock: Mock, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${mock.url}${base}/${path}`, { redirect: 'manual', ...init })

const told = async <T>(mock: Mock, path: string): Promise<T> => (await own(mock, path)).json() as Promise<T>

const detailOf = (mock: Mock, number: number): Promise<Detail> =>
  told(mock, `requests/${number}?origin=${encodeURIComponent(mock.url)}`)

const last = (mock: Mock) => mock.journal.entries().at(-1)

describe('the page', () => {
  test('is a document that runs nothing but its own scripts, talks to nobody else and stands in no frame', async () => {
    const mock = await startMock()
    const response = await own(mock, '')
    const text = await response.text()
    expect(response.status).toBe(200)
    const policy = response.headers.get('content-security-policy') ?? ''
    const [, map = ''] = /<script type="importmap">(.*?)<\/script>/s.exec(text) ?? []
    expect(policy).toContain(
      `script-src 'self' 'sha256-${createHash('sha256').update(map).digest('base64')}'`,
    )
    for (const part of [`default-src 'none'`, `connect-src 'self'`, `frame-ancestors 'none'`])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('is found without its last slash', async () => {
    const mock = await startMock()
    const response = await fetch(mock.url + base)
    expect(response.url).toBe(`${mock.url}${base}/`)
    expect(response.status).toBe(200)
  })

  test('has a title that is text, whatever the document is called', async () => {
    const mock = await startMock()
    const title = '</title><script>alert(1)</script>'
    const named = await startMock({ contract: { ...mock.contract, title } })
    const text = await (await own(named, '')).text()
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('&#60;script&#62;')
  })

  test('every module that it imports is served as JavaScript, and so is every style sheet', async () => {
    const mock = await startMock()
    const document = await (await own(mock, '')).text()
    const { imports } = JSON.parse(/importmap">(.*?)</s.exec(document)?.[1] ?? '') as {
      imports: Record<string, string>
    }
    const seen = new Set<string>()
    const load = async (path: string): Promise<void> => {
      if (seen.has(path)) return
      seen.add(path)
      const response = await own(mock, path)
      expect({ path, status: response.status, type: response.headers.get('content-type') }).toEqual({
        path,
        status: 200,
        type: 'text/javascript; charset=utf-8',
      })
      const names = importsOf(await response.text())
      await Promise.all(
        names.map(name =>
          load(
            name.startsWith('.')
              ? new URL(name, `http://x/${path}`).pathname.slice(1)
              : (imports[name] ?? name).slice(2),
          ),
        ),
      )
    }
    await load(/type="module" src="([^"]+)"/.exec(document)?.[1] ?? '')
    expect(seen.size).toBeGreaterThan(20)
    for (const [, file = ''] of document.matchAll(/stylesheet" href="([^"]+)"/g))
      expect((await own(mock, file)).headers.get('content-type')).toBe('text/css; charset=utf-8')
  })

  test('no other file can be had', async () => {
    const mock = await startMock()
    for (const path of [
      'page/..%2fconsole.ts',
      'page/%2fetc%2fpasswd',
      'page/',
      'page',
      'library/fs.js',
      'page/tsconfig.json',
    ])
      expect((await own(mock, path)).status).toBe(404)
  })
})

describe('requests', () => {
  test('are told with what they broke, without their tokens', async () => {
    const mock = await startMock()
    await ask(mock, postPlant('{"id":"2"}', { Authorization: 'Bearer s3cret-token' }))
    await ask(mock, { method: 'GET', path: '/nowhere?access_token=s3cret-token' })
    await exchange(mock, 'NONSENSE\r\n\r\n')
    const response = await own(mock, 'requests')
    const text = await response.text()
    expect(text).not.toContain('s3cret')
    expect(JSON.parse(text)).toMatchObject([
      {
        number: 1,
        method: 'POST',
        operation: 'createPlant',
        breaches: [{}, { id: 'createPlant/request/body/id/type/numeral' }],
      },
      { number: 2, target: '/nowhere?access_token=••••••', operation: null },
      { number: 3, method: '', status: 400 },
    ])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('each is told whole: the promise that it broke, where that stands, and what is secret in it', async () => {
    const mock = await startMock()
    await ask(mock, postPlant('{"id":"2","name":"s3cret-token"}', { Authorization: 'Bearer s3cret-token' }))
    const detail = await detailOf(mock, 1)
    expect(detail.broken).toEqual([
      expect.objectContaining({
        id: 'createPlant/request/body/id/type/numeral',
        message: '/id must be an integer',
        promise: 'a number in quotation marks for `id` is refused: it is an integer',
        place: expect.stringMatching(/plant-store\.openapi\.yaml:57$/),
      }),
    ])
    expect(detail.secrets).toEqual(['s3cret-token'])
    expect(detail.headers).toContainEqual({
      name: 'Authorization',
      value: 'Bearer s3cret-token',
      hidden: 'Bearer ••••••',
    })
    expect(JSON.stringify([detail.hidden, detail.again])).not.toContain('s3cret')
    expect((await own(mock, 'requests/99')).status).toBe(404)
  })

  test.each([
    [
      'an API key in a query',
      { method: 'GET', path: '/books?key=s3cret-key&limit=1' },
      '/books?key=••••••&limit=1',
    ],
    [
      'a key that is percent-encoded',
      { method: 'GET', path: '/books?key=s3cret%2Dkey' },
      '/books?key=••••••',
    ],
  ] as const)('%s does not show', async (_name, request, shown) => {
    const library = await loadContract({ from: libraryDocument })
    const scheme = { kind: 'apiKey', name: 'key', in: 'query', key: 'key', pointer: '' } as const
    const operations = library.operations.map(operation => ({ ...operation, security: [[scheme]] }))
    const mock = await startMock({ contract: { ...library, operations }, warn: () => {} })
    await ask(mock, request)
    const [summary] = await told<readonly Summary[]>(mock, 'requests')
    expect(summary?.target).toBe(shown)
    const { secrets, hidden } = await detailOf(mock, 1)
    expect(secrets).toContain('s3cret-key')
    expect(JSON.stringify(hidden)).not.toContain('s3cret')
  })

  test('user and password of Basic credentials, cookies and headers named after secrets are none of a reader’s business', async () => {
    const mock = await startMock()
    await ask(mock, {
      method: 'GET',
      path: '/x',
      headers: {
        Authorization: `Basic ${btoa('anna:geheim1')}`,
        Cookie: 'a=first-one; b=second-one',
        'X-Session-Id': 'third-one',
      },
    })
    const { headers, secrets } = await detailOf(mock, 1)
    expect(secrets).toEqual(
      expect.arrayContaining(['anna:geheim1', btoa('anna:geheim1'), 'first-one', 'second-one', 'third-one']),
    )
    expect(JSON.stringify(headers.map(({ hidden }) => hidden))).not.toMatch(/-one|YW5u/)
  })

  test('bytes, cut bodies and int64 arrive as they were', async () => {
    const mock = await startMock()
    await ask(mock, postPlant(Uint8Array.of(0, 255, 1)))
    await ask(mock, postPlant(`{"id":9223372036854775807,"name":"${'é'.repeat(50_000)}"}`))
    const [bytes, long] = [await detailOf(mock, 1), await detailOf(mock, 2)]
    expect(bytes.body).toEqual({ size: 3, kept: 3, text: null, base64: 'AP8B' })
    expect(long.body).toMatchObject({ kept: 65_536, base64: null })
    expect(long.body?.size).toBeGreaterThan(100_000)
    expect(long.body?.text).toMatch(/^\{"id":9223372036854775807,/)
    expect(long.hidden).toEqual({ why: expect.stringContaining('65536 of') })
  })

  test('can be cleared; numbers go on', async () => {
    const mock = await startMock()
    await ask(mock, { method: 'GET', path: '/1' })
    expect((await own(mock, 'requests', { method: 'DELETE' })).status).toBe(204)
    expect(await told(mock, 'requests')).toEqual([])
    await ask(mock, { method: 'GET', path: '/2' })
    expect(await told(mock, 'requests')).toMatchObject([{ number: 2, target: '/2' }])
  })

  test('are for no page of another origin, and neither are their events', async () => {
    const mock = await startMock()
    for (const path of ['', 'requests', 'requests/1', 'events', 'seen', 'contract'])
      expect((await own(mock, path, { headers: { Origin: 'http://shop.example' } })).status).toBe(403)
    expect((await own(mock, 'requests', { method: 'DELETE', headers: { Origin: 'null' } })).status).toBe(403)
  })
})

describe('copies', () => {
  const hostile = `{"id":9223372036854775807,"name":"it's \\"q\\" $HOME \`id\` \\\\ \${1} \u202e é 🌱 <b>\\n"}`
  const cases = [
    ['a valid request', postPlant('{"id":1,"name":"Fern"}', { Authorization: 'Bearer s3cret-token' })],
    [
      'text that shells and programs read otherwise',
      postPlant(hostile, { Authorization: 'Bearer s3cret-token', 'X-Note': `it's "$HOME" \`id\`` }),
    ],
    [
      'a token in the body as well',
      postPlant('{"id":1,"name":"it is s3cret-token"}', { Authorization: 'Bearer s3cret-token' }),
    ],
    ['bytes', postPlant(Uint8Array.of(0, 1, 2, 253, 254, 255), { Authorization: 'Bearer s3cret-token' })],
    [
      'no body',
      { method: 'GET', path: '/plants?a=1&b=%20%7B', headers: { Authorization: 'Bearer s3cret-token' } },
    ],
  ] as const

  test.each(cases)('as curl, fetch and Playwright test send the same again: %s', async (_name, request) => {
    const mock = await startMock()
    await ask(mock, request)
    const first = last(mock)
    const { hidden, revealed } = await detailOf(mock, 1)
    if ('why' in hidden || 'why' in revealed) throw new Error('nothing was copied')
    expect(JSON.stringify(hidden)).not.toContain('s3cret')
    const env = { ...process.env, PLANTSTORE_TOKEN: 's3cret-token' }
    const ways = [
      () => promisify(execFile)('bash', ['-c', hidden.curl], { env }),
      () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', hidden.fetch], { env }),
      () => runPlaywright(hidden.playwright, env),
      () => promisify(execFile)('bash', ['-c', revealed.curl]),
      () => runPlaywright(revealed.playwright, {}),
    ]
    for (const way of ways) {
      await way()
      const again = last(mock)
      expect(again?.number).not.toBe(first?.number)
      expect(sentBy(again)).toEqual(sentBy(first))
    }
    function sentBy(entry: ReturnType<typeof last>) {
      return {
        method: entry?.method,
        target: entry?.target,
        body: Buffer.from(entry?.body ?? []).toString('hex'),
        authorization: entry?.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1],
        note: entry?.headers.find(([name]) => name.toLowerCase() === 'x-note')?.[1],
        status: entry?.status,
        breaches: entry?.breaches,
      }
    }
  })

  /** The text as the runner of Playwright would run it, with its real API for requests. */
  const runPlaywright = async (text: string, env: object): Promise<void> => {
    const context = await playwright.newContext()
    const body = text.replace(/^import .*$/m, '')
    const tests: Promise<void>[] = []
    const run = new Function('test', 'expect', 'process', body)
    run(
      (_name: string, own: (fixtures: object) => Promise<void>) => tests.push(own({ request: context })),
      expect,
      { env },
    )
    expect(tests).toHaveLength(1)
    await Promise.all(tests)
    await context.dispose()
  }

  test('of cookies of other applications there are none', async () => {
    const mock = await startMock()
    await ask(mock, { method: 'GET', path: '/x', headers: { Cookie: 'theirs=1' } })
    expect(JSON.stringify((await detailOf(mock, 1)).hidden)).not.toMatch(/cookie/i)
  })
})

describe('events', () => {
  /** Reads events until there are so many entries. */
  const read = async (mock: Mock, count: number, headers: Record<string, string> = {}) => {
    const abort = new AbortController()
    const response = await own(mock, 'events', { headers, signal: abort.signal })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk as Uint8Array)
      if (entriesIn(text).length >= count) break
    }
    abort.abort()
    return { entries: entriesIn(text), run: /event: run\ndata: (\S+)/.exec(text)?.[1], text }
  }
  const entriesIn = (text: string): readonly Summary[] =>
    text
      .split('\n\n')
      .slice(0, -1)
      .filter(event => event.includes('event: entries'))
      .flatMap(event => JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? '[]') as Summary[])

  test('begin with what is kept, go on with what comes, and resume after the last one that was read', async () => {
    const mock = await startMock()
    for (const path of ['/1', '/2', '/3']) await ask(mock, { method: 'GET', path })
    const all = read(mock, 4)
    await vi.waitFor(async () => {
      await ask(mock, { method: 'GET', path: '/4' })
      expect((await all).entries.map(({ target }) => target).slice(0, 4)).toEqual(['/1', '/2', '/3', '/4'])
    })
    const { run } = await all
    const resumed = await read(mock, 1, { 'Last-Event-ID': `${run}.2` })
    expect(resumed.entries[0]?.number).toBe(3)
    const other = await read(mock, 1, { 'Last-Event-ID': 'another.2' })
    expect(other.entries[0]?.number).toBe(1)
  })

  test('end with the mock', async () => {
    const mock = await startMock()
    const response = await own(mock, 'events')
    const reader = response.body?.getReader()
    await reader?.read()
    const end = reader?.read().then(
      ({ done }) => done,
      () => true,
    )
    await mock.close()
    expect(await end).toBe(true)
  })

  const entry = { method: 'GET', target: '/', headers: [], body: null, tooLarge: false, connection: {} }
  const answer = { status: 200, headers: [], body: new Uint8Array() }
  const text = ({ value }: IteratorResult<Uint8Array>): string =>
    new TextDecoder().decode(value as Uint8Array)

  test('hold nothing for a reader that does not read: it gets what the journal still has', async () => {
    const journal = createJournal({ now: () => 0, ticks: () => 0 })
    const stream = eventStream(journal, 'run', null, ({ number }) => number)[Symbol.asyncIterator]()
    await stream.next()
    for (let count = 0; count < 20_000; count++) journal.record(entry, answer, 0)
    const batch = text(await stream.next())
    expect(JSON.parse(/^data: (.*)$/m.exec(batch)?.[1] ?? '')).toEqual(
      Array.from({ length: 500 }, (_, index) => 19_501 + index),
    )
    expect(batch).toMatch(/^id: run\.20000$/m)
    await stream.return?.()
  })

  test('are still there when nothing happens for a while, and stop at once when they are left', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const journal = createJournal({ now: () => 0, ticks: () => 0 })
    const stream = eventStream(journal, 'run', null, ({ number }) => number)[Symbol.asyncIterator]()
    expect(text(await stream.next())).toContain('event: run')
    const silent = stream.next()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(text(await silent)).toBe(': still here\n\n')
    const waiting = stream.next()
    await stream.return?.()
    expect(await waiting).toEqual({ done: true, value: undefined })
    expect(vi.getTimerCount()).toBe(0)
  })

  test('a reader that is gone leaves no listener behind', async () => {
    const mock = await startMock()
    const socket = connect(Number(new URL(mock.url).port), '127.0.0.1')
    socket.write(`GET ${base}/events HTTP/1.1\r\nHost: x\r\n\r\n`)
    await new Promise(resolve => socket.once('data', resolve))
    socket.resetAndDestroy()
    for (let count = 0; count < 20; count++) await ask(mock, { method: 'GET', path: '/' })
    expect(mock.journal.entries()).toHaveLength(20)
  })
})

describe('the contract', () => {
  test('is told operation by operation', async () => {
    const mock = await startMock({ tokens: ['one'] })
    expect(await told<Outline>(mock, 'contract')).toMatchObject({
      title: 'Plant Store',
      anyToken: false,
      operations: [{ id: 'createPlant', method: 'POST', path: '/plants', statuses: ['200', '400'] }],
    })
    const sheet = await told<OperationSheet>(mock, 'contract/createPlant')
    expect(sheet.bodies[0]?.lines.map(({ name, types, required }) => [name, types, required])).toEqual([
      ['', 'object', false],
      ['name', 'string', true],
      ['tag', 'string', false],
      ['id', 'integer', true],
    ])
    expect(sheet.obligations.length).toBeGreaterThan(200)
    expect((await own(mock, 'contract/nothing')).status).toBe(404)
  })

  test.each(Object.entries(documents))(
    'its samples are what they say they are, sent as they stand: %s',
    async (_name, contract) => {
      const mock = await startMock({ contract, warn: () => {} })
      const { operations } = await told<Outline>(mock, 'contract')
      for (const { id, method } of operations) {
        const samples = await told<readonly Sample[]>(mock, `samples/${encodeURIComponent(id)}`)
        expect(samples.filter(({ breaks }) => breaks === null).length, id).toBeGreaterThan(0)
        for (const { title, breaks, target, headers, body } of samples) {
          const fill = (text: string): string =>
            text.replaceAll('{{token}}', 'tok').replaceAll('{{token:basic}}', btoa('tok'))
          if (method === 'GET' && body !== null) continue
          await ask(mock, {
            method,
            path: fill(target),
            headers: Object.fromEntries(headers.map(([name, value]) => [name, fill(value)])),
            ...(body === null ? {} : { body: Buffer.from(body) }),
          })
          expect({ title, breaches: last(mock)?.breaches.length }).toEqual({
            title,
            breaches: breaks === null ? 0 : expect.toSatisfy(count => count > 0),
          })
        }
        const broken = samples.flatMap(({ breaks }) => breaks ?? [])
        const { operations: seen } = await told<SeenAll>(mock, 'seen')
        expect(broken.filter(breaks => !seen[id]?.obligations.includes(breaks))).toEqual([])
      }
    },
  )

  test('most ways of breaking the plant store’s have a sample', async () => {
    const mock = await startMock()
    const samples = await told<readonly Sample[]>(mock, 'samples/createPlant')
    const { obligations } = await told<OperationSheet>(mock, 'contract/createPlant')
    const refused = obligations.filter(({ family }) => family === 'refuse').map(({ id }) => id)
    const broken = refused.filter(id => samples.some(({ breaks }) => breaks === id))
    expect(broken.length).toBeGreaterThan(refused.length * 0.9)
  })
})

describe('what was exercised', () => {
  test('is told by operation, status and promise', async () => {
    const mock = await startMock()
    await ask(mock, postPlant('{"id":9223372036854775807,"name":"Fern"}'))
    await ask(mock, postPlant('{"id":1,}'))
    await ask(mock, postPlant('{"id":1,"name":"Fern"}', { Authorization: 'Basic abc' }))
    await ask(mock, { method: 'GET', path: '/nowhere' })
    const { operations, undeclared } = await told<SeenAll>(mock, 'seen')
    const { requests, statuses, obligations = [] } = operations.createPlant ?? {}
    expect({ requests, statuses, undeclared }).toEqual({
      requests: 3,
      statuses: { 200: 1, 400: 2 },
      undeclared: 1,
    })
    for (const id of [
      'createPlant/request/body/id/int64-max',
      'createPlant/request/body/json/trailing-comma',
      'createPlant/auth/wrong-scheme',
      'createPlant/response/200/body/name/required',
      'createPlant/response/400/body/error/format',
    ])
      expect(obligations).toContain(id)
    for (const id of [
      'createPlant/request/body/id/int64-min',
      'createPlant/auth/absent',
      'createPlant/request/body/name/required',
    ])
      expect(obligations).not.toContain(id)
  })

  test('counts all requests, also those that are not kept', async () => {
    const mock = await startMock()
    for (let count = 0; count < 510; count++) await ask(mock, postPlant('{"id":1}', json))
    const { operations } = await told<SeenAll>(mock, 'seen')
    expect(operations.createPlant?.statuses).toEqual({ 400: 510 })
    await own(mock, 'requests', { method: 'DELETE' })
    expect(await told(mock, 'seen')).toEqual({ operations: {}, undeclared: 0 })
  })
})

test('of several documents each operation is told below its prefix, and what was asked of it is counted', async () => {
  const { plantStore, payments } = documents
  const mock = await startMock({ documents: { '/shop': plantStore, '/pay': payments } })
  const { operations } = await told<Outline>(mock, 'contract')
  expect(operations.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/shop/plants', '/pay/payments']),
  )
  const [sample] = await told<readonly Sample[]>(mock, 'samples/createPlant')
  expect(sample?.target).toBe('/shop/plants')
  await ask(mock, { ...postPlant(sample?.body ?? ''), path: '/shop/plants' })
  const seen = (await told<SeenAll>(mock, 'seen')).operations.createPlant
  expect(seen?.statuses).toEqual({ 200: 1 })
  expect(seen?.obligations).toContain('createPlant/request/valid')
})
