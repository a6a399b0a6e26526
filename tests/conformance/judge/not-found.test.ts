import { expect, test } from 'vitest'
import { isNotFound } from '../../../conformance/pool/rejection-words.ts'

const answer = (status: number, body: string) =>
  ({ kind: 'response', response: { status, headers: [], body: Buffer.from(body) }, ms: 1 }) as const

test.each([
  [404, '', ['fern'], true],
  [410, 'gone', [], true],
  [400, 'tag not found: fern', ['fern'], true],
  [422, '{"detail":"Collection [fern-1] does not exist"}', ['a', 'fern-1'], true],
  [400, 'no such user "alice"', ['alice'], true],
  [400, 'unknown tag fern', ['fern'], true],
  [400, 'No tag exists with the UUID of fern', ['fern'], true],
  // Another name, a part of a name, a path that is repeated, a name too short to tell, another reason.
  [400, 'tag not found: moss', ['fern'], false],
  [400, 'tag not found: ferns', ['fern'], false],
  [400, '{"instance":"/stats/abcd","error":"unknown variant `x`, expected one of `up`"}', ['abcd'], false],
  [400, 'not found: a', ['a'], false],
  [400, 'fern is too long', ['fern'], false],
  [500, 'tag not found: fern', ['fern'], false],
  [200, 'tag not found: fern', ['fern'], false],
] as const)('%i %s to a request for %j: %s', (status, body, names, isAbsent) => {
  expect(isNotFound(answer(status, body), names)).toBe(isAbsent)
})
