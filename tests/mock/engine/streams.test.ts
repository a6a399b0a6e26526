/** Responses that are streams of items: server-sent events, JSON Lines and JSON text sequences. */
import { get } from 'node:http'
import { expect, test } from 'vitest'
import type { MockOptions } from '../../../mock/index.ts'
import { type Contract, loadContract } from '../../../spec/index.ts'
import { writeDocument } from '../../spec/contracts.ts'
import { send, startMock } from '../client.ts'

const price = {
  type: 'object',
  required: ['id', 'price'],
  properties: { id: { type: 'string', format: 'uuid' }, price: { type: 'number', minimum: 0 } },
}
const event = {
  type: 'object',
  required: ['data', 'event'],
  oneOf: [
    {
      properties: {
        event: { const: 'price' },
        data: { contentMediaType: 'application/json', contentSchema: price },
      },
    },
    { properties: { event: { const: 'gone' }, data: { type: 'string', enum: ['sold'] } } },
  ],
  properties: { event: { type: 'string' }, data: { type: 'string' } },
}

const contractOf = (content: object, openapi = '3.2.0', headers: object = {}): Promise<Contract> =>
  loadContract({
    from: writeDocument(
      'stream.json',
      JSON.stringify({
        openapi,
        info: { title: 'Streams', version: '1' },
        paths: {
          '/s': { get: { operationId: 's', responses: { 200: { description: 'ok', headers, content } } } },
        },
      }),
    ),
  })

const textOf = async (content: object, openapi?: string, options: MockOptions = {}): Promise<string> => {
  const mock = await startMock({ contract: await contractOf(content, openapi), ...options })
  const response = await send(mock, { method: 'GET', path: '/s' })
  expect(response.status).toBe(200)
  expect(response.headers).toContainEqual(['content-type', Object.keys(content)[0]])
  return new TextDecoder().decode(response.body)
}

/** What an EventSource makes of a stream (HTML, 9.2.6). */
const eventsIn = (text: string): readonly Readonly<Record<string, string>>[] =>
  text
    .split('\n\n')
    .filter(block => block !== '')
    .map(block => {
      const fields: Record<string, string> = {}
      for (const line of block.split('\n')) {
        const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? []
        fields[name] = fields[name] === undefined ? value : `${fields[name]}\n${value}`
      }
      return fields
    })

test('events have the JSON of the schema as their data', async () => {
  for (const content of [
    { 'text/event-stream': { itemSchema: price } },
    { 'text/event-stream': { schema: price } },
    { 'text/event-stream': { schema: { type: 'array', minItems: 1, items: price } } },
  ]) {
    const events = eventsIn(await textOf(content))
    expect(events).toHaveLength(3)
    const items = events.map(({ data = '' }) => JSON.parse(data))
    for (const item of items)
      expect(item).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/), price: expect.any(Number) })
    expect(new Set(items.map(({ id }) => id)).size).toBe(3)
  }
})

test('a schema with the fields of events gives these, of each kind in turn', async () => {
  const events = eventsIn(await textOf({ 'text/event-stream': { itemSchema: event } }))
  expect(events.map(({ event }) => event)).toEqual(['price', 'gone', 'price'])
  expect(JSON.parse(events[0]?.data ?? '')).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    price: expect.any(Number),
  })
  expect(events[1]?.data).toBe('sold')
})

test('a text as schema says nothing of events: they are numbered', async () => {
  for (const openapi of ['3.0.3', '3.1.0'])
    expect(await textOf({ 'text/event-stream': { schema: { type: 'string' } } }, openapi)).toBe(
      'data: {"event":1}\n\ndata: {"event":2}\n\ndata: {"event":3}\n\n',
    )
})

test('examples are sent: a list item by item, a stream as it stands, a text as an event', async () => {
  const items = [
    { id: '4b3d9c4e-2a52-4a0c-9a16-111111111111', price: 2 },
    { id: '4b3d9c4e-2a52-4a0c-9a16-222222222222', price: 3 },
  ]
  const lines = items.map(item => JSON.stringify(item))
  expect(await textOf({ 'text/event-stream': { itemSchema: price, example: items } })).toBe(
    lines.map(line => `data: ${line}\n\n`).join(''),
  )
  const stream = 'retry: 100\n\nevent: a\ndata: 1\ndata: 2\n\n: a comment\n\n'
  expect(await textOf({ 'text/event-stream': { schema: { type: 'string' }, example: stream } })).toBe(stream)
  expect(await textOf({ 'text/event-stream': { schema: { type: 'string' }, example: 'a\nb' } })).toBe(
    'data: a\ndata: b\n\n',
  )
  expect(await textOf({ 'application/jsonl': { itemSchema: price, example: items } })).toBe(
    `${lines.join('\n')}\n`,
  )
  expect(
    await textOf({ 'application/json-seq': { itemSchema: price, example: `\u001e${lines[0]}\n` } }),
  ).toBe(`\u001e${lines[0]}\n`)
})

test('an item of an example that breaks its itemSchema is left out, with a warning', async () => {
  const warnings: string[] = []
  const example = [{ id: 'x' }, { id: '4b3d9c4e-2a52-4a0c-9a16-111111111111', price: 2 }]
  const text = await textOf({ 'application/x-ndjson': { itemSchema: price, example } }, '3.2.0', {
    warn: message => void warnings.push(message),
  })
  expect(text).toBe('{"id":"4b3d9c4e-2a52-4a0c-9a16-111111111111","price":2}\n')
  expect(warnings.join('\n')).toMatch(
    /an item of the example of the stream at .*stream\.json:1:\d+ #\/paths\/\S+ breaks its itemSchema/,
  )
})

test.each([
  ['application/jsonl', '', '\n'],
  ['application/x-ndjson', '', '\n'],
  ['application/json-seq', '\u001e', '\n'],
])('%s has one JSON text after another', async (type, before, after) => {
  const text = await textOf({ [type]: { itemSchema: price } })
  const items = text.split(after).slice(0, -1)
  expect(items).toHaveLength(3)
  for (const item of items) {
    expect(item.startsWith(before)).toBe(true)
    expect(JSON.parse(item.slice(before.length))).toMatchObject({ price: expect.any(Number) })
  }
})

test('a scenario says how many events come, from the start, over HTTP and by Prefer', async () => {
  const contract = await contractOf({ 'text/event-stream': { itemSchema: price } })
  const mock = await startMock({ contract, scenarios: { s: { stream: { events: 5 } } } })
  const count = async (headers: Record<string, string> = {}) => {
    const { body } = await send(mock, { method: 'GET', path: '/s', headers })
    return eventsIn(new TextDecoder().decode(body)).length
  }
  expect([await count(), await count({ prefer: 'stream=7/1' }), await count({ prefer: 'stream=0' })]).toEqual(
    [5, 7, 0],
  )
  expect(mock.journal.entries().map(({ scenario }) => scenario)).toEqual([
    '5 events',
    '7 events every 1 ms',
    '0 events',
  ])
  mock.scenarios.reset()
  const wrong = await send(mock, { method: 'GET', path: '/s', headers: { prefer: 'stream=often' } })
  expect(wrong.status).toBe(400)
  await expect(mock.scenarios.set('s', { stream: { events: -1 } })).rejects.toThrow(
    'stream must be a number of events',
  )
})

test('with an interval, events come one after another; open keeps the stream until the client disconnects', async () => {
  const contract = await contractOf({ 'text/event-stream': { itemSchema: price } })
  const mock = await startMock({
    contract,
    scenarios: { s: { stream: { events: 3, interval: 30, open: true } } },
  })
  const began = performance.now()
  const received: number[] = []
  await new Promise<void>((resolve, reject) => {
    const request = get(`${mock.url}/s`, response => {
      expect(response.headers['content-length']).toBeUndefined()
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        received.push(...eventsIn(chunk).map(() => performance.now() - began))
        if (received.length < 3) return
        expect(response.complete).toBe(false)
        request.destroy()
        resolve()
      })
      response.on('error', () => {})
    })
    request.on('error', reject)
  })
  expect(received[2]).toBeGreaterThan(50)
  expect(mock.journal.entries()[0]?.scenario).toBe('3 events every 30 ms kept open')
})

test('a scenario for a stream needs one', async () => {
  await expect(startMock({ scenarios: { '*': { stream: { events: 5 } } } })).rejects.toThrow(
    'stream applies to streams (text/event-stream, application/jsonl, …), and none is declared',
  )
})

test('declared headers are sent as well', async () => {
  const headers = { 'X-Run': { required: true, schema: { type: 'integer' } } }
  const contract = await contractOf({ 'text/event-stream': { itemSchema: price } }, '3.2.0', headers)
  const mock = await startMock({ contract })
  const response = await send(mock, { method: 'GET', path: '/s' })
  expect(response.headers.find(([name]) => name === 'x-run')?.[1]).toMatch(/^-?\d+$/)
  expect(new TextDecoder().decode(response.body)).toMatch(/^data: \{/)
})
