import { expect, test } from 'vitest'
import { placesOf, plainValue } from '../../../spec/index.ts'

const plain = (schema: object, label: string): unknown =>
  plainValue(placesOf({ openapi: '3.1.0', schema: { type: 'string', ...schema } }, '/schema'), null, label)

test.each<readonly [schema: object, expected: string]>([
  [{ pattern: '\\w+' }, 'q12z9'],
  [{ pattern: '[a-z]+' }, 'qbczj'],
  [{ pattern: '\\d+' }, '31229'],
  [{ pattern: '\\d+', minLength: 7 }, '3122977'],
  // No text of the label matches as a whole. The empty one does not either, so that the generator is asked.
  [{ pattern: '\\d\\d' }, ''],
  // It need not satisfy a pattern: only one that it satisfies by chance is looked at.
  [{ pattern: '^[A-Z]' }, 'q12z9'],
  [{ pattern: '[a-z]$' }, 'q12z9'],
  [{ pattern: '^q' }, 'q12z9'],
])('the plain value of %j matches as a whole or not at all', (schema, expected) => {
  expect(plain(schema, 'q12z9')).toBe(expected)
})
