import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localReference, step, steps, valueAt } from '../../../spec/index.ts'

test('the steps of a pointer are those that it was made of', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), names => {
      expect(steps(names.reduce(step, ''))).toEqual(names)
    }),
  )
})

test('a pointer finds the value at the end of its steps, and nothing else', () => {
  const tree = { 'a/b': [{ '~': 1 }], '': 2 }
  expect(valueAt(tree, '')).toBe(tree)
  expect(valueAt(tree, '/a~1b/0/~0')).toBe(1)
  expect(valueAt(tree, '/')).toBe(2)
  expect(valueAt(tree, '/toString')).toBeUndefined()
  expect(valueAt(tree, '/a~1b/7')).toBeUndefined()
})

test.each([
  ['#', ''],
  ['#/components/a%20b', '/components/a b'],
  ['#anchor', null],
  ['other.yaml#/a', null],
])('the reference %s points at %j', (reference, pointer) => {
  expect(localReference(reference)).toBe(pointer)
})
