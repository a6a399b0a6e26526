/** An operation that accepts no valid request: what it gets wrong besides is found, and its rejections are told once. */
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../conformance/index.ts'
import { loadContract } from '../../spec/index.ts'
import { listen } from '../listen.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const document = documentWith({
  '/codes': {
    post: {
      operationId: 'redeem',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['code', 'times'],
              properties: { code: { type: 'string', maxLength: 50 }, times: { type: 'integer', minimum: 1 } },
            },
          },
        },
      },
      responses: { 200: { description: 'redeemed' }, 422: { description: 'invalid' } },
    },
  },
})

type Body = { readonly code?: unknown; readonly times?: unknown }

/** No code that the suite makes up is right: 400, which is not declared. */
const run = async (answer: (body: Body | null) => number) => {
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    let body: Body | null = null
    try {
      body = JSON.parse(text)
    } catch {}
    response.writeHead(request.method === 'POST' ? answer(body) : 405).end()
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('codes.json', document) })
  const { findings, entries } = await verify({ contract, target: url, seed: 1, sustained: 0, cases: 300 })
  return {
    findings: findings.map(({ title, obligation }) => `${obligation}: ${title}`),
    reason: entries.find(({ obligation }) => obligation.id === 'redeem/request/body/times/minimum')?.verdict,
  }
}

test('an undeclared rejection of all requests is one finding, and the others show nothing', async () => {
  const { findings, reason } = await run(() => 400)
  expect(findings).toEqual(['redeem/request/valid: accepted no valid request (400)'])
  expect(reason).toMatchObject({
    kind: 'inconclusive',
    reason: expect.stringMatching(
      /^the server accepted none of \d+ valid requests \(400\), so its rejections show nothing$/,
    ),
  })
})

test('a crash, and what is accepted although it is invalid, are findings of their own', async () => {
  const { findings } = await run(body => {
    if (body !== null && body.times === 0) return 500
    return body !== null && typeof body.code === 'number' ? 200 : 400
  })
  expect(findings).toContain('redeem/request/valid: accepted no valid request (400)')
  expect(findings).toContainEqual(
    expect.stringMatching(/^redeem\/request\/body\/times\/minimum: answered 500 to /),
  )
  expect(findings).toContainEqual(
    expect.stringMatching(/^redeem\/request\/body\/code\/type\/number: accepted /),
  )
})

test('what asks for things that nobody could create gets its invalid requests, with a made-up name', async () => {
  const boxes = documentWith({
    '/boxes': {
      post: {
        operationId: 'createBox',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['key'], properties: { key: { type: 'string' } } },
            },
          },
        },
        responses: { 201: { description: 'created' }, 400: { description: 'invalid' } },
      },
    },
    '/boxes/{boxId}/items': {
      put: {
        operationId: 'fillBox',
        parameters: [{ name: 'boxId', in: 'path', required: true, schema: { type: 'string' } }],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['items'], properties: { items: { type: 'array' } } },
            },
          },
        },
        responses: {
          200: { description: 'filled' },
          400: { description: 'invalid' },
          404: { description: 'no such box' },
        },
      },
    },
  })
  const asked = new Set<string>()
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString()
    const name = /^\/boxes\/([^/?]+)\/items/.exec(request.url ?? '')?.[1]
    if (name !== undefined) asked.add(name)
    const crashes = name !== undefined && text === '{"items":null}'
    response.writeHead(crashes ? 500 : name === undefined ? 400 : 404).end()
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('boxes.json', boxes) })
  const { findings, entries } = await verify({ contract, target: url, seed: 1, sustained: 0, cases: 600 })
  expect(findings.map(({ title, obligation }) => `${obligation}: ${title}`)).toContainEqual(
    expect.stringMatching(/^fillBox\/request\/body\/items\/type\/null: answered 500 to /),
  )
  expect(entries.find(({ obligation }) => obligation.id === 'fillBox/request/valid')?.verdict).toMatchObject({
    kind: 'untested',
    reason: expect.stringContaining(
      'createBox, which creates what /boxes/{boxId} asks for, accepted no request',
    ),
  })
  // A name that nothing has: nobody loses a box.
  expect([...asked].filter(name => !/^(?:plantstore\w+x\d+|q\w+z9)$/.test(name))).toEqual([])
})

/** The titles of what a run of so many seconds tells of a hundred operations that accept nothing, `ms` milliseconds for each request. */
const titlesOfMany = async (ms: number, maxSeconds: number): Promise<readonly string[]> => {
  const paths = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [
      `/codes${index}`,
      { post: { ...JSON.parse(document).paths['/codes'].post, operationId: `redeem${index}` } },
    ]),
  )
  const contract = await loadContract({ from: writeDocument('many.json', documentWith(paths)) })
  let running = Promise.resolve()
  const server = createServer((request, response) => {
    request.resume()
    // One after the other, so that there is time for a few operations alone.
    running = running.then(async () => {
      await pause(ms)
      response.writeHead(request.method === 'POST' ? 400 : 405).end()
    })
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const { findings } = await verify({ contract, target: url, seed: 1, sustained: 0, maxSeconds })
  return findings.map(({ title }) => title)
}

// With 12 ms there is time for one plain request each before the plan.
test.each([1, 12])(
  'an operation for which there was no time before the plan is told once as well: %i ms for each request',
  {
    timeout: 120_000,
  },
  async ms => {
    // A busy machine needs longer for the same.
    let titles = await titlesOfMany(ms, 6)
    for (const seconds of [12, 24]) if (titles.length <= 20) titles = await titlesOfMany(ms, seconds)
    expect(titles.length).toBeGreaterThan(20)
    expect([...new Set(titles)]).toEqual(['accepted no valid request (400)'])
  },
)

test('that an operation rejected one plain request shows nothing, if there was no time to look for a better one', {
  timeout: 120_000,
}, async () => {
  expect(await titlesOfMany(40, 6)).toEqual([])
})
