import { expect, test } from 'vitest'
import { createMemo, memoized } from '../../mock/memo.ts'

type Sample = { readonly headers: object; readonly body: string; readonly size: number }

const storeOf = (most: number) => createMemo<Sample>(most, ({ size }, key) => size + key.length)

test('samples are made once, and the least recently used are dropped if the store grows too large', async () => {
  const store = storeOf(100)
  const made: string[] = []
  const sampleOf = (key: string) =>
    store({ parts: {}, data: key }, async ({ data }) => {
      made.push(data)
      return { headers: {}, body: data, size: 37 }
    })
  for (const key of ['a', 'a', 'b', 'a', 'b']) expect((await sampleOf(key)).body).toBe(key)
  expect(made).toEqual(['a', 'b'])
  // Each has 40 characters with its key, so three have 120.
  await sampleOf('c')
  await sampleOf('b')
  expect(made).toEqual(['a', 'b', 'c'])
  await sampleOf('a')
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})

test('a sample that is larger than the store is returned, but not stored', async () => {
  const store = storeOf(10)
  let count = 0
  const sampleOf = () =>
    store({ parts: {}, data: 'x' }, async () => {
      count += 1
      return { headers: {}, body: 'x', size: 50 }
    })
  for (const _ of [1, 2]) expect((await sampleOf()).body).toBe('x')
  expect(count).toBe(2)
})

test('every input counts: data by its value, what is compiled as itself', () => {
  const made: object[] = []
  const memo = memoized(100, inputs => {
    made.push(inputs)
    return inputs
  })
  const [one, other] = [{ id: 'a' }, { id: 'a' }]
  const different = [
    { parts: { one }, data: null },
    { parts: { one: other }, data: null },
    { parts: { one: null }, data: null },
    { parts: { one, other: null }, data: null },
    { parts: { one }, data: 'null' },
    { parts: { one }, data: ['a b', 'c'] },
    { parts: { one }, data: ['a', 'b c'] },
    { parts: { one }, data: { a: null } },
    { parts: { one }, data: { a: undefined } },
    { parts: { one }, data: { a: { b: 1 } } },
  ]
  for (const inputs of [...different, ...different.toReversed()]) memo({ ...inputs })
  expect(made).toHaveLength(different.length)
})
