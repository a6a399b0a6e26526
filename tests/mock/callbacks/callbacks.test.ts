/** Callbacks, sent to real servers after the answer. */
import { expect, test } from 'vitest'
import type { Entry, Mock, MockOptions } from '../../../mock/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { startMock } from '../client.ts'
import { receiver, seen } from './receiver.ts'

const order = {
  type: 'object',
  required: ['id', 'callbackUrl'],
  properties: { id: { type: 'integer' }, callbackUrl: { type: 'string' } },
}
const paid = {
  type: 'object',
  required: ['id', 'state'],
  properties: { id: { type: 'integer' }, state: { type: 'string', enum: ['paid'] } },
}
const receipt = { type: 'object', required: ['seen'], properties: { seen: { type: 'boolean' } } }
const jsonContent = (schema: object, more: object = {}) => ({
  content: { 'application/json': { schema, ...more } },
})

const contractFor = (url: string, body: object = jsonContent(paid)) =>
  loadContract({
    from: writeDocument(
      'orders.json',
      documentWith({
        '/orders': {
          post: {
            operationId: 'order',
            requestBody: { required: true, ...jsonContent(order) },
            responses: {
              201: { description: 'ok', ...jsonContent(order) },
              400: { description: 'no' },
            },
            callbacks: {
              paid: {
                [url]: {
                  post: {
                    requestBody: body,
                    responses: { 200: { description: 'ok', ...jsonContent(receipt) } },
                  },
                },
              },
            },
          },
        },
      }),
    ),
  })

const mockFor = async (template: string, options: MockOptions = {}, body?: object): Promise<Mock> =>
  startMock({ contract: await contractFor(template, body), callbacks: true, ...options })

const place = (
  mock: Mock,
  callbackUrl: string,
  query = '',
  body: object = { id: 7, callbackUrl },
): Promise<Response> =>
  fetch(`${mock.url}/orders${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** The entry of the next callback, after `act`. */
const callbackOf = async (mock: Mock, act: () => Promise<Response>): Promise<Entry> => {
  const { promise, resolve } = Promise.withResolvers<Entry>()
  const stop = mock.journal.listen(entry => {
    if (entry.operation === 'order.paid') resolve(entry)
  })
  expect((await act()).status).toBe(201)
  const entry = await promise
  stop()
  return entry
}

test('a callback goes where the request says, after the answer, with a body that conforms', async () => {
  const { url, received } = await receiver(seen)
  const mock = await mockFor('{$request.body#/callbackUrl}')
  const entry = await callbackOf(mock, () => place(mock, `${url}/hook?a=1`))
  expect(received).toMatchObject([
    { url: '/hook?a=1', type: 'application/json', body: { id: 7, state: 'paid' } },
  ])
  expect(entry).toMatchObject({
    method: 'POST',
    target: `${url}/hook?a=1`,
    status: 200,
    violations: [],
    scenario: 'callback',
  })
  expect(mock.journal.entries().map(({ operation }) => operation)).toEqual(['order', 'order.paid'])
})

test.each([
  ['$request.body#/callbackUrl', '/hook'],
  ['{$request.body#/callbackUrl}/{$response.body#/id}/{$method}/{$statusCode}', '/hook/7/POST/201'],
  [
    '{$request.body#/callbackUrl}?q={$request.query.q}&type={$request.header.Content-Type}',
    '/hook?q=x&type=application/json',
  ],
  ['{$request.body#/callbackUrl}?from={$url}', '/hook?from=MOCK/orders?q=x'],
])('the expression %s leads to %s', async (template, target) => {
  const { url, received } = await receiver(seen)
  const mock = await mockFor(template)
  await callbackOf(mock, () => place(mock, `${url}/hook`, '?q=x'))
  expect(received.map(each => each.url)).toEqual([target.replace('MOCK', mock.url)])
})

test('the example of the document is sent as it stands', async () => {
  const { url, received } = await receiver(seen)
  const mock = await mockFor(
    '$request.body#/callbackUrl',
    {},
    jsonContent(paid, { example: { id: 1, state: 'paid' } }),
  )
  await callbackOf(mock, () => place(mock, url))
  expect(received[0]?.body).toEqual({ id: 1, state: 'paid' })
})

test('the answer to a callback is judged', async () => {
  const mock = await mockFor('$request.body#/callbackUrl')
  const wrong = await receiver(response =>
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
  )
  const entry = await callbackOf(mock, () => place(mock, wrong.url))
  expect(entry.violations.map(({ id }) => id)).toEqual(['order.paid/response/200/body/seen/required'])
  const failing = await receiver(response => response.writeHead(500).end())
  const other = await callbackOf(mock, () => place(mock, failing.url))
  expect([other.status, other.violations[0]?.message]).toEqual([
    500,
    'answered 500, an undeclared status; expected: a declared status: 200',
  ])
})

test('what cannot be sent is told', async () => {
  const mock = await mockFor('{$request.body#/callbackUrl}')
  const outcomeOf = async (url: string): Promise<string | null> =>
    (await callbackOf(mock, () => place(mock, url))).scenario
  const gone = await receiver(seen)
  for (const [url, outcome] of [
    [
      'https://93.184.216.34/x',
      'not sent: 93.184.216.34 is neither of this machine nor of a private network: --callback-hosts 93.184.216.34 allows it',
    ],
    ['http://169.254.169.254/latest', 'not sent: 169.254.169.254 is neither'],
    ['http://[::ffff:8.8.8.8]/', 'not sent: '],
    ['http://0x08080808/', 'not sent: 8.8.8.8 is neither'],
    ['file:///etc/passwd', 'not sent: file: is neither http nor https'],
    ['http://me:secret@127.0.0.1/', 'not sent: the URL has credentials'],
    ['nowhere', 'not sent: "nowhere" is not an absolute URL'],
    [gone.url.replace(String(gone.port), '1'), 'failed: '],
  ] as const)
    expect(await outcomeOf(url)).toContain(outcome)
  const unknown = await mockFor('{$request.query.hook}')
  expect((await callbackOf(unknown, () => place(unknown, 'x'))).scenario).toBe(
    'callback: not sent: {$request.query.hook} has no value',
  )
})

test('callbacks that lead to the mock itself cause no others, and are tried by its console', async () => {
  const itself = jsonContent(order, { example: { id: 8, callbackUrl: 'x' } })
  const mock = await mockFor('http://{$request.header.host}/orders', {}, itself)
  const entry = await callbackOf(mock, () => place(mock, 'x'))
  expect([entry.status, entry.target]).toEqual([201, `${mock.url}/orders`])
  let { number } = entry
  for (let count = 0; count < 10; count++) ({ number } = await callbackOf(mock, () => place(mock, 'y')))
  expect(mock.journal.entries().map(({ operation }) => operation)).toEqual(
    Array.from({ length: 11 }, () => ['order', 'order', 'order.paid']).flat(),
  )
  const details = await (await fetch(`${mock.url}/__plantstore/requests/${number}`)).json()
  expect(details).toMatchObject({
    summary: { operation: 'order.paid', scenario: 'callback' },
    maskedSnippets: { curl: expect.stringContaining(`'${mock.url}/orders'`) },
  })
})

test('no redirect is followed', async () => {
  const target = await receiver(seen)
  const { url } = await receiver(response => response.writeHead(302, { Location: target.url }).end())
  const mock = await mockFor('$request.body#/callbackUrl')
  const entry = await callbackOf(mock, () => place(mock, url))
  expect([entry.status, target.received]).toEqual([302, []])
})

test('a host that is named may be reached by its name', async () => {
  const { port, received } = await receiver(seen)
  const mock = await mockFor('$request.body#/callbackUrl', { callbackHosts: ['localhost'] })
  await callbackOf(mock, () => place(mock, `http://localhost:${port}/`))
  expect(received).toHaveLength(1)
})

test('nothing is sent after a rejected request, or unless it is asked for', async () => {
  const { url, received } = await receiver(seen)
  const mock = await mockFor('$request.body#/callbackUrl')
  expect((await place(mock, url, '', { callbackUrl: url })).status).toBe(400)
  const silent = await mockFor('$request.body#/callbackUrl', { callbacks: false })
  expect((await place(silent, url)).status).toBe(201)
  // A later callback shows that none came before it.
  await callbackOf(mock, () => place(mock, `${url}/last`))
  expect(received.map(each => each.url)).toEqual(['/last'])
  expect(silent.journal.entries()).toHaveLength(1)
})

test('a mock that closes gives up callbacks without an answer', async () => {
  const reached = Promise.withResolvers<void>()
  const { url } = await receiver(() => reached.resolve())
  const mock = await mockFor('$request.body#/callbackUrl')
  expect((await place(mock, url)).status).toBe(201)
  await reached.promise
  await mock.close()
  expect(mock.journal.entries()).toHaveLength(1)
})
