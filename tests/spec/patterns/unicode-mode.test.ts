import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { inUnicodeMode } from '../../../spec/patterns/unicode-mode.ts'
import { documentWith, writeDocument } from '../contracts.ts'

test.each([
  // Ruby, Python, .NET, Java, Perl.
  '\\A[a-z]{2,3}\\z',
  '\\A\\d+\\Z',
  '^a\\Z',
  '\\Gx',
  '\\h+',
  '\\Qa.b\\E',
  'a\\Kb',
  '\\R',
  '\\e[0-9]',
  '\\N',
  '\\iname',
  // POSIX.
  '[[:alpha:]]',
  '^[[:alnum:]_-]+$',
  '[^[:space:]]+',
  '[a[:digit:]b]',
  '[[=a=]]',
  '[[.hyphen.]]',
  // Java.
  '[a-z&&[^aeiou]]',
  '(?i)abc',
  '(?>a)',
  'a++',
  '\\x{41}',
])('%s is of another dialect, so nothing is judged by it', pattern => {
  expect(inUnicodeMode(pattern)).toBeNull()
})

test.each([
  ['^a\\-b$', '^a-b$'],
  ['\\/a\\_\\@', '\\/a_@'],
  ['^\\\\A$', '^\\\\A$'],
  ['\\\\z', '\\\\z'],
  ['[&a]', '[&a]'],
  ['[:a]', '[:a]'],
  ['\\bword\\B', '\\bword\\B'],
  ['\\p{L}+', '\\p{L}+'],
  ['(?<year>\\d{4})\\k<year>', '(?<year>\\d{4})\\k<year>'],
  ['\\u0041\\x41\\cA\\0', '\\u0041\\x41\\cA\\0'],
])('%s is read as %s', (pattern, read) => {
  expect(inUnicodeMode(pattern)).toBe(read)
})

test('a property pattern of another dialect is told, and what it would take may be there', async () => {
  const schema = {
    type: 'object',
    patternProperties: { '\\Ax': { type: 'integer' } },
    additionalProperties: false,
  }
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } }
  const contract = await loadContract({
    from: writeDocument('a.json', documentWith({ '/a': { get: { responses } } })),
  })
  expect(contract.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('the pattern \\Ax must be a regular expression of ECMAScript'),
  ])
  const [declared] = contract.operations[0]?.responses ?? []
  const media = declared?.media[0]?.schema ?? null
  if (media !== null) expect(contract.responses.schemas.validator(media)({ x1: 'a' })).toEqual([])
})
