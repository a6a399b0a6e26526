import { expect, test } from 'vitest'
import { fc } from '../../../conformance/random.ts'
import { openDocument } from '../../../conformance/schema/document.ts'
import { refuseEndless } from '../../../conformance/schema/endless.ts'
import { createJudge } from '../../../conformance/schema/evaluate.ts'
import { compileGenerator, sampleSchema } from '../../../conformance/schema/index.ts'
import { attempt, isRefusal } from '../../../conformance/schema/refusal.ts'
import type { Json } from '../../../spec/json.ts'
import { judgesOf } from './judges.ts'
import { randomSchemas, randomValues } from './random-schemas.ts'
import { realisticSchemas } from './realistic-schemas.ts'

// Random schemas, several validators each: a minute at most on a slow machine.
const patience = 60_000

const run = (property: fc.IAsyncProperty<unknown>, numRuns: number) =>
  fc.assert(property as never, { numRuns, seed: 20 })

const judgeOf = (schema: object): ((value: Json) => boolean) | null => {
  const judge = attempt(() => {
    const document = openDocument(schema as never, undefined, () => undefined)
    refuseEndless(document)
    const made = createJudge(document, false)
    return (value: Json) => made.holds(schema as never, document.scope, value)
  })
  return isRefusal(judge) ? null : judge
}

test(
  'the judge says what the other validator says, for all schemas and values',
  async () => {
    await run(
      fc.asyncProperty(
        randomSchemas,
        fc.array(randomValues, { minLength: 5, maxLength: 5 }),
        async (schema, values) => {
          const judge = judgeOf(schema)
          fc.pre(judge !== null)
          const second = (await judgesOf(schema)).Hyperjump
          for (const value of values) expect(judge?.(value as Json)).toBe(second?.(value))
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
  'for all %s: what is sampled is confirmed by every validator, and the same for the same seed',
  async (_which, schemas, numRuns) => {
    await run(
      fc.asyncProperty(schemas, fc.constantFrom('valid', 'invalid'), fc.nat(), async (schema, kind, seed) => {
        const options = { kind, count: 8, seed }
        const sample = await sampleSchema(schema, options)
        expect(await sampleSchema(schema, options)).toEqual(sample)
        fc.pre(!('refused' in sample))
        if ('refused' in sample) return
        expect(sample.texts).toHaveLength(8)
        for (const [name, holds] of Object.entries(await judgesOf(schema)))
          for (const text of sample.texts)
            expect([name, text, holds(JSON.parse(text))]).toEqual([name, text, kind === 'valid'])
      }),
      numRuns,
    )
  },
  patience,
)

test(
  'for all schemas: where no value is said to be possible, none of many values is',
  async () => {
    await run(
      fc.asyncProperty(
        randomSchemas,
        fc.constantFrom('valid', 'invalid'),
        fc.array(randomValues, { minLength: 40, maxLength: 40 }),
        async (schema, kind, values) => {
          const sample = await sampleSchema(schema, { kind, count: 1, seed: 1 })
          const judge = judgeOf(schema)
          fc.pre('refused' in sample && /^(no|every) value is valid/.test(sample.refused) && judge !== null)
          expect(values.filter(value => judge?.(value as Json) === (kind === 'valid'))).toEqual([])
        },
      ),
      80,
    )
  },
  patience,
)

test(
  'for all schemas: random values, boundaries and smaller values are valid; breaks are not',
  async () => {
    await run(
      fc.asyncProperty(randomSchemas, fc.nat(), async (schema, seed) => {
        const generator = compileGenerator(schema)
        fc.pre(!isRefusal(generator.valid))
        if (isRefusal(generator.valid)) return
        const judge = judgeOf(schema)
        const values = fc.sample(generator.valid, { seed, numRuns: 5 })
        for (const value of [...values, ...generator.boundaries]) expect(judge?.(value)).toBe(true)
        for (const value of values)
          for (const { value_ } of generator.valid
            .shrink(value, undefined)
            .take(20)
            .map(({ value_ }) => ({ value_ })))
            expect(judge?.(value_)).toBe(true)
        expect(generator.boundaries.length).toBeLessThanOrEqual(500)
        for (const target of generator.targets) {
          const broken = generator.invalid(target)
          if (isRefusal(broken)) throw new Error(broken.refused)
          for (const value of fc.sample(broken, { seed, numRuns: 2 })) expect(judge?.(value)).toBe(false)
        }
      }),
      80,
    )
  },
  patience,
)

test(
  'no schema takes long',
  async () => {
    await run(
      fc.asyncProperty(randomSchemas, async schema => {
        const start = performance.now()
        await sampleSchema(schema, { kind: 'valid', count: 20, seed: 1 })
        expect(performance.now() - start).toBeLessThan(3000)
      }),
      100,
    )
  },
  patience,
)
