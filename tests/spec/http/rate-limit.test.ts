import { expect, test } from 'vitest'
import { resetAfter } from '../../../spec/index.ts'

const now = 1_796_140_800

test.each([
  [{ 'RateLimit-Reset': '30' }, 30],
  [{ 'X-RateLimit-Reset': '0.5' }, 0.5],
  // A point in time, in seconds or milliseconds.
  [{ 'X-RateLimit-Reset': String(now + 60) }, 60],
  [{ 'X-Rate-Limit-Reset': String((now + 60) * 1000) }, 60],
  // The drafts of the IETF, one after the other.
  [{ RateLimit: 'limit=100, remaining=0, reset=50' }, 50],
  [{ RateLimit: '"default";r=0;t=20' }, 20],
  [{ RateLimit: '"default";r=0' }, Number.NaN],
  [{ 'RateLimit-Reset': 'soon' }, Number.NaN],
  [{ 'RateLimit-Remaining': '0' }, Number.NaN],
])('%o', (headers, seconds) => {
  expect(resetAfter(Object.entries(headers), now)).toBe(seconds)
})
