import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSampler } from '../../generator/sampler.ts'

test('the value at an index is the same in whatever order values are asked for', () => {
  const texts = fc.oneof(fc.string(), fc.array(fc.integer()), fc.dictionary(fc.string(), fc.boolean()))
  const inOrder = createSampler(texts, 7, 'a')
  const expected = Array.from({ length: 100 }, (_, index) => inOrder(index))
  fc.assert(
    fc.property(fc.array(fc.nat(99), { minLength: 1 }), indexes => {
      const sample = createSampler(texts, 7, 'a')
      expect(indexes.map(sample)).toEqual(indexes.map(index => expected[index]))
    }),
  )
})

test('one value costs no more than those before it', () => {
  let drawn = 0
  const counted = fc.integer().map(value => {
    drawn += 1
    return value
  })
  createSampler(counted, 7, 'a')(64)
  expect(drawn).toBe(1)
})
