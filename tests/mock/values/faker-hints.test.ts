import { expect, test } from 'vitest'
import { isArray, isObject, type Json, loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { json, jsonOf, send, startMock } from '../client.ts'

const schema = {
  type: 'object',
  required: ['id', 'owner'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    uid: { type: 'string', format: 'uuid' },
    name: { type: 'string' },
    label: { type: ['string', 'null'] },
    owner: { type: 'string' },
    email: { type: 'string', format: 'email' },
    opened: { type: 'string', format: 'date-time' },
    open: { type: 'string', format: 'duration' },
    year: { type: 'integer' },
    price: { type: 'number' },
    city: { type: 'string', example: 'Ghent' },
    serial: { type: 'integer', format: 'int64', examples: [JSON.rawJSON('9223372036854775806')] },
    short: { type: 'string', maxLength: 4 },
    grade: { enum: ['a', 'b'] },
    sold: { type: 'integer', example: 'many' },
  },
}

const document = {
  openapi: '3.1.0',
  info: { title: 'Stalls', version: '1' },
  paths: {
    '/stalls': {
      get: {
        operationId: 'list',
        parameters: [{ name: 'near', in: 'query', schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'ok',
            headers: { 'X-Total': { schema: { type: 'integer', minimum: 0 }, example: 12 } },
            content: { 'application/json': { schema: { type: 'array', minItems: 1, items: schema } } },
          },
        },
      },
      post: {
        operationId: 'add',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', properties: { name: { type: 'string' }, label: { type: 'string' } } },
            },
          },
        },
        responses: { 201: { description: 'ok', content: { 'application/json': { schema } } } },
      },
    },
  },
}

const responseOf = (schema: object): object => ({
  200: { description: 'ok', content: { 'application/json': { schema } } },
})

const warnings: string[] = []
const stalls = await loadContract({
  from: writeDocument('stalls.json', JSON.stringify(document, null, 1)),
})
const start = () => startMock({ contract: stalls, warn: message => warnings.push(message) })

const first = (value: Json): { readonly [name: string]: Json } => {
  const item = isArray(value) ? value[0] : value
  if (!isObject(item)) throw new Error('no object')
  return item
}

test('generated values fit their names and formats, and examples in the document come first', async () => {
  const mock = await start()
  const response = await send(mock, { method: 'GET', path: '/stalls' })
  const stall = first(jsonOf(response))
  expect(stall).toMatchObject({ city: 'Ghent' })
  expect(Buffer.from(response.body).toString()).toContain('"serial":9223372036854775806')
  expect(Object.keys(stall).sort()).toEqual(Object.keys(schema.properties).sort())
  expect(Object.values(stall)).not.toContain('string')
  expect(stall.email).toMatch(/^[^@]+@example\.(com|net|org)$/)
  expect(stall.opened).toMatch(/^20[12]\d-/)
  expect(stall.open).toMatch(/^P(?:T\d+[HM]|\d+[DWMY])$/)
  expect(stall.owner).toMatch(/^\S+ /)
  expect(stall.id).toSatisfy((id: number) => id >= 1 && id <= 1_000_000)
  expect(stall.year).toSatisfy((year: number) => year >= 1990 && year <= 2025)
  expect(stall.sold).toBeTypeOf('number')
  expect(Object.fromEntries(response.headers)).toMatchObject({ 'x-total': '12' })
})

test('equal requests get equal values, in any order and from any mock; others get their own', async () => {
  const [one, two] = [await start(), await start()]
  const get = async (mock: typeof one, near: string): Promise<string> =>
    Buffer.from((await send(mock, { method: 'GET', path: `/stalls?near=${near}` })).body).toString()
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const forth = await Promise.all(names.map(name => get(one, name)))
  const back: string[] = []
  for (const name of [...names].reverse()) back.unshift(await get(two, name))
  expect(back).toEqual(forth)
  const ids = forth.map(text => String(first(JSON.parse(text) as Json).id))
  expect(new Set(ids).size).toBe(names.length)
})

test('two hundred created things get two hundred ids, and no optional property that was not sent', async () => {
  const mock = await start()
  const post = async (index: number) =>
    first(
      jsonOf(
        await send(mock, { method: 'POST', path: '/stalls', headers: json, body: `{"name":"n${index}"}` }),
      ),
    )
  const made = await Promise.all([...Array(200).keys()].map(post))
  expect(made.map(({ name }) => name)).toEqual([...Array(200).keys()].map(index => `n${index}`))
  expect(made.some(stall => 'label' in stall)).toBe(false)
  expect(made.every(stall => 'price' in stall)).toBe(true)
  expect(new Set(made.map(({ uid }) => uid)).size).toBe(200)
})

test('an invalid example of a property is reported once, with file and line', async () => {
  warnings.length = 0
  const mock = await start()
  await send(mock, { method: 'GET', path: '/stalls' })
  await mock.examplesChecked
  expect(new Set(warnings).size).toBe(2)
  for (const warning of warnings)
    expect(warning).toMatch(
      /^invalid example at .*stalls\.json:\d+: it must be an integer; the mock does not use it$/,
    )
  expect(warnings).toHaveLength(2)
})

test('of thousands of examples, each is validated when first used', async () => {
  const bad = { type: 'integer', example: 'many' }
  const properties = Object.fromEntries([...Array(1001).keys()].map(index => [`p${index}`, bad]))
  const reported: string[] = []
  const mock = await startMock({
    contract: await loadContract({
      from: writeDocument(
        'many.json',
        documentWith({
          '/a': { get: { responses: responseOf({ type: 'object', properties: { size: bad } }) } },
          '/b': { get: { responses: responseOf({ type: 'object', properties }) } },
        }),
      ),
    }),
    warn: message => reported.push(message),
  })
  await mock.examplesChecked
  expect(reported).toEqual([])
  expect(jsonOf(await send(mock, { method: 'GET', path: '/a' }))).toEqual({ size: expect.any(Number) })
  expect(reported).toEqual([expect.stringMatching(/many\.json:\d+: it must be an integer/)])
})
