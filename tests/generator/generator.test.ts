import { describe, expect, test } from 'vitest'
import { fc } from '../../generator/draw/fast-check.ts'
import { compileGenerator, type Schema, type ViolationTarget } from '../../generator/index.ts'
import { isUnsupported } from '../../generator/read/unsupported.ts'
import { isObject, type Json, parseJson, typeOf, writeJson } from '../../spec/json/json.ts'
import { compileSchema } from '../../spec/schema/validator.ts'
import { cpuTime } from '../cpu-time.ts'

const plant = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer', format: 'int64' },
    name: { type: 'string' },
    tag: { type: 'string' },
  },
} as const

const store = {
  openapi: '3.1.0',
  components: {
    schemas: {
      Plant: plant,
      Tree: {
        allOf: [
          { $ref: '#/components/schemas/Plant' },
          {
            type: 'object',
            required: ['height'],
            properties: {
              height: { type: 'number', exclusiveMinimum: 0, maximum: 120 },
              kind: { enum: ['oak', 'elm'] },
              planted: { type: 'string', format: 'date' },
              rings: { type: 'array', items: { type: 'integer', minimum: 1 }, minItems: 1, maxItems: 3 },
              near: { $ref: '#/components/schemas/Tree' },
              labels: { type: 'object', additionalProperties: { type: 'string', maxLength: 4 } },
            },
          },
        ],
      },
      Code: { type: 'string', pattern: '^[A-Z]{3}$' },
      Either: { oneOf: [{ $ref: '#/components/schemas/Code' }, { type: 'integer', minimum: 1, maximum: 9 }] },
    },
  },
}

const named = (name: string) => compileGenerator({ $ref: `#/components/schemas/${name}` }, store)
const sample = (from: ReturnType<typeof named>['valid'], numRuns: number, seed = 1): readonly Json[] => {
  if (isUnsupported(from)) throw new Error(from.unsupported)
  return fc.sample(from, { seed, numRuns })
}
const validate = (name: string) => compileSchema({ ...store, $ref: `#/components/schemas/${name}` })
const violations = (schema: Schema, target: ViolationTarget, numRuns = 30): readonly string[] =>
  sample(compileGenerator(schema).invalid(target), numRuns).map(writeJson)

describe.each(['Plant', 'Tree', 'Code', 'Either'])('the generator of %s', name => {
  const generator = named(name)
  const problems = validate(name)

  test('generates valid values, the same for the same seed', () => {
    const values = sample(generator.valid, 300)
    expect(values.filter(value => problems(value).length > 0)).toEqual([])
    expect(values.map(writeJson)).toEqual(sample(generator.valid, 300).map(writeJson))
    expect(new Set(values.map(writeJson)).size).toBeGreaterThan(8)
  })

  test('generates valid boundaries, no two alike', () => {
    expect(generator.boundaries.filter(value => problems(value).length > 0)).toEqual([])
    expect(new Set(generator.boundaries.map(writeJson)).size).toBe(generator.boundaries.length)
  })

  test('violates each target at its location', () => {
    expect(generator.targets.length).toBeGreaterThan(0)
    for (const target of generator.targets)
      for (const value of sample(generator.invalid(target), 10)) {
        const found = problems(value)
        expect(found.map(({ keyword }) => keyword)).toContain(target.keyword)
        const depth = target.instance.split('/').length
        const places = new Set(found.map(({ at }) => at.split('/').slice(0, depth).join('/')))
        expect([target, writeJson(value), places.size]).toEqual([target, writeJson(value), 1])
      }
  })
})

test('a tree of twenty branches has some thousand boundaries, not twenty times more on each level', () => {
  const branches = Object.fromEntries('abcdefghijklmnopqrst'.split('').map(name => [name, { $ref: '#' }]))
  const { boundaries } = compileGenerator({
    type: 'object',
    properties: { ...branches, leaf: { type: 'string' } },
  })
  expect(boundaries.length).toBeGreaterThan(100)
  expect(boundaries.length).toBeLessThan(2000)
})

test('every subset of a few optional properties is among the boundaries', () => {
  const shapes = named('Plant').boundaries.map(value => Object.keys(value as object).join())
  expect([...new Set(shapes)].sort()).toEqual(['id,name', 'id,name,tag'])
  const six = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map(key => [key, { type: 'boolean' }]))
  const subsets = compileGenerator({ type: 'object', properties: six }).boundaries
  expect(new Set(subsets.map(value => Object.keys(value as object).join())).size).toBe(64)
})

test('every pair of many optional properties occurs in all four combinations', () => {
  const names = Array.from({ length: 11 }, (_, index) => `p${index}`)
  const { boundaries } = compileGenerator({
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, { const: 1 }])),
  })
  for (const left of names)
    for (const right of names.filter(name => name !== left))
      for (const [hasLeft, hasRight] of [
        [true, true],
        [true, false],
        [false, true],
        [false, false],
      ])
        expect(
          boundaries.some(
            value => isObject(value) && left in value === hasLeft && right in value === hasRight,
          ),
        ).toBe(true)
})

describe('int64 is exact', () => {
  const id = compileGenerator({ type: 'integer', format: 'int64' })

  test('both ends are among the boundaries and are drawn at random', () => {
    const texts = [id.boundaries, sample(id.valid, 2000)].map(values => values.map(writeJson))
    for (const list of texts) {
      expect(list).toContain('9223372036854775807')
      expect(list).toContain('-9223372036854775808')
    }
  })
  test('violations lie just past its ends, and never inside', () => {
    const texts = violations(
      { type: 'integer', format: 'int64' },
      { instance: '', keyword: 'format', detail: '' },
      300,
    )
    expect(texts).toContain('9223372036854775808')
    expect(texts).toContain('-9223372036854775809')
    for (const text of texts) expect(BigInt(text) > 2n ** 63n - 1n || BigInt(text) < -(2n ** 63n)).toBe(true)
  })
  test('int32 is violated by the next number past each end', () => {
    const texts = violations(
      { type: 'integer', format: 'int32' },
      { instance: '', keyword: 'format', detail: '' },
      300,
    )
    expect(texts).toContain('2147483648')
    expect(texts).toContain('-2147483649')
  })
  test('bounds beyond double precision are respected', () => {
    const schema = {
      type: 'integer',
      minimum: parseJson('9007199254740993'),
      maximum: parseJson('9007199254740995'),
    }
    expect(new Set(sample(compileGenerator(schema).valid, 50).map(writeJson))).toEqual(
      new Set(['9007199254740993', '9007199254740994', '9007199254740995']),
    )
  })
})

describe('bounds', () => {
  const boundaries = (schema: Schema) => compileGenerator(schema).boundaries.map(writeJson)
  test('of numbers, lengths and counts are hit, and so are their neighbours', () => {
    expect(boundaries({ type: 'integer', minimum: 3, maximum: 900 })).toEqual(
      expect.arrayContaining(['3', '4', '899', '900']),
    )
    const lengths = boundaries({ type: 'string', minLength: 2, maxLength: 50 }).map(text => text.length - 2)
    expect(lengths).toEqual(expect.arrayContaining([2, 3, 49, 50]))
    const counts = compileGenerator({
      type: 'array',
      minItems: 1,
      maxItems: 7,
      items: { type: 'string' },
    }).boundaries
    expect(new Set(counts.map(value => (value as Json[]).length))).toEqual(new Set([1, 2, 6, 7]))
  })
  test('include each member of an enum and each branch', () => {
    expect(boundaries({ enum: ['a', 2, null] })).toEqual(['"a"', '2', 'null'])
    const types = compileGenerator({
      anyOf: [{ type: 'boolean' }, { type: 'array' }, { type: 'integer' }],
    }).boundaries
    expect(new Set(types.map(typeOf))).toEqual(new Set(['boolean', 'array', 'number']))
  })
  test('are violated by the next value outside', () => {
    const at = (keyword: string): ViolationTarget => ({ instance: '', keyword, detail: '' })
    expect(violations({ type: 'integer', maximum: 10 }, at('maximum'))).toContain('11')
    expect(violations({ type: 'integer', minimum: 10 }, at('minimum'))).toContain('9')
    expect(violations({ type: 'integer', exclusiveMinimum: 10 }, at('exclusiveMinimum'))).toContain('10')
    expect(violations({ type: 'integer', exclusiveMaximum: 10 }, at('exclusiveMaximum'))).toContain('10')
    expect(
      violations({ type: 'string', maxLength: 3 }, at('maxLength')).map(text => text.length - 2),
    ).toContain(4)
    expect(violations({ type: 'string', minLength: 1 }, at('minLength'))).toContain('""')
  })
})

describe('shrinking', () => {
  const shrunk = (
    schema: Schema,
    fails: (value: Json) => boolean,
  ): { readonly text: string; readonly tries: number } => {
    const { valid } = compileGenerator(schema)
    if (isUnsupported(valid)) throw new Error(valid.unsupported)
    let tries = 0
    const judge = (value: Json): boolean => {
      tries += 1
      return !fails(value)
    }
    const details = fc.check(fc.property(valid, judge), { seed: 3, numRuns: 500 })
    return { text: writeJson((details.counterexample as [Json])[0]), tries: tries - details.numRuns }
  }
  test('ends at the smallest valid value that still fails, after few tries', () => {
    const result = shrunk(
      plant,
      value => isObject(value) && typeof value.tag === 'string' && value.tag.length > 3,
    )
    expect(result.text).toBe('{"id":0,"name":"a","tag":"aaaa"}')
    expect(result.tries).toBeLessThan(100)
    expect(shrunk({ type: 'integer', minimum: 5 }, value => Number(value) > 1000).text).toBe('1001')
  })
  test('of an invalid value preserves the violation', () => {
    const invalid = compileGenerator(plant).invalid({ instance: '/id', keyword: 'type', detail: 'string' })
    if (isUnsupported(invalid)) throw new Error(invalid.unsupported)
    const details = fc.check(
      fc.property(invalid, () => false),
      { seed: 3 },
    )
    expect(writeJson((details.counterexample as [Json])[0])).toMatch(/^\{"id":".","name":"a"\}$/)
  })
  test('recognises values that it did not generate itself', () => {
    const { valid } = compileGenerator(plant)
    if (isUnsupported(valid)) throw new Error(valid.unsupported)
    expect(valid.canShrinkWithoutContext({ id: 1, name: 'x', more: [] })).toBe(true)
    expect(valid.canShrinkWithoutContext({ id: '1', name: 'x' })).toBe(false)
  })
})

test('targets name the location, the keyword and the part', () => {
  const keys = named('Tree').targets.map(
    ({ instance, keyword, detail }) => `${instance} ${keyword} ${detail}`,
  )
  expect(keys).toEqual(
    expect.arrayContaining([
      ' required id',
      ' required height',
      '/id format ',
      '/id type string',
      '/height exclusiveMinimum ',
      '/kind enum ',
      '/planted format ',
      '/rings maxItems ',
      '/rings/* minimum ',
      '/rings/* type number',
      '/labels/* maxLength ',
      '/labels/* type null',
      '/rings/* type string',
      '/near required name',
    ]),
  )
  const odd = compileGenerator({ type: 'object', properties: { 'a/b': { type: 'null' } } }).targets
  expect(odd).toContainEqual({ instance: '/a~1b', keyword: 'type', detail: 'boolean' })
})

test('wrong types include values that look like the right one', () => {
  const texts = violations(plant, { instance: '/id', keyword: 'type', detail: 'string' }, 60)
  expect(texts.some(text => /"id":"-?\d+"/.test(text))).toBe(true)
})

test('violations of an enum include near misses of its members', () => {
  const texts = violations({ enum: ['oak', 'elm'] }, { instance: '', keyword: 'enum', detail: '' }, 60)
  expect(texts.some(text => /^"(OAK|ELM|oak |elm | oak| elm)"$/.test(text))).toBe(true)
})

test('oneOf is violated by no match and by two', () => {
  const texts = violations(
    { type: 'integer', oneOf: [{ multipleOf: 3 }, { multipleOf: 5 }] },
    { instance: '', keyword: 'oneOf', detail: '' },
    60,
  ).map(BigInt)
  expect(texts.some(value => value % 15n === 0n)).toBe(true)
  expect(texts.some(value => value % 3n !== 0n && value % 5n !== 0n)).toBe(true)
})

test('objects closed by unevaluatedProperties stay varied', () => {
  const { valid } = compileGenerator({
    type: 'object',
    allOf: [{ properties: { a: { type: 'integer' } } }],
    properties: { b: { type: 'string' } },
    unevaluatedProperties: false,
  })
  const values = sample(valid, 100)
  expect(new Set(values.map(writeJson)).size).toBeGreaterThan(50)
  expect(new Set(values.flatMap(value => Object.keys(value as object)))).toEqual(new Set(['a', 'b']))
})

test('unsupported schemas and targets are reported with the reason', () => {
  expect(compileGenerator(false).valid).toEqual({ unsupported: 'no value is possible' })
  expect(compileGenerator({ $ref: '#/nowhere' }, {}).valid).toEqual({
    unsupported: 'the reference #/nowhere does not point to a schema',
  })
  expect(compileGenerator(true).targets).toEqual([])
  expect(compileGenerator(true).invalid({ instance: '', keyword: 'type', detail: 'null' })).toEqual({
    unsupported: 'no value was found that violates only this',
  })
})

test('draws thousands of plants a second', () => {
  const { valid } = compileGenerator(plant)
  sample(valid, 5000)
  const start = cpuTime()
  sample(valid, 20_000)
  // Tens of thousands a second on a fast machine: the bound leaves room for a slow one.
  expect(cpuTime() - start).toBeLessThan(4000)
})
