import { expect, test } from 'vitest'
import { type Level, obligationsOf } from '../../../spec/index.ts'
import { contractOfBody } from '../contracts.ts'

/** What has to be accepted as a body, with the texts of it. */
const accepted = async (schema: object): Promise<ReadonlyMap<string, readonly [Level, readonly string[]]>> =>
  new Map(
    obligationsOf(await contractOfBody({ type: 'string', ...schema }), 'declared').flatMap(
      ({ family, level, subject }) =>
        family === 'accept' && subject.kind === 'value' && subject.location.place === ''
          ? [[subject.name, [level, subject.texts]]]
          : [],
    ),
  )

test('of texts that match a pattern without anchors, only those that match it as a whole must be accepted', async () => {
  const pattern = await accepted({ pattern: '[A-Za-z]+' })
  expect(pattern.get('ascii')).toEqual(['MUST', ['"Fern"', '"a"']])
  expect(pattern.get('markup')?.[0]).toBe('SHOULD')
})

test('all texts that match a pattern with anchors must be accepted', async () => {
  const levels = await accepted({ pattern: '^[^z]' })
  expect(levels.get('ascii')).toEqual(['MUST', ['"Fern"', '"a"', '"Boston fern (large)"']])
  expect(levels.get('markup')?.[0]).toBe('MUST')
})

test('a member of a list must be accepted, however it matches a pattern', async () => {
  const levels = await accepted({ pattern: '[a-z]', enum: ['a', 'Fern'] })
  expect([...levels.values()]).toEqual([
    ['MUST', ['"a"']],
    ['MUST', ['"Fern"']],
  ])
})
