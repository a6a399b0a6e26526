import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createHandler, ScenarioError } from '../../../mock/index.ts'
import { shopDocument } from './shop.ts'

const url = 'https://shop.example.test/products/7'
const copyOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** By the schema of the document, and not by the mock's own judge. */
const isProduct = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { id, name, price } = value as Readonly<Record<string, unknown>>
  return Number.isInteger(id) && typeof name === 'string' && typeof price === 'number' && price >= 0
}

const nearProduct = fc
  .record({
    id: fc.oneof({ weight: 5, arbitrary: fc.integer() }, fc.jsonValue()),
    name: fc.oneof({ weight: 5, arbitrary: fc.string() }, fc.jsonValue()),
    price: fc.oneof({ weight: 5, arbitrary: fc.double({ min: 0, noNaN: true, max: 1e9 }) }, fc.jsonValue()),
  })
  .chain(product => fc.dictionary(fc.string(), fc.jsonValue()).map(more => ({ ...more, ...product })))

test('a body is sent as it is if the contract allows it, and else refused, or a failure if a function returns it', async () => {
  const warnings: string[] = []
  const handler = await createHandler({ contract: shopDocument(), warn: line => void warnings.push(line) })
  onTestFinished(handler.close)
  const accepted = { true: 0, false: 0 }
  await fc.assert(
    fc.asyncProperty(fc.oneof(nearProduct, fc.jsonValue()), async body => {
      accepted[`${isProduct(body)}`] += 1
      const answer = await handler.answer('getProduct', body as object).catch(error => {
        expect(error).toBeInstanceOf(ScenarioError)
        expect((error as Error).message).toMatch(
          /^getProduct: the answer 200 breaks the contract: .*undeclared: true/,
        )
        return null
      })
      expect(answer !== null).toBe(isProduct(body))
      if (answer !== null) expect(await (await handler(new Request(url))).json()).toEqual(copyOf(body))
      answer?.undo()
      const made = await handler.answer('getProduct', () => body as object)
      const response = await handler(new Request(url))
      expect(response.status).toBe(isProduct(body) ? 200 : 500)
      if (isProduct(body)) expect(await response.json()).toEqual(copyOf(body))
      made.undo()
    }),
    { numRuns: 150 },
  )
  expect(accepted.true).toBeGreaterThan(10)
  expect(warnings).toHaveLength(accepted.false)
})

test('of any answers and undoings, the last one that is on and has turns left answers', async () => {
  const handler = await createHandler({ contract: shopDocument() })
  onTestFinished(handler.close)
  const step = fc.oneof(
    fc.record({ kind: fc.constant('answer' as const), times: fc.option(fc.integer({ min: 1, max: 3 })) }),
    fc.record({ kind: fc.constant('undo' as const), index: fc.nat(5) }),
    fc.record({ kind: fc.constant('request' as const) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
      const on: { id: number; left: number; undo: () => void }[] = []
      for (const [id, each] of steps.entries()) {
        if (each.kind === 'answer') {
          const options = each.times === null ? {} : { times: each.times }
          const { undo } = await handler.answer('getProduct', { id, name: 'own', price: 1 }, options)
          on.push({ id, left: each.times ?? Number.POSITIVE_INFINITY, undo })
        } else if (each.kind === 'undo') {
          const [removed] = on.splice(each.index, 1)
          removed?.undo()
        } else {
          const expected = on.findLast(({ left }) => left > 0)
          const { id: seen, name } = (await (await handler(new Request(url))).json()) as {
            id: number
            name: string
          }
          expect(name === 'own' ? seen : null).toBe(expected?.id ?? null)
          if (expected !== undefined) expected.left -= 1
        }
      }
      for (const { undo } of on) undo()
      expect(handler.scenarios.state().operations).toEqual({})
    }),
    { numRuns: 100 },
  )
})
