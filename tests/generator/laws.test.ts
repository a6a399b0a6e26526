import { expect, test } from 'vitest'
import { fc } from '../../generator/draw/fast-check.ts'
import { compileGenerator, sampleSchema } from '../../generator/index.ts'
import { createEvaluator } from '../../generator/oracles/evaluate.ts'
import { openDocument } from '../../generator/read/document.ts'
import { throwOnInfiniteRecursion } from '../../generator/read/infinite-recursion.ts'
import { attempt, isUnsupported } from '../../generator/read/unsupported.ts'
import type { Json } from '../../spec/json/json.ts'
import { cpuTime } from '../cpu-time.ts'
import { randomSchemas, randomValues } from './random-schemas.ts'
import { realisticSchemas } from './realistic-schemas.ts'
import { createHyperjumpValidator, validatorsOf } from './validators.ts'

// Random schemas, several validators each: a minute at most on a slow machine.
const patience = 60_000

const run = (property: fc.IAsyncProperty<unknown>, numRuns: number) =>
  fc.assert(property as never, { numRuns, seed: 20 })

const evaluatorOf = (schema: object): ((value: Json) => boolean) | null => {
  const isValid = attempt(() => {
    const document = openDocument(schema as never, undefined, () => undefined)
    throwOnInfiniteRecursion(document)
    const evaluator = createEvaluator(document, false)
    return (value: Json) => evaluator.isValid(schema as never, document.scope, value)
  })
  return isUnsupported(isValid) ? null : isValid
}

test(
  'the evaluator agrees with another validator on all schemas and values',
  async () => {
    await run(
      fc.asyncProperty(
        randomSchemas,
        fc.array(randomValues, { minLength: 5, maxLength: 5 }),
        async (schema, values) => {
          const isValid = evaluatorOf(schema)
          fc.pre(isValid !== null)
          const hyperjump = await createHyperjumpValidator(schema)
          for (const value of values) expect(isValid?.(value as Json)).toBe(hyperjump(value))
        },
      ),
      120,
    )
  },
  patience,
)

test.each([
  ['schemas', randomSchemas, 80],
  ['realistic schemas', realisticSchemas, 40],
] as const)(
  'for all %s: every validator confirms the samples, and the same seed gives the same samples',
  async (_which, schemas, numRuns) => {
    await run(
      fc.asyncProperty(schemas, fc.constantFrom('valid', 'invalid'), fc.nat(), async (schema, kind, seed) => {
        const options = { kind, count: 8, seed }
        const sample = await sampleSchema(schema, options)
        expect(await sampleSchema(schema, options)).toEqual(sample)
        fc.pre(!('unsupported' in sample))
        if ('unsupported' in sample) return
        expect(sample.texts).toHaveLength(8)
        for (const [name, holds] of Object.entries(await validatorsOf(schema)))
          for (const text of sample.texts)
            expect([name, text, holds(JSON.parse(text))]).toEqual([name, text, kind === 'valid'])
      }),
      numRuns,
    )
  },
  patience,
)

test(
  'for all schemas: if the generator reports that no value is possible, none of many values is valid',
  async () => {
    await run(
      fc.asyncProperty(
        randomSchemas,
        fc.constantFrom('valid', 'invalid'),
        fc.array(randomValues, { minLength: 40, maxLength: 40 }),
        async (schema, kind, values) => {
          const sample = await sampleSchema(schema, { kind, count: 1, seed: 1 })
          const isValid = evaluatorOf(schema)
          fc.pre(
            'unsupported' in sample &&
              /^(no|every) value is valid/.test(sample.unsupported) &&
              isValid !== null,
          )
          expect(values.filter(value => isValid?.(value as Json) === (kind === 'valid'))).toEqual([])
        },
      ),
      80,
    )
  },
  patience,
)

test(
  'for all schemas: random values, boundaries and shrunk values are valid, and violations are not',
  async () => {
    await run(
      fc.asyncProperty(randomSchemas, fc.nat(), async (schema, seed) => {
        const generator = compileGenerator(schema)
        fc.pre(!isUnsupported(generator.valid))
        if (isUnsupported(generator.valid)) return
        const isValid = evaluatorOf(schema)
        const values = fc.sample(generator.valid, { seed, numRuns: 5 })
        for (const value of [...values, ...generator.boundaries]) expect(isValid?.(value)).toBe(true)
        for (const value of values)
          for (const { value_ } of generator.valid
            .shrink(value, undefined)
            .take(20)
            .map(({ value_ }) => ({ value_ })))
            expect(isValid?.(value_)).toBe(true)
        expect(generator.boundaries.length).toBeLessThanOrEqual(500)
        for (const target of generator.targets) {
          const broken = generator.invalid(target)
          if (isUnsupported(broken)) throw new Error(broken.unsupported)
          for (const value of fc.sample(broken, { seed, numRuns: 2 })) expect(isValid?.(value)).toBe(false)
        }
      }),
      80,
    )
  },
  patience,
)

test(
  'sampling is fast for every schema',
  async () => {
    await run(
      fc.asyncProperty(randomSchemas, async schema => {
        const start = cpuTime()
        await sampleSchema(schema, { kind: 'valid', count: 20, seed: 1 })
        expect(cpuTime() - start).toBeLessThan(3000)
      }),
      100,
    )
  },
  patience,
)
