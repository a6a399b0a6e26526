import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { writeLedger } from '../../../reports/index.ts'
import { foldLedger } from '../../../spec/index.ts'
import { exchange, response, start as startOf } from '../../reports/fixture.ts'
import { contracts } from '../../spec/contracts.ts'
import { type Context, emptyFolder, plantstore, type Started, start } from '../command.ts'

/** A document with one operation that needs an API key in its query. */
const documentWith = (id: string, title = 'Shop'): string => `openapi: 3.1.0
info: { title: ${title}, version: "1" }
components: { securitySchemes: { key: { type: apiKey, in: query, name: api_key } } }
security: [{ key: [] }]
paths:
  /${id}:
    get:
      operationId: ${id}
      parameters: [{ name: size, in: query, schema: { type: integer } }]
      responses: { "200": { description: d }, "400": { description: d } }
`

const startMock = async (args: readonly string[], context: Context = {}) => {
  const mock = start(['mock', '--port', '0', ...args], context)
  onTestFinished(() => mock.kill('SIGKILL'))
  const [, url = ''] = await mock.shows(/ at (http:\/\/[^/\s]+)/)
  return { ...mock, url }
}

const ended = async (mock: Started) => {
  mock.kill('SIGTERM')
  return mock.ended
}

const get = async (url: string): Promise<number> => {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  return answer.status
}

const folderWith = (files: Readonly<Record<string, string>>): string => {
  const cwd = emptyFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  return cwd
}

describe('--watch', () => {
  test('prints what is wrong on one line, and what has changed once the document is valid again', async () => {
    const cwd = folderWith({ 'api.yaml': documentWith('first') })
    const write = (text: string) => writeFileSync(join(cwd, 'api.yaml'), text)
    const mock = await startMock(['--spec', 'api.yaml', '--watch'], { cwd })
    await mock.shows(/reloads its documents when their files change\n/)
    write('openapi: [3.1.0\n')
    await mock.shows(/^api\.yaml:2: cannot be read: .*; the last usable version is still served$/m)
    expect(await get(`${mock.url}/first?api_key=k`)).toBe(200)
    write(documentWith('second'))
    await mock.shows(/^api\.yaml was read again: added second; removed first$/m)
    expect(await get(`${mock.url}/second?api_key=k`)).toBe(200)
    expect((await ended(mock)).code).toBe(143)
  })

  test.each([
    [['--watch'], '--watch needs a document to watch: give one with --spec or --mount'],
    [
      ['--watch', '--spec', 'http://127.0.0.1:9/api.yaml'],
      'http://127.0.0.1:9/api.yaml cannot be watched, only files can: save it as a file, or omit --watch',
    ],
    [
      ['--mount', '/a=x.yaml', '--mount', '/a=y.yaml'],
      'two documents have the same prefix: give each --mount its own',
    ],
    [
      ['--mount', '/__plantstore=x.yaml'],
      'the prefix /__plantstore is reserved for the mock: choose another',
    ],
  ])('%j is rejected in one line', async (args, message) => {
    expect(await plantstore(['mock', ...args])).toEqual({
      code: 2,
      stdout: '',
      stderr: `plantstore: ${message}\n`,
    })
  })

  test('a document that is invalid from the start exits with 3', async () => {
    const cwd = folderWith({ 'api.yaml': '[' })
    const { code, stderr } = await plantstore(['mock', '--watch', '--spec', 'api.yaml'], { cwd })
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/^plantstore: api\.yaml:1: /) })
  })

  test('a port in use exits with 2', async () => {
    const cwd = folderWith({ 'api.yaml': documentWith('first') })
    const first = await startMock(['--spec', 'api.yaml'], { cwd })
    const { port } = new URL(first.url)
    const { code, stderr } = await plantstore(['mock', '--watch', '--spec', 'api.yaml', '--port', port], {
      cwd,
    })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^plantstore: port \d+ is in use/),
    })
  })
})

describe('--mount', () => {
  test('serves each document below its prefix, and prints the URLs', async () => {
    const cwd = folderWith({
      'shop.yaml': documentWith('items'),
      'pay.yaml': documentWith('bills', 'Payments'),
    })
    const mock = await startMock(['--spec', 'shop.yaml', '--mount', '/billing=pay.yaml'], { cwd })
    expect(await get(`${mock.url}/items?api_key=k`)).toBe(200)
    expect(await get(`${mock.url}/billing/bills?api_key=k`)).toBe(200)
    expect(await get(`${mock.url}/bills`)).toBe(404)
    const { stdout, stderr } = await ended(mock)
    expect(stdout.replaceAll(mock.url, 'URL')).toBe(
      'mock of Shop 1 at URL\nmock of Payments 1 at URL/billing\n',
    )
    expect(stderr.replaceAll(mock.url, 'URL')).toBe(
      '  console URL/__plantstore/\n  GET    /items  \n  GET    /billing/bills  \n  accepts any well-formed token\n',
    )
  })

  test.each(['billing=pay.yaml', '/billing', '/billing=', '=pay.yaml'])('%s is rejected', async value => {
    const { code, stderr } = await plantstore(['mock', '--mount', value])
    expect(code).toBe(2)
    expect(stderr).toContain('It must be a prefix and a document, such as /billing=payments.yaml.')
  })

  test('of each document some operations are printed, and that its callbacks are not sent', async () => {
    const operation = (name: string, callbacks = ''): string =>
      `  /${name}: { get: { operationId: ${name}, ${callbacks} responses: { 200: { description: ok } } } }`
    const many = (name: string): string =>
      Array.from({ length: 9 }, (_, index) => operation(`${name}${index}`)).join('\n')
    const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths:\n'
    const callbacks = `callbacks: { done: { '{$request.query.to}': { post: { responses: { 200: { description: ok } } } } } },`
    const mock = await startMock(['--spec', 'a.yaml', '--mount', '/b=b.yaml'], {
      cwd: folderWith({
        'a.yaml': `${head}${many('a')}\n`,
        'b.yaml': `${head}${operation('order', callbacks)}\n${many('b')}\n`,
      }),
    })
    await mock.shows(/sends no callbacks: order declares some \(--callbacks sends them\)\n/)
    const { stderr } = await ended(mock)
    expect(stderr).toContain('  GET    /a5  \n  and 3 more\n  GET    /b/order  \n')
    expect(stderr).toContain('  GET    /b/b4  \n  and 4 more\n')
  })

  test('the base path that is served, and where callbacks go, are printed', async () => {
    const text = `openapi: 3.1.0
info: { title: T, version: "1" }
servers: [{ url: https://api.example/v1 }]
paths:
  /order:
    get:
      operationId: order
      callbacks: { done: { '{$request.query.to}': { post: { responses: { 200: { description: ok } } } } } }
      responses: { 200: { description: ok } }
`
    const cwd = folderWith({ 'a.yaml': text })
    const mock = await startMock(['--spec', 'a.yaml', '--callback-hosts', 'hooks.example'], { cwd })
    await mock.shows(/sends the callbacks of order, to this machine, private networks and hooks\.example\n/)
    const { stderr } = await ended(mock)
    expect(stderr).toMatch(/serves the same below http:\/\/127\.0\.0\.1:\d+\/v1 \(--base-path\)\n/)
    const bare = await startMock(['--spec', 'a.yaml', '--base-path', 'none'], { cwd })
    await bare.shows(/sends no callbacks: order/)
    expect((await ended(bare)).stderr).not.toContain('serves the same')
  })

  test('of many operations the first are printed, and the number of the others', async () => {
    const responses = '{ 200: { description: ok } }'
    const paths = Array.from(
      { length: 20 },
      (_, index) => `  /p${index}: { get: { responses: ${responses} } }`,
    )
    const head = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths:\n'
    const mock = await startMock(['--spec', 'api.yaml'], {
      cwd: folderWith({ 'api.yaml': `${head}${paths.join('\n')}\n` }),
    })
    await mock.shows(/well-formed token/)
    const { stderr } = await ended(mock)
    expect(stderr.split('\n')).toHaveLength(16)
    expect(stderr).toContain('  GET    /p11  \n  and 8 more\n')
  })
})

describe('--log', () => {
  const cwd = folderWith({ 'api.yaml': documentWith('items') })
  const startLogging = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const mock = await startMock(['--spec', 'api.yaml', ...args], { cwd, env: { TZ: 'UTC', ...env } })
    await mock.shows(/tokens?(?:"\})?\n/)
    return mock
  }
  const clock = /\d\d:\d\d:\d\d\.\d{3}/g
  const linesOf = (stderr: string): readonly string[] =>
    stderr
      .replace(clock, 'TIME')
      .replace(/\d+\.\d ms/g, 'N ms')
      .split('\n')
      .slice(3, -1)

  test('text shows time, method, target, status, duration, operation and violations', async () => {
    const mock = await startLogging(['--log', 'text'])
    await get(`${mock.url}/items?api_key=k&size=2`)
    await get(`${mock.url}/items?api_key=k&size=big`)
    await get(`${mock.url}/nowhere`)
    expect(linesOf((await ended(mock)).stderr)).toEqual([
      'TIME  GET /items?api_key={{token}}&size=2  200  N ms  items',
      'TIME  GET /items?api_key={{token}}&size=big  400  N ms  items',
      expect.stringMatching(/^ {2}the query parameter size must be an integer {2}items\/request\//),
      'TIME  GET /nowhere  404  N ms  not declared',
    ])
  })

  test('nothing is logged by default if standard error is not a terminal', async () => {
    const mock = await startLogging([])
    await get(`${mock.url}/items`)
    expect(linesOf((await ended(mock)).stderr)).toEqual([])
  })

  test('credentials are never logged: neither query parameters in any spelling, nor a known token anywhere', async () => {
    const secret = 'Tulip-7f3aC9-Garden'
    for (const format of ['text', 'json']) {
      const mock = await startLogging(['--log', format, '--token', secret])
      const targets = [
        `/items?API_KEY=guess-1`,
        `/items?api%5Fkey=guess-2`,
        `/items?size=1&access_token=guess-3`,
        `/no/${secret}/where`,
        `/items?size=${encodeURIComponent(Buffer.from(`user:${secret}`).toString('base64'))}`,
      ]
      for (const target of targets) await get(mock.url + target)
      const { stderr } = await ended(mock)
      expect(stderr.split('{{token}}')).toHaveLength(6)
      expect(stderr).not.toMatch(/guess|Tulip|VHVsaXA/)
    }
  })

  test('request targets cannot write control characters to the terminal', async () => {
    const mock = await startLogging(['--log', 'text'])
    await raw(mock.url, 'GET /\x9b31m\xc2\x85\xe2\x80\xae?a=\x1b[2J HTTP/1.1\r\nHost: a\r\n\r\n')
    await raw(mock.url, `GET /${'x'.repeat(900)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    const { stderr } = await ended(mock)
    expect(stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e]/)
    expect(stderr).toMatch(/x{200,400}… {2}404/)
  })

  test('json is one object per line, in ASCII, including the messages of the mock', async () => {
    const file = join(cwd, 'watched.yaml')
    writeFileSync(file, documentWith('items'))
    const mock = start(['mock', '--port', '0', '--spec', file, '--watch', '--log', 'json'], { cwd })
    onTestFinished(() => mock.kill('SIGKILL'))
    const [, url = ''] = await mock.shows(/ at (http:\S+)/)
    await mock.shows(/change"}\n/)
    await get(`${url}/items?api_key=k&size=${encodeURIComponent('ü')}`)
    writeFileSync(file, '[')
    await mock.shows(/still served/)
    const all = (await ended(mock)).stderr
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as { readonly method?: string; readonly message?: string })
    expect(all[0]).toEqual({ message: expect.stringMatching(/^console http:/) })
    const first = all.findIndex(({ method }) => method !== undefined)
    const [request, message] = all.slice(first)
    expect(request).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      method: 'GET',
      target: '/items?api_key={{token}}&size=%C3%BC',
      status: 400,
      ms: expect.any(Number),
      operation: 'items',
      violations: [{ id: expect.any(String), message: 'the query parameter size must be an integer' }],
      scenario: null,
    })
    expect(message).toEqual({ message: expect.stringContaining('watched.yaml:1: ') })
  })

  test('FORCE_COLOR forces colour, and NO_COLOR overrides it', async () => {
    const isColoured = async (env: Readonly<Record<string, string>>) => {
      const mock = await startLogging(['--log', 'text'], env)
      await get(`${mock.url}/items`)
      return (await ended(mock)).stderr.includes('\x1b[33m400\x1b[39m')
    }
    const environments = [{}, { FORCE_COLOR: '1' }, { FORCE_COLOR: '1', NO_COLOR: '1' }]
    expect(await Promise.all(environments.map(isColoured))).toEqual([false, true, false])
  })

  test('a reader that stops reading delays no request, and the number of dropped lines is logged', async () => {
    const mock = spawn(process.execPath, [inject('command'), 'mock', '--port', '0', '--log', 'json'], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void mock.kill('SIGKILL'))
    const [first] = (await once(mock.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer]
    const [, url = ''] = / at (http:\S+)/.exec(first.toString()) ?? []
    // More than the pipe and the log can hold together: 1 MiB and what the system has.
    const target = `${url}/${'x'.repeat(8000)}`
    const many = Array.from({ length: 50 }, async () => {
      for (let count = 0; count < 10; count++) expect(await get(target)).toBe(404)
    })
    await Promise.all(many)
    let log = ''
    mock.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
    await expect
      .poll(() => log, { timeout: 60_000 })
      .toMatch(/^\{"message":"\([\d,]+ lines of the log were dropped[^"]*"\}$/m)
    expect(log).toContain('"status":404')
    mock.kill('SIGTERM')
    expect(await once(mock, 'exit')).toEqual([143, null])
  })
})

/** Writes bytes to a socket of the mock, and waits until it is closed. */
const raw = async (url: string, bytes: string): Promise<void> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.resume()
  socket.end(Buffer.from(bytes, 'latin1'))
  // `once` would report a reset as an error.
  await new Promise<void>(done => socket.once('close', () => done()))
}

describe('state', () => {
  const spec = fileURLToPath(new URL('../../mock/resources/shop.openapi.yaml', import.meta.url))

  test('is announced with its collections, or with the reason why there are none', async () => {
    const shop = await startMock(['--spec', spec, '--stateful'])
    await shop.shows(/^ {2}keeps \/products, \/products\/\{productId\}\/reviews$/m)
    const plants = await startMock(['--stateful'])
    await plants.shows(/^ {2}keeps nothing: the operations of Plant Store form no resources$/m)
  })

  test('starts with seed data; what the contract does not allow there is an error with its line', async () => {
    const file = join(emptyFolder(), 'seeds.yaml')
    writeFileSync(
      file,
      '/products:\n  - id: 4b3d9c4e-2a52-4a0c-9a16-111111111111\n    name: Fern\n    price: three\n',
    )
    expect(await plantstore(['mock', '--port', '0', '--spec', spec, '--seed-data', file])).toMatchObject({
      code: 2,
      stderr: `plantstore: ${file}:4: /products[0]: /price must be a number\n`,
    })
  })
})

test('what is taken over of a server is announced; a ledger of another contract is an error', async () => {
  const file = join(emptyFolder(), 'ledger.ndjson')
  const recorded = startOf()
  const { digest } = contracts.plantStore
  const lawful = {
    ...exchange('1', 'auth/none', { expectation: 'reject', failed: [] }),
    outcome: response(400, '{}'),
  }
  const run = [{ ...recorded, contract: { ...recorded.contract, digest } }, lawful]
  writeFileSync(file, writeLedger(foldLedger(run)))
  const mock = await startMock(['--like', file])
  await mock.shows(/^ {2}rejects like https:\/\/staging\.example\.test, by cause, and answers like it:$/m)
  const spec = fileURLToPath(new URL('../../mock/resources/shop.openapi.yaml', import.meta.url))
  expect(await plantstore(['mock', '--port', '0', '--spec', spec, '--like', file])).toMatchObject({
    code: 2,
    stderr: `plantstore: --like: ${file} is of another contract (Plant Store, plant-store.openapi.yaml): give its document with --spec\n`,
  })
})
