import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlScript, type HttpRequest } from '../../../spec/index.ts'

const post = (key: string, name = 'Idempotency-Key'): HttpRequest => ({
  method: 'POST',
  target: '/orders',
  headers: [[name, key]],
  body: null,
  chunked: false,
})
const outcome = { kind: 'failure', failure: 'reset', status: null, detail: '', ms: 0 } as const

/** What a shell makes of the commands: `uuidgen` and `curl` print what they were given. */
const run = (script: string): readonly string[] =>
  execFileSync(
    'sh',
    ['-c', `n=0; uuidgen() { date +%s%N; }; curl() { printf '%s ' "$@"; echo; }; ${script}`],
    { encoding: 'utf8' },
  )
    .trim()
    .split('\n')
    .map(line => /Idempotency-Key: (\S+)/i.exec(line)?.[1] ?? '')

test('requests with the same key get the same new one, and others another', () => {
  const steps = [post('one'), post('two', 'x-idempotency-key')].map(request => ({ request, outcome }))
  const script = curlScript(steps, post('one'), 'http://127.0.0.1:1')
  expect(script).not.toMatch(/: (?:one|two)/)
  expect(script.split('\n').slice(0, 2)).toEqual(['KEY1=$(uuidgen)', 'KEY2=$(uuidgen)'])
  const [first, second, last] = run(script)
  expect(first).toMatch(/^\d+$/)
  expect(last).toBe(first)
  expect(second).not.toBe(first)
})

test('without a key it is one command', () => {
  expect(curlScript([], { ...post('one'), headers: [['X-Other', 'one']] }, 'http://127.0.0.1:1')).toMatch(
    /^curl [^\n]*'X-Other: one'[^\n]*$/,
  )
})
