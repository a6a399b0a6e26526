/** A valid request is rejected for one of its values: the finding names that value, whatever the requests are about that have it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { hasJsonType, strictJson } from '../../strict-json.ts'

const job = {
  oneOf: [
    {
      type: 'object',
      properties: { kind: { const: 'wash' }, hot: { type: 'boolean' } },
      required: ['kind', 'hot'],
    },
    {
      type: 'object',
      properties: { kind: { const: 'paint' }, color: { type: 'string' }, coats: { type: 'integer' } },
      required: ['kind', 'color'],
    },
  ],
}
const schema = {
  type: 'object',
  properties: {
    car: { type: 'integer' },
    note: { type: 'string' },
    from: { type: 'string', format: 'date' },
    to: { type: 'string', format: 'date' },
    tags: { type: 'array', items: { type: 'string' } },
    job,
  },
  required: ['car', 'job'],
}
const content = { 'application/json': { schema: { type: 'object' } } }
const contract = await loadContract({
  from: writeDocument(
    'jobs.json',
    documentWith({
      '/jobs': {
        post: {
          operationId: 'order',
          requestBody: { required: true, content: { 'application/json': { schema } } },
          responses: { 201: { description: 'ordered', content }, 400: { description: 'invalid', content } },
        },
      },
    }),
  ),
})
type Body = {
  readonly car: number
  readonly from?: string
  readonly to?: string
  readonly job: { readonly coats?: number }
}

const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile<Body>(schema)

const isDate = (text: string): boolean => {
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text
}

/** What is found in a service that rejects valid bodies by this rule: the requirement and the title. */
const findingsOf = async (isRejected: (body: Body) => boolean) => {
  const server = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray().catch(() => []))
    const statusOf = (): number => {
      if (request.method !== 'POST' || request.url?.split('?')[0] !== '/jobs') return 400
      if (!hasJsonType(request)) return 400
      const body = strictJson(bytes)
      const isWhole = isValid(body) && [body.from, body.to].every(each => each === undefined || isDate(each))
      return isWhole && !isRejected(body) ? 201 : 400
    }
    response.writeHead(statusOf(), { 'Content-Type': 'application/json' })
    response.end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { findings } = await verify({ target, contract, seed: 2, cases: 700, sustained: 0 })
    return findings.map(({ obligation, title }) => `${obligation.replace('order/request/', '')}: ${title}`)
  } finally {
    server.close()
  }
}

const isAbove = (value: unknown, most: number): boolean => typeof value === 'number' && value > most

test('a service without such a rule has none', async () => {
  expect(await findingsOf(() => false)).toEqual([])
})

test('a value inside an alternative, and nothing that stands beside it', async () => {
  const found = await findingsOf(body => isAbove(body.job.coats, 255))
  expect(found).toEqual([expect.stringMatching(/`job\.coats`/)])
})

test('a value that every kind of request may have', async () => {
  const found = await findingsOf(body => isAbove(body.car, 255))
  expect(found.length).toBeGreaterThan(0)
  for (const each of found) expect(each).toMatch(/`car`/)
})

test('two values that do not go together', async () => {
  const found = await findingsOf(({ from, to }) => from !== undefined && to !== undefined && from > to)
  expect(found.length).toBeGreaterThan(0)
  for (const each of found)
    expect(each).toMatch(
      /^(?:valid: (?:rejects some values of `(?:from|to)` beside others|rejected a valid request)|combined: )/,
    )
})
