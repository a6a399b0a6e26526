/** Servers that get an integer beyond 64 bits: the contract allows it, and leaves open what they do with it, but for a failure of their own. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { isObject, loadContract, readJson, writeJson } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const answer = { description: 'ok', content: { 'application/json': { schema: { type: 'integer' } } } }
const responses = { 200: answer, 400: { description: 'no' }, 404: { description: 'none' } }
const integer = { type: 'integer' }
const document = documentWith({
  '/days/{year}': {
    get: {
      operationId: 'daysOf',
      parameters: [{ in: 'path', name: 'year', required: true, schema: integer }],
      responses,
    },
  },
  '/pages': {
    get: {
      operationId: 'page',
      // Null is written as an alternative.
      parameters: [{ in: 'query', name: 'size', schema: { anyOf: [integer, { type: 'null' }] } }],
      responses,
    },
  },
  '/sums': {
    post: {
      operationId: 'sum',
      requestBody: {
        required: true,
        content: {
          'application/json': { schema: { type: 'object', required: ['n'], properties: { n: integer } } },
        },
      },
      responses,
    },
  },
})

/** What is sent as an integer, as text, and what there is at a path; null: nothing. */
const read = (method: string, url: string, body: Uint8Array): string | null => {
  const { pathname, searchParams } = new URL(url, 'http://a')
  const year = /^\/days\/([^/]+)$/.exec(pathname)?.[1]
  if (method === 'GET' && year !== undefined) return decodeURIComponent(year)
  if (method === 'GET' && pathname === '/pages') return searchParams.get('size') ?? '1'
  if (method !== 'POST' || pathname !== '/sums') return null
  const reading = readJson(body)
  const sent = reading.ok && isObject(reading.value) ? reading.value.n : undefined
  return sent === undefined ? '' : writeJson(sent)
}

const findingsWith = async (status: number) => {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const text = read(request.method ?? '', request.url ?? '', body)
    const isInteger =
      text !== null && /^-?\d+(?:\.0+)?(?:[eE][+-]?\d+)?$/.test(text) && Number.isInteger(Number(text))
    const isHuge = isInteger && Math.abs(Number(text)) > 2 ** 63
    const answered = text === null ? 404 : !isInteger ? 400 : isHuge ? status : 200
    response.writeHead(answered, answered === 200 ? { 'Content-Type': 'application/json' } : {})
    response.end(answered === 200 ? '1' : undefined)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('huge.json', document) })
  const { findings } = await verify({
    ...{ contract, target: url, seed: 1, sustained: 0, cases: 600 },
    only: ['*/request/valid', '*/past-int64', '*/response/declared'],
  })
  return findings
    .map(({ obligation, level, title }) => `${level} ${obligation.split('/')[0]}: ${title}`)
    .sort()
}

test.each([200, 400])('one that answers %d is right', async status => {
  expect(await findingsWith(status)).toEqual([])
})

test('one that fails at it is found, wherever the integer stands', async () => {
  expect(await findingsWith(500)).toEqual([
    expect.stringMatching(
      /^MUST daysOf: answered 500 to an integer beyond int64 as the path parameter `year`/,
    ),
    expect.stringMatching(
      /^MUST page: answered 500 to an integer beyond int64 as the query parameter `size`/,
    ),
    expect.stringMatching(/^MUST sum: answered 500 to an integer beyond int64 as `n`/),
  ])
})
