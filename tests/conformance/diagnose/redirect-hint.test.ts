import { expect, test } from 'vitest'
import { differsBySlash, type HttpResponse } from '../../../spec/index.ts'

const redirect = (location: string): HttpResponse => ({
  status: 307,
  headers: [['Location', location]],
  body: new Uint8Array(),
})

test.each([
  ['/tags', '/tags/', true],
  ['/tags?size=1', '/api/v1/tags/?size=1', true],
  ['/tags/', 'http://host/tags', true],
  ['/tags', '/login', false],
  ['/tags', 'https://host/tags', false],
  ['/tags', '/tags/1/', false],
  ['/', '/login', false],
])('a request for %s that is redirected to %s: only a slash differs: %s', (target, location, isOnlySlash) => {
  expect(differsBySlash(target, redirect(location))).toBe(isOnlySlash)
})

test('a response that is no redirect leads nowhere', () => {
  expect(differsBySlash('/tags', { ...redirect('/tags/'), status: 201 })).toBe(false)
})
