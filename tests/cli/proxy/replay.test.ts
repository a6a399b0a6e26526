/** Recorded traffic as the answers of the mock, and of a proxy that sends only some requests to its server. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { libraryDocument } from '../../documents/index.ts'
import { listen } from '../../listen.ts'
import { during, emptyFolder, plantstore, start } from '../command.ts'
import { harOf } from './har.ts'

type Running = { readonly url: string; readonly stop: () => Promise<{ readonly stderr: string }> }

/** Starts a mock or a proxy with what this file has recorded. */
const running = async (
  har: string | null,
  args: readonly string[],
  cwd = emptyFolder(),
): Promise<Running> => {
  if (har !== null) writeFileSync(join(cwd, 'traffic.har'), har)
  const run = start([...args, '--port', '0', '--log', 'text'], { cwd })
  const [, url = ''] = await run.shows(/^(?:mock of .*|proxy) at (http:\/\/[\d.:]+)/m)
  await run.shows(/console .*\n/)
  return {
    url,
    stop: () => {
      run.kill('SIGINT')
      return run.ended
    },
  }
}

const replaying = (har: string, ...args: readonly string[]): Promise<Running> =>
  running(har, ['mock', '--replay', 'traffic.har', ...args])

const post = async (url: string, body: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(`${url}/plants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer any', ...headers },
    body,
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

const fern = { body: '{"id":1,"name":"Fern"}', answer: '{"name":"Fern of the record"}' }

describe.concurrent('plantstore mock --replay', () => {
  test('answers a request of the same meaning as it was recorded, and others as usual', async () => {
    const { url, stop } = await replaying(harOf([fern]))
    expect(await post(url, '{ "name": "Fern", "id": 1.0 }')).toMatchObject({
      status: 200,
      text: '{"name":"Fern of the record"}',
    })
    expect((await post(url, '{"id":2,"name":"Fern"}')).text).toBe('{"name":"Fern"}')
    const { stderr } = await stop()
    expect(stderr).toContain('traffic.har: replays 1 of 1 recorded response\n')
    expect(stderr).toMatch(/POST \/plants +200 .*\[replayed log\.entries\[0\]\]/)
    expect(stderr.match(/replayed/g)).toHaveLength(1)
  })

  test('gives several answers in their order, then the last one again, for each client', async () => {
    const answers = ['{"name":"a"}', '{"name":"b"}']
    const { url, stop } = await replaying(harOf(answers.map(answer => ({ ...fern, answer }))))
    const texts: string[] = []
    for (const client of ['one', 'one', 'one', 'two'])
      texts.push((await post(url, fern.body, { 'Plantstore-Client': client })).text)
    expect(texts).toEqual(['{"name":"a"}', '{"name":"b"}', '{"name":"b"}', '{"name":"a"}'])
    await stop()
  })

  test('names what of the record breaks the contract, and replays it all the same', async () => {
    const answer = '{"name":"Fern","tag":7}'
    const { url, stop } = await replaying(harOf([{ ...fern, answer }]))
    expect((await post(url, fern.body)).text).toBe(answer)
    expect((await stop()).stderr).toMatch(
      /^ {2}log\.entries\[0\], POST \/plants: the recorded 200 breaks the contract: answered 200 with 7 as `tag`.* \(createPlant\/response\/200\/body\/tag\/type\)$/m,
    )
  })

  test('a request that breaks the contract gets no answer to one that kept it', async () => {
    const { url, stop } = await replaying(
      harOf([fern, { body: '{"id":2}', status: 400, answer: '{"error":7,"message":"no"}' }]),
    )
    const absent = await fetch(`${url}/plants`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: fern.body,
    })
    expect(absent.status).toBe(400)
    expect(await absent.text()).not.toContain('record')
    expect(await post(url, '{"id":2}')).toMatchObject({ status: 400, text: '{"error":7,"message":"no"}' })
    await stop()
  })

  test('a request with a token is not answered like one without', async () => {
    const rejected = { ...fern, status: 400, answer: '{"error":1,"message":"who are you?"}' }
    const entries = [rejected, { ...fern, headers: { Authorization: 'Bearer {{token}}' } }]
    const { url, stop } = await replaying(harOf(entries).replace('WebInspector', 'plantstore-contract'))
    expect((await post(url, fern.body)).text).toBe(fern.answer)
    const headers = { 'content-type': 'application/json' }
    const absent = await fetch(`${url}/plants`, { method: 'POST', headers, body: fern.body })
    expect(await absent.text()).toBe(rejected.answer)
    await stop()
  })

  test('scenarios and preferences come first, and pages of other origins may read the answers', async () => {
    const { url, stop } = await replaying(
      harOf([fern]),
      '--scenario',
      'createPlant:status=400,code=7,times=1',
    )
    expect((await post(url, fern.body)).status).toBe(400)
    expect((await post(url, fern.body, { Prefer: 'code=200' })).text).not.toContain('record')
    const { text, headers } = await post(url, fern.body, { Origin: 'https://page.test' })
    expect([text, headers.get('access-control-allow-origin')]).toEqual([fern.answer, 'https://page.test'])
    await stop()
  })

  test('placeholders match anything, and a token in an answer is one that the mock accepts', async () => {
    const text = harOf([
      {
        headers: { Authorization: 'Bearer {{token}}' },
        body: '{"id":1,"name":"{{token}}"}',
        answer: '{"name":"{{token}}"}',
      },
    ]).replace('WebInspector', 'plantstore-contract')
    const { url, stop } = await replaying(text, '--token', 'hush-hush')
    expect(
      await post(url, '{"id":1,"name":"whatever"}', { authorization: 'Bearer hush-hush' }),
    ).toMatchObject({
      status: 200,
      text: '{"name":"hush-hush"}',
    })
    await stop()
  })

  test('a Postman collection has the answers that were saved in it', async () => {
    const request = { method: 'POST', url: '{{base}}/plants', body: { mode: 'raw', raw: fern.body } }
    const header = [{ key: 'Content-Type', value: 'application/json' }]
    const response = [{ originalRequest: request, code: 200, header, body: fern.answer }]
    const { url, stop } = await replaying(JSON.stringify({ item: [{ name: 'a', request, response }] }))
    expect(await post(url, fern.body)).toMatchObject({ status: 200, text: fern.answer })
    expect((await stop()).stderr).toMatch(/\[replayed item\[0\]\.response\[0\]\]/)
  })

  test('a file that cannot be used', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'traffic.har'), '{}')
    expect(await plantstore(['mock', '--replay', 'traffic.har'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^plantstore: traffic\.har cannot be used: it is neither a HAR file/m),
    })
  })
})

describe.concurrent('what the proxy records, the mock replays', () => {
  const book = (title: string) => ({ bookId: 1, isbn: '630-4400224437', title, year: null, related: [] })
  /** Says who asks, and has a long and coded body. */
  const library = () =>
    listen(
      createServer((request, response) => {
        request.resume()
        const books = Array.from({ length: 900 }, () =>
          book(`for ${request.headers['x-library-key']} ${request.url}`),
        )
        response.writeHead(200, {
          'Content-Type': 'application/json',
          'Content-Encoding': 'gzip',
          'X-Total': '900',
          'X-Long': 'a'.repeat(3000),
        })
        response.end(gzipSync(JSON.stringify(books)))
      }),
    )
  const get = (url: string, path: string, key = 'key-of-the-client') =>
    fetch(url + path, { headers: { 'X-Library-Key': key } })

  test.each(['SIGINT', 'SIGKILL'] as const)(
    'bodies are whole and without secrets, even after %s',
    async signal => {
      await during(library(), async server => {
        const cwd = emptyFolder()
        const run = start(
          ['proxy', server.url, '--spec', libraryDocument, '--port', '0', '--record', 'traffic.har'],
          {
            cwd,
          },
        )
        const [, proxy = ''] = await run.shows(/^proxy at (\S+), in front of /m)
        const path = '/books?limit=5&subject=a&subject=b'
        const text = await (await get(proxy, path)).text()
        expect(text.length).toBeGreaterThan(65_536)
        // What was recorded after the last half megabyte is written when the next one comes, or at the end.
        if (signal === 'SIGKILL') for (let more = 0; more < 8; more++) await (await get(proxy, path)).bytes()
        run.kill(signal)
        await run.ended
        const har = readFileSync(join(cwd, 'traffic.har'), 'utf8')
        expect(har).not.toContain('key-of-the-client')
        const judged = await plantstore(['judge', 'traffic.har', '--spec', libraryDocument], { cwd })
        expect(judged.stdout).toMatch(/^\d exchanges?: 0 invalid requests, the server at fault in 0$/m)
        const mock = await running(null, ['mock', '--spec', libraryDocument, '--replay', 'traffic.har'], cwd)
        const replayed = await get(mock.url, '/books?subject=a&limit=5&subject=b', 'another')
        expect(await replayed.text()).toBe(text.replaceAll('key-of-the-client', 'token'))
        expect(replayed.headers.get('x-long')).toHaveLength(3000)
        await mock.stop()
      })
    },
  )

  test('with --live, only these operations go to the server', () =>
    during(library(), async server => {
      const cwd = emptyFolder()
      const recorded = {
        method: 'GET',
        url: `${server.url}/books`,
        answer: JSON.stringify([book('recorded')]),
      }
      const args = ['proxy', server.url, '--spec', libraryDocument, '--replay', 'traffic.har']
      const { url, stop } = await running(harOf([recorded]), [...args, '--live', 'GET /books/{bookId}'], cwd)
      expect(await (await get(url, '/books')).text()).toBe(recorded.answer)
      expect(await (await get(url, '/books/7')).text()).toContain('for key-of-the-client /books/7')
      expect(await (await get(url, '/books?limit=3')).text()).not.toContain('for key-of-the-client')
      expect(await (await get(url, '/assets/a.css')).text()).toContain('/assets/a.css')
      const preflight = await fetch(`${url}/books`, {
        method: 'OPTIONS',
        headers: { Origin: 'https://page.test', 'Access-Control-Request-Method': 'GET' },
      })
      expect(preflight.headers.get('access-control-allow-origin')).toBe('https://page.test')
      const { stderr } = await stop()
      expect(stderr).toContain(
        'sends to the server what the document does not declare, GET /books/{bookId}\n',
      )
      expect(stderr).toMatch(/GET \/books +200 .*\[replayed log\.entries\[0\]\]/)
    }))

  test('--live that names no operation', () =>
    during(library(), async server => {
      const args = ['proxy', server.url, '--spec', libraryDocument, '--live', 'getBok']
      expect(await plantstore([...args, '--port', '0'], {})).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          'plantstore: --live getBok names no operation of the contract: did you mean getBook',
        ),
      })
    }))

  test('a file of another tool is not overwritten by --har', () =>
    during(library(), async server => {
      const cwd = emptyFolder()
      writeFileSync(join(cwd, 'mine.har'), harOf([]))
      const ran = await plantstore(['proxy', server.url, '--port', '0', '--har', 'mine.har'], { cwd })
      expect(ran).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('or judge it with plantstore judge mine.har\n'),
      })
      expect(readFileSync(join(cwd, 'mine.har'), 'utf8')).toBe(harOf([]))
    }))
})
