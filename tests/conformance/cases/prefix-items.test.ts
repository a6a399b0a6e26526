/** Each item of `prefixItems` has requirements of its own, and a server that misses one is told by it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { obligationsOf } from '../../../spec/index.ts'
import { contractOfBody } from '../../spec/contracts.ts'

const pair = {
  type: 'array',
  minItems: 2,
  prefixItems: [
    { type: 'string', minLength: 2 },
    { type: 'object', required: ['on'], properties: { on: { type: 'boolean' } } },
  ],
}
const contractWith = (items: unknown) =>
  contractOfBody({ type: 'object', required: ['pair'], properties: { pair: { ...pair, items } } })

type Check = 'text' | 'object' | 'on' | 'rest'

const isText = (value: unknown): boolean => typeof value === 'string' && [...value].length >= 2

/** Judges as the schema does, but for what it skips. `rest`: of items after the second. */
const isValid = (body: string, skips: Check | null, isRest: (value: unknown) => boolean): boolean => {
  try {
    const { pair: list } = JSON.parse(body) as { pair?: unknown }
    if (!Array.isArray(list) || list.length < 2) return false
    const [text, object, ...rest] = list as readonly unknown[]
    const isObject = typeof object === 'object' && object !== null && !Array.isArray(object)
    if (skips !== 'text' && !isText(text)) return false
    if (skips !== 'object' && !isObject) return false
    const on = isObject ? (object as { on?: unknown }).on : true
    if (skips !== 'on' && typeof on !== 'boolean') return false
    return skips === 'rest' || rest.every(isRest)
  } catch {
    return false
  }
}

const failedOf = async (items: unknown, skips: Check | null): Promise<readonly string[]> => {
  const isRest = (value: unknown): boolean => items !== false && Number.isInteger(value)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const isRight = request.headers['content-type'] === 'application/json' && isValid(text, skips, isRest)
      response.writeHead(isRight ? 200 : 400, { 'Content-Type': 'application/json' })
      response.end(isRight ? text : '{}')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const contract = await contractWith(items)
    const only = ['*/request/body/pair']
    const { findings } = await verify({
      target: `http://127.0.0.1:${port}`,
      contract,
      seed: 3,
      cases: 600,
      only,
      sustained: 0,
    })
    return findings.map(({ obligation }) => obligation.slice('a/request/body/pair/'.length)).toSorted()
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

test('the requirements of a list that begins with certain items', async () => {
  const idsOf = async (items: unknown, of: string) => {
    const ids = obligationsOf(await contractWith(items)).map(({ id }) => id)
    return ids.filter(id => id.startsWith(of)).map(id => id.slice(of.length))
  }
  const all = ['0/type', '0/minLength', '1/type', '1/on/required', '1/on/type']
  const received = 'a/response/200/body/pair/'
  expect(await idsOf({ type: 'integer' }, received)).toEqual([
    'required',
    'type',
    'minItems',
    ...all,
    '*/type',
  ])
  expect(await idsOf(false, received)).toEqual(['required', 'type', 'minItems', 'items', ...all])
  const sent = 'a/request/body/pair/'
  expect(await idsOf({ type: 'integer' }, sent)).toEqual(
    expect.arrayContaining(['0/type/null', '0/at-minLength', '1/on/required', '1/on/true', '*/type/null']),
  )
  expect(await idsOf(false, sent)).toEqual(expect.arrayContaining(['items', '1/on/type/null']))
})

test.each([
  [{ type: 'integer' }, null, /^$/],
  [false, null, /^$/],
  [{ type: 'integer' }, 'text', /^(0\/(minLength|type\/\w+) ?)+$/],
  [{ type: 'integer' }, 'object', /^(1\/type\/\w+ ?)+$/],
  [false, 'on', /^(1\/on\/(required|type\/\w+) ?)+$/],
  [{ type: 'integer' }, 'rest', /^(\*\/type\/\w+ ?)+$/],
  [false, 'rest', /^items$/],
] as const)('with items %j, a server that skips %s', async (items, skips, expected) => {
  expect((await failedOf(items, skips)).join(' ')).toMatch(expected)
})
