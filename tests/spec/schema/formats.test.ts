import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileSchema, loadContract, obligationsOf } from '../../../spec/index.ts'
import { contractOfBody, documentWith, writeDocument } from '../contracts.ts'

const isValid = (format: string, text: string): boolean =>
  compileSchema({ type: 'string', format })(text).length === 0

const clocks = ['00:00:00', '23:59:59.123', '12:30:45.5', '23:59:60']
const offsets: readonly (readonly [offset: string, isRight: boolean])[] = [
  ['Z', true],
  ['z', true],
  ['+00:00', true],
  ['-08:00', true],
  ['+05:30', true],
  ['', false],
  ['+0000', false],
  ['-0800', false],
  ['+02', false],
  ['+2:00', false],
  ['+02:0', false],
  ['+02:00:00', false],
  [' Z', false],
  [' +02:00', false],
  ['UTC', false],
]

test.each(offsets)('RFC 3339 reads the offset "%s": %s', (offset, isRight) => {
  for (const clock of clocks.slice(0, 3)) {
    expect(isValid('date-time', `2024-02-29T${clock}${offset}`), clock).toBe(isRight)
    expect(isValid('time', `${clock}${offset}`), clock).toBe(isRight)
  }
})

test('a time with any offset of hours and minutes is right if it has a colon, and only then', () => {
  const two = (most: number) =>
    fc.integer({ min: 0, max: most }).map(number => String(number).padStart(2, '0'))
  fc.assert(
    fc.property(
      two(23),
      two(59),
      fc.constantFrom('+', '-'),
      fc.constantFrom(':', ''),
      (hours, minutes, sign, colon) => {
        const text = `2024-01-01T10:00:00${sign}${hours}${colon}${minutes}`
        expect(isValid('date-time', text)).toBe(colon === ':')
      },
    ),
  )
})

const checked =
  `date-time date time duration email hostname ipv4 ipv6 uri uri-reference uri-template uuid json-pointer
  relative-json-pointer regex byte`.split(/\s+/)
const unchecked = [
  'url',
  'iso-time',
  'iso-date-time',
  'json-pointer-uri-fragment',
  'currency',
  'path',
  'json-string',
  'int8',
  'iri',
]
const open = ['password', 'binary', 'float', 'double']

test('a value is checked against a format only if a specification defines it', () => {
  const text = '\u0000 {( no such'
  for (const format of checked) expect(isValid(format, text), format).toBe(false)
  for (const format of [...unchecked, ...open]) expect(isValid(format, text), format).toBe(true)
})

test.each([...checked, ...unchecked, ...open])(
  'a requirement is made of %s only if values are checked against it',
  async format => {
    const contract = await contractOfBody({ type: 'object', properties: { a: { type: 'string', format } } })
    const ids = obligationsOf(contract).map(({ id }) => id)
    expect(ids.includes('a/response/200/body/a/format')).toBe(checked.includes(format))
    const warned = contract.warnings.filter(({ message }) => message.includes(`format "${format}"`))
    expect(warned.length).toBe(unchecked.includes(format) ? 1 : 0)
  },
)

test('a format that is not checked is told once, with its line and the number of its places', async () => {
  const parameters = ['a', 'b', 'c'].map(name => ({
    name,
    in: 'query',
    schema: { type: 'string', format: 'url' },
  }))
  const { warnings } = await loadContract({
    from: writeDocument(
      'url.json',
      documentWith({ '/a': { get: { parameters, responses: { 200: { description: 'ok' } } } } }),
    ),
  })
  expect(warnings).toMatchObject([
    {
      message:
        'no value is checked against the format "url", which neither OpenAPI nor JSON Schema defines (here and in 2 other places)',
      place: { line: expect.any(Number), pointer: expect.stringMatching(/schema\/format$/) },
    },
  ])
})
