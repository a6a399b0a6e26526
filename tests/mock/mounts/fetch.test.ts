import { expect, test } from 'vitest'
import type { Fault, MockResponse } from '../../../mock/engine/compiled-response.ts'
import { createHandler, createWatch, DriftError } from '../../../mock/index.ts'
import { likeFetch, respondWith } from '../../../mock/mounts/fetch-handler.ts'
import { DocumentError } from '../../../spec/index.ts'
import { contracts } from '../../spec/contracts.ts'

const url = 'https://any.example.test/plants'
const right = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
const plant = (
  body: BodyInit = '{"id":9223372036854775807,"name":"Fern"}',
  init: RequestInit = {},
): Request => new Request(url, { method: 'POST', headers: right, body, ...init })

type BodyInit = NonNullable<RequestInit['body']>

test('a handler responds without a server, and can replace fetch', async () => {
  const handler = await createHandler({ contract: contracts.plantStore })
  const response = await handler(plant())
  expect([response.status, await response.json()]).toEqual([200, { name: 'Fern' }])
  expect(handler.contract).toBe(contracts.plantStore)
  expect(handler.journal.entries().map(({ target, operation }) => [target, operation])).toEqual([
    ['/plants', 'createPlant'],
  ])
})

test('a handler takes the options of the mock: a document, tokens, an obligation to break', async () => {
  const handler = await createHandler({ tokens: ['other'], breaks: 'createPlant/request/body/id/required' })
  expect((await handler(plant())).status).toBe(400)
  const other = { ...right, Authorization: 'Bearer other' }
  expect((await handler(plant('{"name":"Fern"}', { headers: other }))).status).toBe(200)
  await expect(createHandler({ contract: 'nowhere.yaml' })).rejects.toThrow(DocumentError)
})

test('scenarios can be switched from code', async () => {
  const handler = await createHandler({ contract: contracts.plantStore })
  await handler.scenarios.set('createPlant', { status: 400, code: 7, message: 'the shelf is full' })
  expect(await (await handler(plant())).json()).toEqual({ error: 7, message: 'the shelf is full' })
  await handler.scenarios.set('createPlant', { fault: 'reset' })
  await expect(handler(plant())).rejects.toThrow(TypeError)
  handler.scenarios.reset()
  expect((await handler(plant())).status).toBe(200)
})

test('a body that is larger than the limit is not read to its end', async () => {
  const handler = await createHandler({ contract: contracts.plantStore, maxBodyBytes: 1000 })
  let pulled = 0
  let ended: unknown = 'not'
  const endless = new ReadableStream<Uint8Array>({
    pull: controller => {
      pulled += 100
      controller.enqueue(new Uint8Array(100).fill(0x20))
    },
    cancel: reason => {
      ended = reason
    },
  })
  const response = await handler(plant(endless as BodyInit, { duplex: 'half' } as RequestInit))
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: 13, message: 'the body is too large' },
  ])
  expect(pulled).toBeLessThan(2000)
  expect(ended).toBeUndefined()
  const declared = plant('{}', { headers: { ...right, 'Content-Length': '1001' } })
  expect(await (await handler(declared)).json()).toMatchObject({ error: 13 })
})

test('the handler rejects if the body of the request breaks off', async () => {
  const handler = await createHandler({ contract: contracts.plantStore })
  const broken = new ReadableStream<Uint8Array>({ start: controller => controller.error(new Error('gone')) })
  await expect(handler(plant(broken as BodyInit, { duplex: 'half' } as RequestInit))).rejects.toThrow('gone')
})

const whole: MockResponse = { status: 200, headers: [['X-A', '1']], body: new TextEncoder().encode('whole') }

/** The response of a mock that responds to every request with this one, which a fault may corrupt. */
const respondTo = (
  response: MockResponse,
  { fault = null, ...init }: RequestInit & { readonly fault?: Fault | null } = {},
): Promise<Response> => {
  const respond = respondWith(context => {
    context.fault = fault
    return response
  }, 1000)
  return likeFetch(respond)(new Request(url, init))
}

test('a reset connection rejects as fetch does, and a truncated body errors half-way', async () => {
  await expect(respondTo(whole, { fault: 'reset' })).rejects.toThrow(
    new TypeError('the connection was reset'),
  )
  const half = await respondTo(whole, { fault: 'truncate' })
  expect([half.status, half.headers.get('Content-Length')]).toEqual([200, '5'])
  const reader = half.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('wh')
  await expect(reader?.read()).rejects.toThrow('the connection was closed before the end of the body')
})

test('a response that hangs is awaited until the request is aborted', async () => {
  const controller = new AbortController()
  const waiting = respondTo(whole, { fault: 'hang', signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  await expect(respondTo(whole, { fault: 'hang', signal: controller.signal })).rejects.toThrow('enough')
})

test('responses that cannot have a body have none, even if the engine made one', async () => {
  const head = await respondTo(whole, { method: 'HEAD' })
  expect([head.body, head.headers.get('Content-Length')]).toEqual([null, '5'])
  for (const status of [204, 304]) {
    const { body, headers } = await respondTo({ ...whole, status })
    expect([body, headers.get('Content-Length'), headers.get('X-A')]).toEqual([null, null, '1'])
  }
})

test('headers of one name stay apart, cookies too, and a wrong length is announced', async () => {
  const headers = [
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2, c'],
    ['X-A', '1'],
    ['x-a', '2'],
  ] as const
  const response = await respondTo({ ...whole, headers }, { fault: 'wrong-length' })
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2, c'])
  expect(response.headers.get('X-A')).toBe('1, 2')
  expect(response.headers.get('Content-Length')).toBe('15')
})

test('a stream is produced as it is read, and ends when the reader cancels', async () => {
  let made = 0
  let ended = false
  async function* numbers(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield new TextEncoder().encode(String(++made))
    } finally {
      ended = true
    }
  }
  const response = await respondTo({ ...whole, body: new TextEncoder().encode('0'), stream: numbers() })
  expect(response.headers.get('Content-Length')).toBeNull()
  const reader = response.body?.getReader()
  const texts = []
  for (let index = 0; index < 3; index++) texts.push(new TextDecoder().decode((await reader?.read())?.value))
  expect([texts, made]).toEqual([['0', '1', '2'], 2])
  await reader?.cancel()
  expect(ended).toBe(true)
})

test('a watch reports what clients of any mount broke, except what is allowed', async () => {
  const handler = await createHandler({ contract: contracts.plantStore })
  const watch = createWatch(handler)
  watch.check()
  await handler(plant('{"id":1.5}'))
  await handler(new Request('https://any.example.test/plant?a#b'))
  expect(watch.broken().map(({ name, reason }) => [name, reason])).toEqual([
    ['createPlant/request/body/name/required', '/name is missing'],
    ['createPlant/request/body/id/type/fraction', '/id must be an integer'],
    ['GET /plant', 'the path is not declared'],
  ])
  // A name allows what is below it, and nothing that merely begins alike.
  watch.allow('createPlant/request/body/id', 'GET /plan')
  expect(watch.broken()).toHaveLength(2)
  expect(watch.check).toThrow(DriftError)
  await handler(plant('{"id":1.5}'))
  watch.allow('createPlant', 'GET /plant')
  watch.check()
  watch.stop()
  await handler(new Request('https://any.example.test/other'))
  expect(watch.broken()).toEqual([])
})

test('each test is told of its own: check and reset forget what was broken, and what was allowed', async () => {
  const handler = await createHandler({ contract: contracts.plantStore })
  const watch = createWatch(handler, { allow: ['GET /health'] })
  const ask = (path: string) => handler(new Request(`https://any.example.test${path}`))
  await ask('/first')
  expect(watch.check).toThrow('1. GET /first: ')
  // What an innocent test after it does is none of that.
  await ask('/health')
  watch.check()
  watch.allow('GET /second')
  await ask('/second')
  watch.check()
  await ask('/second')
  expect(watch.broken().map(({ name }) => name)).toEqual(['GET /second'])
  watch.reset()
  watch.check()
})
