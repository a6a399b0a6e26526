import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Json, parseJson, placesOf } from '../../../spec/index.ts'
import { plainValidity } from '../../../spec/schema/plain-validity.ts'
import { createSchemaSet } from '../../../spec/schema/validator.ts'

const limit = fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(2 ** 31, -(2 ** 31) - 1, 2 ** 53))
const type = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'object', 'array')

const simpleSchema = fc.record(
  {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1 })),
    minimum: limit,
    maximum: limit,
    minLength: fc.nat(6),
    maxLength: fc.nat(6),
    minItems: fc.nat(3),
    required: fc.constant(['a']),
    description: fc.constant('x'),
  },
  { requiredKeys: ['type'] },
)

const schema = fc.oneof(
  simpleSchema,
  fc.record({ allOf: fc.array(fc.oneof(simpleSchema, fc.constant(false)), { minLength: 1, maxLength: 2 }) }),
  fc
    .tuple(
      simpleSchema,
      fc.constantFrom(
        { pattern: 'a' },
        { enum: [1, 'a'] },
        { enum: [null, true, 'b'], 'x-open-null': true },
        { exclusiveMinimum: 2, exclusiveMaximum: 20 },
        { const: 'a' },
        ...[
          'int32',
          'int64',
          'uuid',
          'date-time',
          'date',
          'time',
          'email',
          'byte',
          'password',
          'unheard-of',
        ].map(format => ({ format })),
      ),
    )
    .map(([simple, more]) => ({ ...simple, ...more })),
)

const text = fc.oneof(
  fc.constantFrom('0', '-0', '1.0', '20.0', '1e0', '2e18', '0.5', '5e-324', '1e21', '9007199254740993'),
  fc.integer({ min: -30, max: 30 }).map(String),
  fc.string({ maxLength: 8, unit: 'grapheme' }).map(value => JSON.stringify(value)),
  fc.constantFrom('null', 'true', '{"a":1}', '[]'),
  fc
    .constantFrom(
      ...[
        'a',
        'b',
        '7d793037-a076-4be3-9b4f-8c1d0d2f6e5a',
        '2026-11-27',
        '12:00:00Z',
        '12:00:00+02',
        'a@b.example',
      ],
      ...['2026-11-27T12:00:00Z', '2026-11-27T12:00:00+0200', 'YQ==', 'YQ=', 'bcd'],
    )
    .map(value => JSON.stringify(value)),
)

test('what is said without a validator is what the validator says', () => {
  let answers = 0
  fc.assert(
    fc.property(schema, fc.array(text, { minLength: 1, maxLength: 5 }), (written, texts) => {
      const document = { components: { schemas: { A: written } } }
      const place = placesOf(document, '/components/schemas/A')
      const set = createSchemaSet(document, () => new Map())
      const isValid = (value: Json): boolean =>
        place.schemas.every(pointer => set.validator(pointer)(value).length === 0)
      const isPlainlyValid = plainValidity(document, place)
      for (const value of texts.map(parseJson)) {
        const answer = isPlainlyValid(value)
        if (answer === null) continue
        answers += 1
        expect([JSON.stringify(value), answer]).toEqual([JSON.stringify(value), isValid(value)])
      }
    }),
    { numRuns: 1000 },
  )
  expect(answers).toBeGreaterThan(100)
})

test('no validator is compiled for what documents of Pydantic have at most places', () => {
  const uuid = { type: ['string', 'null'], format: 'uuid', title: 'Id' }
  const name = { type: 'string', pattern: '^[a-z]+$', maxLength: 3 }
  const answers = (schema: object, ...values: readonly Json[]): readonly (boolean | null)[] => {
    const document = { components: { schemas: { A: schema } } }
    return values.map(plainValidity(document, placesOf(document, '/components/schemas/A')))
  }
  expect(answers(uuid, '7d793037-a076-4be3-9b4f-8c1d0d2f6e5a', 'x', null, true)).toEqual([
    true,
    false,
    true,
    false,
  ])
  expect(answers(name, 'abc', 'abcd', 'A', null)).toEqual([true, false, false, false])
  expect(answers({ type: 'string', enum: ['or', 'and'] }, 'or', 'xor')).toEqual([true, false])
  expect(answers({ type: 'object', required: ['a'] }, null, true)).toEqual([false, false])
})
