/** A cache may not change an answer: a mock that was asked much before answers as one that was never asked anything. */
import { expect, test } from 'vitest'
import { writeSample } from '../../../mock/console/samples/sample-request.ts'
import { simpleRequestSpecs } from '../../../mock/console/samples/simple-requests.ts'
import { createHandler, type HandlerOptions } from '../../../mock/index.ts'
import { type Contract, fillToken, loadContract } from '../../../spec/index.ts'
import { libraryDocument, ordersDocument, shopDocument } from '../../documents/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

type Asked = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const text = { type: 'string' }
const item = {
  type: 'object',
  required: ['id', 'shop', 'odd'],
  properties: { id: text, shop: text, odd: text },
}
const list = { type: 'array', items: item, minItems: 2 }
const path = (name: string) => ({ name, in: 'path', required: true, schema: text })
const versions = Object.fromEntries(
  [1, 2].map(version => [
    `application/vnd.x+json; version=${version}`,
    { schema: { type: 'object', required: [`v${version}`], properties: { [`v${version}`]: text } } },
  ]),
)
/** Each way in which a request can ask for another response. */
const mixed = documentWith({
  '/types': {
    get: {
      operationId: 'types',
      parameters: [
        { name: 'X-Odd', in: 'header', schema: text },
        { name: 'odd', in: 'cookie', schema: text },
        { name: 'odd', in: 'query', schema: text },
      ],
      responses: {
        200: {
          description: 'ok',
          content: {
            'application/json': {
              schema: item,
              examples: { one: { value: { id: '1', shop: 'a', odd: 'x' } } },
            },
            'text/csv': { schema: text, examples: { 'one two': { value: 'a,b' }, one: { value: 'c' } } },
            'application/xml': { schema: { ...item, xml: { name: 'item' } } },
            'image/*': {},
            ...versions,
          },
        },
        400: {
          description: 'no',
          content: {
            'application/json': { schema: { type: 'object', properties: { message: text } } },
            'text/plain': { schema: text },
          },
        },
        default: { description: 'other', content: { 'application/json': { schema: item } } },
      },
    },
  },
  '/shops/{shop}/items': {
    get: {
      operationId: 'listItems',
      parameters: [path('shop'), { name: 'limit', in: 'query', schema: { type: 'integer' } }],
      responses: {
        200: { description: 'ok', content: { 'application/json': { schema: list } } },
        206: { description: 'some', content: { 'application/json': { schema: { ...list, maxItems: 3 } } } },
      },
    },
    post: {
      operationId: 'addItem',
      parameters: [path('shop')],
      requestBody: {
        content: { 'application/json': { schema: { type: 'object', properties: { odd: text } } } },
      },
      responses: {
        201: {
          description: 'made',
          headers: { Location: { required: true, schema: { type: 'string', format: 'uri' } } },
          content: { 'application/json': { schema: item } },
        },
      },
    },
  },
  '/shops/{shop}/items/{id}': {
    get: {
      operationId: 'getItem',
      parameters: [path('shop'), path('id')],
      responses: {
        200: { description: 'ok', content: { 'application/json': { schema: item } } },
        default: { description: 'no', content: { 'application/json': { schema: item } } },
      },
    },
  },
})

const contracts: Readonly<Record<string, Contract>> = {
  mixed: await loadContract({ from: writeDocument('mixed.json', mixed) }),
  library: await loadContract({ from: libraryDocument }),
  orders: await loadContract({ from: ordersDocument }),
  shop: await loadContract({ from: shopDocument }),
}

const options = (contract: Contract, rest: HandlerOptions = {}): HandlerOptions => ({
  contract,
  warn: () => undefined,
  ...rest,
})

const shown = async (response: Response): Promise<string> =>
  `${response.status} ${JSON.stringify([...response.headers].filter(([name]) => name !== 'date').sort())}\n${await response.text()}`

type Ask = (request: Request) => Promise<Response>

const ask = async (handler: Ask, { method, url, headers, body }: Asked): Promise<string> =>
  shown(await handler(new Request(url, { method, headers, body })))

const typesOf = (contract: Contract, id: string): readonly string[] => [
  ...new Set(
    contract.operations
      .filter(operation => operation.id === id)
      .flatMap(({ responses }) => responses.flatMap(({ media }) => media.map(({ type }) => type))),
  ),
]

/** Headers that may change the response, one at a time. */
const headersFor = (contract: Contract, id: string): readonly Readonly<Record<string, string>>[] => [
  {},
  ...typesOf(contract, id).map(Accept => ({ Accept })),
  { Accept: 'image/webp' },
  { Accept: 'text/csv, application/json;q=0.5' },
  { Accept: 'nothing/known' },
  ...[
    'code=200',
    'code=206',
    'code=400',
    'code=500',
    'example=one',
    'example="one two"',
    'seed=1',
    'seed="1 a"',
  ]
    .concat(['dynamic=true, seed=2', 'example=one, dynamic=true', 'code=abc', 'respond-async'])
    .map(Prefer => ({ Prefer })),
  { Prefer: 'example=one', Accept: 'two' },
  { Prefer: 'example=one', Accept: 'text/csv' },
  { Cookie: 'odd=1' },
  { Cookie: 'odd=2' },
  { 'X-Odd': '1' },
  { 'X-Odd': '2' },
  { Host: 'other.test' },
  { Origin: 'http://page.test' },
  { Authorization: 'Bearer a' },
  { Authorization: 'Basic YTpi' },
  { 'Plantstore-Client': 'one' },
]

/** The plainest requests of an operation, at two hosts, and with other values of the same parameters. */
const bases = (contract: Contract): readonly (Asked & { readonly id: string })[] =>
  contract.operations.flatMap(operation => {
    const { method, path: template, id } = operation
    const plain = simpleRequestSpecs(contract, operation).map(({ spec }) => writeSample(operation, spec))
    const [first] = plain
    const other = template.replace(/\{[^}]*\}/g, '2')
    const written =
      first === undefined ? plain : [...plain, { ...first, target: other }, { ...first, body: null }]
    return written.flatMap(({ target, headers, body }) =>
      ['http://store.test', 'https://other.test'].map(host => ({
        id,
        method,
        url: host + fillToken(target, 'a'),
        headers: Object.fromEntries(headers.map(([name, value]) => [name, fillToken(value, 'a')])),
        body: method === 'GET' ? null : body,
      })),
    )
  })

/** Each request, alone and with each header that may change its response. */
const requestsFor = (contract: Contract): readonly Asked[] =>
  bases(contract).flatMap((base, index) =>
    headersFor(contract, base.id)
      // Large documents: each header with some of the requests.
      .filter((_, at) => contract.operations.length < 4 || (at + index) % 6 === 0)
      .map(extra => ({ ...base, headers: { ...base.headers, ...extra } })),
  )

test.each(Object.entries(contracts))(
  '%s: asked before, a mock answers as one that was never asked',
  async (_, contract) => {
    const requests = requestsFor(contract)
    const warm = await createHandler(options(contract))
    for (const request of requests) await ask(warm, request)
    const seen = new Set<string>()
    for (const request of requests.toReversed()) {
      const again = await ask(warm, request)
      const cold = await createHandler(options(contract))
      expect(again, JSON.stringify(request)).toBe(await ask(cold, request))
      await cold.close()
      seen.add(again)
    }
    await warm.close()
    // Else the law would compare one and the same response.
    expect(seen.size).toBeGreaterThan(contract.operations.length * 3)
  },
)

/** Each is made once more in another place: what one configuration makes is not what another has. */
const configurations: readonly HandlerOptions[] = [
  { unauthenticated: '401' },
  { tokens: ['b'] },
  { stateful: true },
  { rules: { '*.*': 'off' } },
  { seed: 7 },
  { values: { listItems: () => [] } },
  { scenarios: { '*': [{ status: 400 }] } },
]

test('what one configuration made does not reach another', async () => {
  const contract = contracts.mixed as Contract
  const requests = requestsFor(contract).filter((_, index) => index % 7 === 0)
  const warm = await Promise.all(configurations.map(each => createHandler(options(contract, each))))
  for (const request of requests) {
    const answers = await Promise.all(warm.map(handler => ask(handler, request)))
    for (const [index, answer] of answers.entries()) {
      const isKept = configurations[index]?.stateful === true && request.method !== 'GET'
      const cold = await createHandler(options(contract, configurations[index]))
      if (!isKept)
        expect(answer.length > 0 ? answer : '', JSON.stringify([configurations[index], request])).toBe(
          await ask(cold, request),
        )
      await cold.close()
    }
  }
})

test('what a scenario changes, it changes for as long as it is on', async () => {
  const contract = contracts.mixed as Contract
  const warm = await createHandler(options(contract))
  const request = { method: 'GET', url: 'http://store.test/types', headers: {}, body: null }
  const usual = await ask(warm, request)
  for (const scenario of [{ status: 400 }, { body: { id: '9', shop: 'b', odd: 'y' } }]) {
    await warm.scenarios.set('types', scenario)
    const changed = await ask(warm, request)
    expect(changed).not.toBe(usual)
    expect(await ask(warm, request)).toBe(changed)
    warm.scenarios.reset()
    expect(await ask(warm, request)).toBe(usual)
  }
})

test('what is kept is what was sent, however often it was asked for', async () => {
  const contract = contracts.mixed as Contract
  const [often, seldom] = await Promise.all(
    [1, 2].map(() => createHandler(options(contract, { stateful: true }))),
  )
  if (often === undefined || seldom === undefined) return
  const items = 'http://store.test/shops/a/items'
  const read = (url: string, client: string): Asked => ({
    method: 'GET',
    url,
    headers: { 'Plantstore-Client': client },
    body: null,
  })
  for (let round = 0; round < 3; round++) {
    for (const url of [items, `${items}/1`, `${items}/2`, items.replace('/a/', '/b/')])
      for (const client of ['', 'one']) await ask(often, read(url, client))
    const added = {
      method: 'POST',
      url: items,
      headers: { 'Content-Type': 'application/json' },
      body: `{"odd":"${round}"}`,
    }
    expect(await ask(often, added)).toBe(await ask(seldom, added))
  }
  for (const client of ['', 'one'])
    expect(await ask(often, read(items, client))).toBe(await ask(seldom, read(items, client)))
})
