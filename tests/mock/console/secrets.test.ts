/** The credentials of a request are taken out of what the console shows, wherever they come back. */
import { expect, test } from 'vitest'
import { createMask } from '../../../mock/console/secrets.ts'
import { cpuTime } from '../../cpu-time.ts'

const mask = createMask([])

test.each<[string, string, string, readonly string[]]>([
  ['Authorization', 'Bearer abcde', 'Bearer {{token}}', ['abcde']],
  ['Authorization', 'Basic dXNlcjpwYXNz', 'Basic {{token:basic}}', ['dXNlcjpwYXNz', 'user:pass']],
  ['Authorization', 'abcde', '{{token}}', ['abcde']],
  ['Cookie', 'sid=a&b&c; theme=dark', 'sid={{token}}; theme={{token}}', ['a&b&c', 'dark']],
  ['Set-Cookie', 'sid=abcde; Path=/', 'sid={{token}}; Path=/', ['abcde']],
  ['X-Api-Key', 'a%20b%20c', '{{token}}', ['a%20b%20c', 'a b c']],
  ['Accept', 'text/html', 'text/html', []],
])('%s: %s', (name, value, masked, secrets) => {
  expect(mask.header(name, value)).toBe(masked)
  expect(mask.secretsOf('/', [[name, value]])).toEqual(secrets)
})

test('a token in the query is one as well', () => {
  expect(mask.target('/a?b=1&access_token=abcde#c')).toBe('/a?b=1&access_token={{token}}#c')
  expect(mask.secretsOf('/a?b=1&access_token=abcde#c', [])).toEqual(['abcde'])
})

test.each([
  ['placeholders', `${'{{token}}'.repeat(1500)};sid=a&b`],
  ['equals signs', '='.repeat(16_000)],
  ['semicolons', ';'.repeat(16_000)],
])('a cookie of %s is read at once', (_of, cookie) => {
  const began = cpuTime()
  mask.secretsOf(`/${'?'.repeat(16_000)}`, [['Cookie', cookie]])
  expect(cpuTime() - began).toBeLessThan(500)
})
