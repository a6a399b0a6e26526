import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loadContract } from '../../../spec/index.ts'
import { inEcmaScript } from '../../../spec/patterns/other-dialects.ts'
import { inUnicodeMode } from '../../../spec/patterns/unicode-mode.ts'
import { documentWith, writeDocument } from '../contracts.ts'

test.each([
  // These mean different things in Perl and in Ruby, or have no equal.
  '\\h+',
  '\\Gx',
  'a\\Kb',
  '\\R',
  '\\N',
  '\\iname',
  '(?x) a b',
  '(?m)^a$',
  '[[=a=]]',
  '[[.hyphen.]]',
  '[[:^alpha:]]',
  '[\\P{Alnum}]',
  '[a-z&&[^aeiou]]',
])('%s is of another dialect, so nothing is judged by it', pattern => {
  expect(inUnicodeMode(pattern)).toBeNull()
})

test.each([
  // Ruby, Python, .NET, Java, Perl, PCRE, Go.
  ['\\A[a-z]{2,3}\\z', ['ab', 'abc'], ['a', 'abcd', '1ab']],
  ['\\A\\d+\\Z', ['1'], ['1a']],
  ['^(?!(?:if|else)\\Z)[a-z]+\\Z', ['iff'], ['if', 'a1']],
  ['^\\Qa.b\\E$', ['a.b'], ['axb', 'a.bE']],
  ['\\e[0-9]', ['\u001b1'], ['e1']],
  ['^(?i)ab$', ['ab', 'AB', 'aB'], ['a', 'xAB']],
  ['(?i)^[a-f0-9-]+$', ['aF-0'], ['g']],
  ['^(?i:a)b$', ['Ab', 'ab'], ['aB']],
  ['^((?i)a|x)c$', ['Ac', 'xc', 'Xc'], ['AC']],
  ['^a(?i)b(?-i)c$', ['aBc'], ['aBC']],
  ['(?s)^a.b$', ['a\nb'], ['ab']],
  ['^(?>a|b)c$', ['ac'], ['c']],
  ['^a++b$', ['aab'], ['b']],
  ['^\\x{41}$', ['A'], ['x']],
  ['^(?P<year>\\d{4})-(?P=year)$', ['1999-1999'], ['1999-2000']],
  ["^(?'a'x)y$", ['xy'], ['y']],
  ['^a(?#a remark)b$', ['ab'], ['a']],
  ['^\\p{Alnum}+$', ['a1Z'], ['é', '-']],
  ['^\\pL\\PL$', ['é1'], ['11', 'éé']],
  ['^[\\pL_]+$', ['é_'], ['1']],
  // POSIX.
  ['^[[:alnum:]_-]+$', ['aZ0_-'], ['a:', ':']],
  ['^[^[:space:]]+$', ['a'], ['a b']],
  ['^[a[:digit:]b]$', ['5', 'a'], ['c', '[']],
  ['^[[:punct:]]$', ['!', '~', '[', '`', '/'], ['a', '0', ' ']],
  // A literal of JavaScript or Perl: as a pattern it has no match.
  ['/^[a-z]+$/', ['ab'], ['AB', '/ab/']],
  ['/^[a-z]+$/i', ['AB'], ['1', '/AB/']],
])('%s is read as its author means it', (pattern, matching, others) => {
  const read = new RegExp(inUnicodeMode(pattern) ?? 'unreadable', 'u')
  expect(matching.filter(text => !read.test(text))).toEqual([])
  expect(others.filter(text => read.test(text))).toEqual([])
})

const part = fc.constantFrom(
  ...[
    'a',
    'Z',
    '.',
    '\\.',
    '\\d',
    '[a-z]',
    '[^\\]x]',
    '(b)',
    '(?:c|d)',
    '(?<n>e)',
    '(?=f)',
    '(?!g)',
    '(?<=h)',
    '\\p{L}',
  ],
  ...['{2}', '*', '+?', '^', '$', '|', '/', '\\/', '\\(?i\\)', '\\\\', '[&:]', '\\x41', '\\u{41}', '\\b'],
)

test('what is valid in Unicode mode stays as it is', () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), parts => {
      const pattern = parts.join('')
      fc.pre(isValid(pattern) && !/^\/(\^.*|.*\$)\/$/.test(pattern))
      expect(inUnicodeMode(pattern)).toBe(pattern)
      expect(inEcmaScript(pattern)).toBe(pattern)
    }),
  )
})

const isValid = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, 'u') !== null
  } catch {
    return false
  }
}

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
    patternProperties: { '\\Gx': { type: 'integer' } },
    additionalProperties: false,
  }
  const responses = { 200: { description: 'ok', content: { 'application/json': { schema } } } }
  const contract = await loadContract({
    from: writeDocument('a.json', documentWith({ '/a': { get: { responses } } })),
  })
  expect(contract.warnings.map(({ message }) => message)).toEqual([
    expect.stringContaining('the pattern \\Gx must be a regular expression of ECMAScript'),
  ])
  const [declared] = contract.operations[0]?.responses ?? []
  const media = declared?.media[0]?.schema ?? null
  if (media !== null) expect(contract.responses.schemas.validator(media)({ x1: 'a' })).toEqual([])
})
