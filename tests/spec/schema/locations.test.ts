import { expect, test } from 'vitest'
import { placeOf, placesOf } from '../../../spec/index.ts'
import { typedProperties } from '../../../spec/schema/typed-properties.ts'

/** An object with so many properties, and a map of lists beside them. */
const wide = (count: number) => ({
  schema: {
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`p/${index}`, { type: 'string' }]),
    ),
    additionalProperties: { type: 'array', items: { type: 'integer' } },
  },
})

test('a pointer leads to the declared property, or else to what stands for all others', () => {
  const root = placesOf(wide(3), '/schema')
  expect(placeOf(root, '/p~12')?.pattern).toBe('/p~12')
  expect(placeOf(root, '/q')?.pattern).toBe('/*')
  expect(placeOf(root, '/q/0')?.pattern).toBe('/*/*')
  expect(placeOf(root, '/p~12/0')).toBeNull()
})

test('twenty thousand properties are found at once, not each among all others', () => {
  const root = placesOf(wide(20_000), '/schema')
  const began = process.cpuUsage()
  expect(typedProperties(root)).toHaveLength(20_000)
  // It took eight seconds.
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(2)
})
