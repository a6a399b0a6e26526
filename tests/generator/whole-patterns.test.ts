import { expect, test } from 'vitest'
import { fc } from '../../generator/draw/fast-check.ts'
import { compileGenerator, type Schema } from '../../generator/index.ts'
import { isUnsupported } from '../../generator/read/unsupported.ts'
import type { Json } from '../../spec/json/json.ts'

const sample = (schema: Schema): readonly Json[] => {
  const { valid, boundaries } = compileGenerator(schema)
  if (isUnsupported(valid)) throw new Error(valid.unsupported)
  return [...boundaries, ...fc.sample(valid, { seed: 1, numRuns: 20 })]
}

const { pattern } = fc.letrec<{ pattern: string; atom: string }>(tie => ({
  pattern: fc.oneof(
    { maxDepth: 2 },
    tie('atom'),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => left + right),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `(?:${left}|${right})`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `${left}|${right}`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('+', '{2}', '{1,3}', '?'))
      .map(([it, times]) => `(${it})${times}`),
  ),
  atom: fc.constantFrom('a', 'B', '[0-9]', '[a-f0-9]', '\\d', '\\w', '-', '\\$', '[$^]', '\\.'),
}))

test('for all patterns without anchors: valid texts match as a whole if one can, and invalid ones nowhere', () => {
  fc.assert(
    fc.property(pattern, fc.nat({ max: 4 }), fc.nat({ max: 5 }), (unanchored, minLength, more) => {
      const schema = { type: 'string', minLength, maxLength: minLength + more }
      const whole = new RegExp(`^(?:${unanchored})$`, 'u')
      const { valid, invalid } = compileGenerator({ ...schema, pattern: unanchored })
      const isPossible = !isUnsupported(compileGenerator({ ...schema, pattern: whole.source }).valid)
      if (isPossible)
        for (const text of sample({ ...schema, pattern: unanchored })) expect(text).toMatch(whole)
      // A shorter text may match as a part where no whole one is long enough.
      else if (!isUnsupported(valid))
        for (const text of fc.sample(valid, { seed: 1, numRuns: 5 }))
          expect(text).toMatch(new RegExp(unanchored, 'u'))
      const broken = invalid({ instance: '', keyword: 'pattern', detail: '' })
      if (!isUnsupported(broken))
        for (const text of fc.sample(broken, { seed: 1, numRuns: 5 }))
          expect(text).not.toMatch(new RegExp(unanchored, 'u'))
    }),
    { numRuns: 60 },
  )
})

test.each<readonly [what: string, schema: Schema, expected: RegExp]>([
  ['a hexadecimal number', { pattern: '[a-f0-9]{16,32}' }, /^[a-f0-9]{16,32}$/],
  ['alternatives', { pattern: 'on|off' }, /^(?:on|off)$/],
  ['two patterns', { allOf: [{ pattern: '[a-z]+' }, { pattern: '\\w{3}' }] }, /^[a-z]{3}$/],
  ['a pattern with a format', { format: 'email', pattern: '[a-z]+@[a-z]+\\.org' }, /^[a-z]+@[a-z]+\.org$/],
  ['a backreference', { pattern: '(["\'])x\\1' }, /^(["'])x\1$/],
  ['a value that is ruled out', { pattern: 'on|off', not: { const: 'on' } }, /^off$/],
])('%s: values match as a whole', (_what, schema, expected) => {
  for (const text of sample({ type: 'string', ...(schema as object) })) expect(text).toMatch(expected)
})

test.each<readonly [what: string, schema: Schema]>([
  ['no whole match is long enough', { pattern: '\\d{3}', minLength: 5 }],
  ['no text matches both patterns as a whole', { allOf: [{ pattern: '[a-z]' }, { pattern: '\\d' }] }],
  ['an anchor says where the match is', { pattern: '^tool-' }],
  ['a word boundary says where the match is', { pattern: '\\btool' }],
  ['the text only has to have some other character than these', { pattern: '\\S' }],
])('values match in part: %s', (_what, schema) => {
  const texts = sample({ type: 'string', ...(schema as object) })
  expect(new Set(texts).size).toBeGreaterThan(10)
})

test('if there are too few whole matches for distinct items, others are taken', () => {
  const schema = { type: 'array', minItems: 5, uniqueItems: true, items: { type: 'string', pattern: '[ab]' } }
  for (const items of sample(schema) as readonly (readonly string[])[])
    expect(items.length).toBeGreaterThanOrEqual(5)
})
