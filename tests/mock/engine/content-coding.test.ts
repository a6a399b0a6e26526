/** A body with a content coding is read as what it encodes (RFC 9110 8.4). */
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createMock } from '../../../mock/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const send = async (body: Uint8Array, coding: string): Promise<readonly [status: number, body: unknown]> => {
  const mock = await createMock({ tokens: ['secret'] })
  try {
    const response = await fetch(`${mock.url}/plants`, {
      method: 'POST',
      headers: {
        Authorization: 'Bearer secret',
        'Content-Type': 'application/json',
        'Content-Encoding': coding,
      },
      body,
    })
    return [response.status, await response.json()]
  } finally {
    await mock.close()
  }
}

const plant = '{"id":1,"name":"Fern"}'

test.each([
  ['gzip', gzipSync(plant)],
  ['br', brotliCompressSync(plant)],
  ['gzip, br', brotliCompressSync(gzipSync(plant))],
  ['identity', Buffer.from(plant)],
] as const)('Content-Encoding %s: the plant is created', async (coding, body) => {
  expect(await send(body, coding)).toEqual([200, { name: 'Fern' }])
})

test.each([
  ['an invalid plant', gzipSync('{"id":"1","name":"Fern"}'), 'gzip', /id/],
  ['bytes that are not of the coding', Buffer.from(plant), 'gzip', /cannot be decoded/],
  ['an unknown coding', Buffer.from(plant), 'secret-sauce', /cannot be decoded/],
  ['a body of 100 MB in 100 kB', gzipSync(Buffer.alloc(100 * 1024 * 1024, ' ')), 'gzip', /cannot be decoded/],
] as const)('%s is rejected as the contract declares', async (_, body, coding, message) => {
  expect(await send(body, coding)).toEqual([
    400,
    { error: expect.any(Number), message: expect.stringMatching(message) },
  ])
})

test('a content coding that a response declares is not made up', async () => {
  const text = { schema: { type: 'string' } }
  const ok = {
    description: 'ok',
    headers: { 'Content-Encoding': text, 'X-Mine': { ...text, required: true } },
    content: { 'application/json': { schema: { type: 'object', properties: { a: { type: 'integer' } } } } },
  }
  const document = documentWith({ '/a': { get: { responses: { 200: ok } } } })
  const mock = await createMock({
    contract: await loadContract({ from: writeDocument('coded.json', document) }),
  })
  try {
    const { headers } = await fetch(`${mock.url}/a`)
    expect([headers.has('x-mine'), headers.has('content-encoding')]).toEqual([true, false])
  } finally {
    await mock.close()
  }
})
