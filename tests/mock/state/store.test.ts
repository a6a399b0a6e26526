import { expect, test } from 'vitest'
import { createStore, type KeyedInstance } from '../../../mock/state/store.ts'

const instance = (key: string, text = ''): KeyedInstance => ({
  key,
  name: key,
  instance: { text },
  isInitial: false,
})
const nothing = async () => []

test('is bounded: the client that changed something longest ago starts anew, then the oldest things go', async () => {
  const store = createStore(null, { clients: 2, characters: 1400 })
  store.put('a', '/things', instance('1'))
  store.put('b', '/things', instance('1'))
  store.put('a', '/things', instance('2'))
  store.put('c', '/things', instance('1'))
  expect([...store.collections('b').keys()]).toEqual([])
  expect([...(store.collections('a').get('/things')?.instances.keys() ?? [])]).toEqual(['1', '2'])
  for (let key = 0; key < 50; key++) store.put('c', '/things', instance(`k${key}`, 'x'.repeat(90)))
  const left = [...(store.collections('c').get('/things')?.instances.keys() ?? [])]
  expect(left.length).toBeLessThan(13)
  expect(left.at(-1)).toBe('k49')
  expect(store.collections('a').size).toBe(0)
})

test('is bounded also if there are many collections with nothing in them', async () => {
  const store = createStore(null, { clients: 2, characters: 10_000 })
  for (let number = 0; number < 200; number++) {
    await store.open('', `/shops/${number}/orders`, nothing)
    store.put('', '/shops', instance('1'))
  }
  expect(store.collections('').size).toBeLessThan(50)
  expect([...store.collections('').keys()]).toContain('/shops/199/orders')
})

test('what is below a thing goes with it', async () => {
  const store = createStore(null)
  store.put('', '/shops', instance('a b'))
  store.put('', '/shops/a%20b/orders', instance('1'))
  store.put('', '/shops/a/orders', instance('1'))
  store.remove('', '/shops', 'a b')
  expect([...store.collections('').keys()]).toEqual(['/shops', '/shops/a/orders'])
})

test('a collection is filled once, also if it is asked for several times at once, and again after a reset', async () => {
  const store = createStore(null)
  let filled = 0
  const fill = async () => {
    filled += 1
    return [instance('1')]
  }
  await Promise.all([1, 2, 3].map(() => store.open('', '/things', fill)))
  expect(filled).toBe(1)
  store.reset(null)
  expect((await store.open('', '/things', nothing)).instances.size).toBe(0)
})
