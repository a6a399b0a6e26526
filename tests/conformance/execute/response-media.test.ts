import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import { type Ledger, loadContract } from '../../../spec/index.ts'
import { writeDocument } from '../../spec/contracts.ts'

const instance = {
  type: 'object',
  required: ['name', 'size'],
  properties: {
    name: { type: 'string', minLength: 1 },
    size: { type: 'integer', minimum: 1 },
    more: { type: 'object', required: ['by'], properties: { by: { type: 'string' } } },
  },
}
const get = (operationId: string, type: string) => ({
  get: { operationId, responses: { 200: { description: 'ok', content: { [type]: { schema: instance } } } } },
})
const stream = (operationId: string, type: string, itemSchema: object) => ({
  get: { operationId, responses: { 200: { description: 'ok', content: { [type]: { itemSchema } } } } },
})
const event = {
  type: 'object',
  required: ['data'],
  properties: { event: { enum: ['a', 'b'] }, data: { type: 'string' }, retry: { type: 'integer' } },
}
const contract = await loadContract({
  from: writeDocument(
    'things.json',
    JSON.stringify({
      openapi: '3.2.0',
      info: { title: 'Things', version: '1' },
      paths: {
        '/form': get('form', 'application/x-www-form-urlencoded'),
        '/parts': get('parts', 'multipart/form-data'),
        '/any': get('any', '*/*'),
        '/events': stream('events', 'text/event-stream', event),
        '/kinds': stream('kinds', 'text/event-stream', { oneOf: [event, { ...event, required: ['id'] }] }),
        '/things': stream('things', 'text/event-stream', instance),
        '/lines': stream('lines', 'application/jsonl', instance),
        '/sequence': stream('sequence', 'application/json-seq', instance),
      },
    }),
  ),
})

const part = (name: string, content: string, type = 'text/plain'): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`

type Answers = Readonly<Record<string, readonly [type: string, body: string]>>

const lawful: Answers = {
  '/form': ['application/x-www-form-urlencoded', 'name=a&size=3'],
  '/parts': [
    'multipart/form-data; boundary=x',
    `${part('name', 'a')}${part('size', '3')}${part('more', '{"by":"b"}', 'application/json')}--x--\r\n`,
  ],
  '/any': ['application/json', '{"name":"a","size":3}'],
  '/events': ['text/event-stream', ': hello\n\nevent: a\nretry: 5\ndata: 1\ndata: 2\n\nother: x\ndata:\n\n'],
  '/kinds': ['text/event-stream', 'event: a\ndata: 1\n\nid: 2\n\n'],
  '/things': ['text/event-stream', 'data: {"name":"a",\r\ndata: "size":3}\r\n\r\n'],
  '/lines': ['application/jsonl', '{"name":"a","size":3}\n{"name":"b","size":4}'],
  '/sequence': ['application/json-seq', '\u001e{"name":"a","size":3}\n\u001e{"name":"b","size":4}\n'],
}

const runOn = async (answers: Answers): Promise<Ledger> => {
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    const [type, body] = lawful[path] === undefined ? ['text/plain', ''] : (answers[path] ?? lawful[path])
    response.writeHead(path in lawful ? 200 : 404, { 'Content-Type': type }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return verify({
    contract,
    target,
    seed: 1,
    cases: 60,
    sustained: 0,
    strict: true,
    only: ['*/request/valid', '*/response/*'],
  })
}

const failedIn = ({ findings }: Ledger): readonly string[] =>
  findings.flatMap(({ obligation, also }) => [obligation, ...also])

test('forms, parts and any media type that conform pass', async () => {
  const ledger = await runOn({})
  expect(failedIn(ledger)).toEqual([])
  const ids = ledger.entries.flatMap(({ obligation, verdict }) =>
    verdict.kind === 'passed' ? [obligation.id] : [],
  )
  for (const operation of ['form', 'parts', 'any'])
    expect(ids).toContain(`${operation}/response/200/body/size/minimum`)
  for (const operation of ['events', 'kinds', 'things', 'lines', 'sequence'])
    expect(ids).toContain(`${operation}/response/200/items`)
  expect(failedIn(await runOn({ '/any': ['text/plain', 'a'] }))).toEqual([])
})

const [type] = lawful['/parts'] ?? ['']

test.each<[string, Answers, string]>([
  [
    'a form without a field',
    { '/form': ['application/x-www-form-urlencoded', 'name=a'] },
    'form/response/200/body/size/required',
  ],
  [
    'a text for a number in a form',
    { '/form': ['application/x-www-form-urlencoded', 'name=a&size=x'] },
    'form/response/200/body/size/type',
  ],
  [
    'too small a number in a part',
    { '/parts': [type, `${part('name', 'a')}${part('size', '0')}--x--\r\n`] },
    'parts/response/200/body/size/minimum',
  ],
  [
    'JSON in a part that does not conform',
    {
      '/parts': [
        type,
        `${part('name', 'a')}${part('size', '1')}${part('more', '{}', 'application/json')}--x--\r\n`,
      ],
    },
    'parts/response/200/body/more/by/required',
  ],
  [
    'another boundary',
    { '/parts': [type, (lawful['/parts']?.[1] ?? '').replaceAll('--x', '--y')] },
    'parts/response/200/multipart',
  ],
  [
    'JSON that does not conform, where any type may come',
    { '/any': ['application/json', '{"name":"a"}'] },
    'any/response/200/body/size/required',
  ],
  [
    'an event of another kind',
    { '/events': ['text/event-stream', 'event: c\ndata: 1\n\n'] },
    'events/response/200/items',
  ],
  [
    'an event without data',
    { '/events': ['text/event-stream', 'data: 1\n\nevent: a\n\n'] },
    'events/response/200/items',
  ],
  [
    'JSON in an event that does not conform',
    { '/things': ['text/event-stream', 'data: {"name":"a"}\n\n'] },
    'things/response/200/items',
  ],
  [
    'a second line that does not conform',
    { '/lines': ['application/jsonl', '{"name":"a","size":3}\n{"name":"b"}\n'] },
    'lines/response/200/items',
  ],
  ['a line that is no JSON', { '/lines': ['application/jsonl', '[\n'] }, 'lines/response/200/items'],
  [
    'a text of a sequence that does not conform',
    { '/sequence': ['application/json-seq', '\u001e{"name":"","size":3}\n'] },
    'sequence/response/200/items',
  ],
  ['no JSON, where the type says so', { '/any': ['application/json', '{'] }, 'any/response/200/json'],
])('%s is found', async (_what, answers, expected) => {
  expect(failedIn(await runOn(answers))).toContain(expected)
})

test('the mock answers so', async () => {
  const mock = await createMock({ contract })
  onTestFinished(mock.close)
  const { findings, end } = await verify({ contract, target: mock.url, seed: 1, sustained: 0, strict: true })
  expect(findings.map(({ obligation, title }) => `${obligation}: ${title}`)).toEqual([])
  expect(end?.conclusion).toBe('conformant')
})
