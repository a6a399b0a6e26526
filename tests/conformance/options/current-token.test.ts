import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keptBetweenRuns } from '../../../conformance/index.ts'
import { type IssuedToken, renewableToken } from '../../../conformance/options/token-source.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const at = '2026-05-04T10:00:00.000Z'

const jwt = (claims: object): string =>
  ['{"alg":"none"}', JSON.stringify(claims), 'signature']
    .map(part => Buffer.from(part).toString('base64url'))
    .join('.')

/** How often a source is asked in so many seconds of requests, one each tenth of a second. */
const askedIn = async (seconds: number, issue: (count: number) => string | IssuedToken): Promise<number> => {
  let asked = 0
  const token = await renewableToken(() => issue(asked++), { at, onToken: () => {} })
  for (let tenth = 0; tenth < seconds * 10; tenth++) {
    vi.advanceTimersByTime(100)
    await token.renewIfDue()
  }
  return asked
}

test.each([
  ['an hour: when a fifth is left', 3600, 2879, 2881],
  ['a minute: when half a minute is left', 60, 29, 31],
  ['two seconds: after one', 2, 0.8, 1.1],
])('a token with a life of %s', async (_, expiresIn, before, after) => {
  const issue = (count: number) => ({ token: `token-${count}`, expiresIn })
  expect(await askedIn(before, issue)).toBe(1)
  expect(await askedIn(after, issue)).toBe(2)
})

test('a JWT says itself when it expires, on the clock of the run', async () => {
  const exp = Date.parse(at) / 1000 + 100
  const issue = (count: number) => jwt({ exp: exp + count * 1000, count })
  expect(await askedIn(69, issue)).toBe(1)
  expect(await askedIn(71, issue)).toBe(2)
})

test.each([
  ['a token that says nothing', 'plain.token'],
  ['a JWT without an end', jwt({ sub: 'x' })],
  ['a JWT that has expired by our clock', jwt({ exp: 1000 })],
  ['what only looks like a JWT', 'a.b.c'],
])('%s is not renewed because of the time', async (_, token) => {
  expect(await askedIn(100, () => token)).toBe(1)
})

test('a source that has the same token until its end is asked no more than four times a second', async () => {
  const token = jwt({ exp: Date.parse(at) / 1000 + 60 })
  expect(await askedIn(60, () => token)).toBeLessThan(30)
})

test('a source that may change without notice is asked when it says', async () => {
  expect(await askedIn(10.05, () => ({ token: 'in-a-file', checkAfter: 1 }))).toBe(11)
})

test('if the source fails before the end of a token, the token stays, and the source is asked again', async () => {
  let asked = 0
  const token = await renewableToken(
    () => {
      asked += 1
      if (asked === 2) throw new Error('the issuer is down')
      return { token: `token-${asked}`, expiresIn: 100 }
    },
    { at, onToken: () => {} },
  )
  vi.advanceTimersByTime(75_000)
  await token.renewIfDue()
  expect([token.value(), token.problem()]).toEqual(['token-1', null])
  vi.advanceTimersByTime(1000)
  await token.renewIfDue()
  expect([token.value(), token.renewals()]).toEqual(['token-3', 1])
})

test('requests that are rejected at the same time get one new token', async () => {
  let asked = 0
  const seen: string[] = []
  const token = await renewableToken(async () => `token-${++asked}`, { at, onToken: one => seen.push(one) })
  expect(await Promise.all([1, 2, 3].map(() => token.renewAfter('token-1')))).toEqual([true, true, true])
  expect(seen).toEqual(['token-1', 'token-2'])
  expect([token.wasRejected('token-1'), token.wasRejected('token-2')]).toEqual([true, false])
  expect(token.mayRenew()).toBe(false)
  token.hasHelped()
  expect(token.mayRenew()).toBe(true)
})

test('runs that share a source share its token, and the time that is left', async () => {
  let asked = 0
  const source = keptBetweenRuns(() => ({ token: `token-${++asked}`, expiresIn: 100 }))
  expect(await source(null)).toMatchObject({ token: 'token-1', expiresIn: 100 })
  vi.advanceTimersByTime(40_000)
  expect(await source(null)).toMatchObject({ token: 'token-1', expiresIn: 60 })
  expect(await source('token-1')).toMatchObject({ token: 'token-2', expiresIn: 100 })
  expect(await source('token-1')).toMatchObject({ token: 'token-2' })
  expect(asked).toBe(2)
})
