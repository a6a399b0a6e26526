/** Requests whose body is no JSON, as curl and browsers send them. */
import { expect, test } from 'vitest'
import { contractOf } from '../bodies/media.ts'
import { ids, judge } from '../requests.ts'

const text = { type: 'string' }
const contract = await contractOf({
  'multipart/form-data': {
    schema: {
      type: 'object',
      required: ['file'],
      additionalProperties: false,
      properties: {
        file: { type: 'string', format: 'binary', maxLength: 5 },
        alt: { type: 'string', maxLength: 5 },
        width: { type: 'integer', minimum: 1 },
        tags: { type: 'array', maxItems: 2, items: { type: 'string', minLength: 1 } },
        meta: { type: 'object', required: ['by'], properties: { by: text, stars: { type: 'integer' } } },
      },
    },
    encoding: {
      file: { contentType: 'image/*', headers: { 'X-Sum': { required: true, schema: { type: 'integer' } } } },
    },
  },
  'application/xml': {
    schema: {
      type: 'object',
      xml: { name: 'pet' },
      required: ['id'],
      properties: {
        id: { type: 'integer', xml: { attribute: true } },
        tags: { type: 'array', items: text, minItems: 2 },
      },
    },
  },
  'text/*': { schema: { type: 'string', pattern: '^a' } },
  'application/octet-stream': { schema: { type: 'string', format: 'binary', minLength: 2 } },
})

const send = (type: string, body: string | Uint8Array) => ({
  method: 'POST',
  target: '/a',
  headers: { 'content-type': type },
  body,
})

const form = (...parts: readonly (readonly [head: string, content: string])[]) =>
  send(
    'multipart/form-data; boundary=x',
    Buffer.from(
      `${parts.map(([head, content]) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`).join('')}--x--\r\n`,
      'latin1',
    ),
  )

const file = ['name="file"; filename="a.png"\r\nContent-Type: image/png\r\nX-Sum: 5', '\x89PNG'] as const
const field = (name: string, content: string) => [`name="${name}"`, content] as const

test.each<[string, ReturnType<typeof send>, readonly string[]]>([
  ['a file', form(file), []],
  [
    'everything',
    form(file, field('alt', '\xc3\xbc'), field('tags', 'a'), field('tags', 'b'), field('width', '7')),
    [],
  ],
  ['JSON without a type', form(file, field('meta', '{"by":"me","stars":5}')), []],
  ['no file', form(field('alt', 'hello')), ['body/file/required']],
  ['no part at all', form(), ['body/file/required']],
  [
    'a file of another type',
    form(['name="file"; filename="a"\r\nContent-Type: text/plain\r\nX-Sum: 5', 'a']),
    ['body/file/content-type'],
  ],
  ['a file without a type', form(['name="file"\r\nX-Sum: 5', 'a']), ['body/file/content-type']],
  [
    'a file without its header',
    form(['name="file"\r\nContent-Type: image/gif', 'a']),
    ['body/file/headers/x-sum'],
  ],
  [
    'a wrong header',
    form(['name="file"\r\nContent-Type: image/gif\r\nX-Sum: x', 'a']),
    ['body/file/headers/x-sum'],
  ],
  ['a file of six bytes', form([file[0], '\xff'.repeat(6)]), ['body/file/maxLength']],
  ['five characters of ten bytes', form(file, field('alt', '\xc3\xbc'.repeat(5))), []],
  ['a number that is none', form(file, field('width', 'x')), ['body/width/type/string']],
  ['a number out of range', form(file, field('width', '0')), ['body/width/minimum']],
  // A server may take the last one, or the first.
  ['a text twice', form(file, field('alt', 'a'), field('alt', 'b')), []],
  ['a number twice, of which one is right', form(file, field('width', 'x'), field('width', '1')), []],
  [
    'a number twice, never right',
    form(file, field('width', 'x'), field('width', 'y')),
    ['body/width/type/string'],
  ],
  ['an empty item', form(file, field('tags', '')), ['body/tags/*/minLength']],
  [
    'three items',
    form(file, field('tags', 'a'), field('tags', 'b'), field('tags', 'c')),
    ['body/tags/maxItems'],
  ],
  [
    'wrong types in JSON',
    form(file, field('meta', '{"by":1,"stars":"5"}')),
    ['body/meta/by/type/number', 'body/meta/stars/type/numeral'],
  ],
  ['a text instead of JSON', form(file, field('meta', 'me')), ['body/meta/type/string']],
  ['an undeclared part', form(file, field('more', 'a')), ['body/additionalProperties']],
  ['a text that is not UTF-8', form(file, field('alt', '\xff')), ['body/multipart']],
  ['no end', send('multipart/form-data; boundary=x', '--x\r\n'), ['body/multipart']],
  ['no boundary', send('multipart/form-data', '--x--\r\n'), ['body/multipart']],
  ['no bytes', send('multipart/form-data; boundary=x', ''), ['body/required/empty']],
  ['XML', send('application/xml', '<pet id="5"><tags>a</tags><tags>b</tags></pet>'), []],
  ['XML without an attribute', send('application/xml', '<pet/>'), ['body/id/required']],
  [
    'wrong XML',
    send('application/xml', '<pet id="x"><tags>a</tags></pet>'),
    ['body/id/type/string', 'body/tags/minItems'],
  ],
  ['malformed XML', send('application/xml', '<pet id="5">'), ['body/xml']],
  ['another root element', send('application/xml', '<dog id="5"/>'), ['body/xml']],
  ['text in a range', send('text/csv', 'abc'), []],
  ['wrong text in a range', send('text/csv; charset=utf-8', 'bc'), ['body/pattern']],
  ['empty text', send('text/plain', ''), ['body/pattern']],
  ['text that is none', send('text/plain; charset=utf-8', Buffer.from([0x61, 0xff])), ['body/text']],
  ['two bytes', send('application/octet-stream', Buffer.from([0, 255])), []],
  ['one byte', send('application/octet-stream', Buffer.from([255])), ['body/minLength']],
])('%s', (_what, request, expected) => {
  expect(ids(contract, request).toSorted()).toEqual(expected.map(id => `a/request/${id}`))
})

test('the reasons name the part', () => {
  const messages = (request: ReturnType<typeof send>) =>
    judge(contract, request).violations.map(({ message }) => message)
  expect(messages(form(field('alt', 'hello')))).toEqual(['/file is missing'])
  expect(messages(form(['name="file"\r\nContent-Type: text/plain', 'a']))).toEqual([
    '/file must be sent as image/*, not text/plain',
    '/file must have the header X-Sum',
  ])
  expect(messages(send('multipart/form-data; boundary=x', '--x\r\n'))).toEqual([
    'the body cannot be read as multipart/form-data: the line that ends it is missing',
  ])
})
