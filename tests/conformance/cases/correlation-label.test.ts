import fc from 'fast-check'
import { expect, test } from 'vitest'
import { labelOf, numberOfLabel } from '../../../conformance/cases/with-optional.ts'

test('a label tells the number of its case, whatever the number', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.constantFrom('required', 'optional'), (number, part) => {
      expect(numberOfLabel(labelOf(number, part))).toBe(number)
    }),
  )
})

test.each(['qxe3mg4pz9', 'q0abz9', 'qz9', 'Q1z9', 'q1z9 '])('%j is a name like others', text => {
  expect(numberOfLabel(text)).toBeNull()
})
