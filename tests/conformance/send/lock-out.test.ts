/** Servers that lock a user out after wrong passwords are lawful: the rest of the run is not told as rejected. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const object = { description: 'answered', content: { 'application/json': { schema: { type: 'object' } } } }
const page = { name: 'page', in: 'query', schema: { type: 'integer' } }
const operation = (operationId: string): object => ({
  operationId,
  parameters: [page],
  responses: { 200: object, 400: object, 401: object },
})
const document = documentWith(
  { '/notes': { get: operation('getNotes') }, '/tags': { get: operation('getTags') } },
  { components: { securitySchemes: { user: { type: 'http', scheme: 'basic' } } }, security: [{ user: [] }] },
)

/** Locks its user out after so many wrong passwords, in a row or in all, for so many milliseconds. */
const run = async (
  { most, isRow, lockedMs }: { most: number; isRow: boolean; lockedMs: number },
  options: { readonly maxSeconds?: number } = {},
) => {
  let [wrong, locks, lockedUntil] = [0, 0, 0]
  const isIn = (authorization = ''): boolean => {
    const [scheme = '', credentials = ''] = authorization.split(/ +/)
    const text = Buffer.from(credentials, 'base64').toString()
    if (scheme.toLowerCase() !== 'basic' || !text.startsWith('ann:')) return false
    if (performance.now() < lockedUntil) return false
    const isRight = credentials === Buffer.from('ann:right-password').toString('base64')
    if (isRight && isRow) wrong = 0
    if (!isRight) wrong += 1
    if (wrong >= most) {
      ;[wrong, locks, lockedUntil] = [0, locks + 1, performance.now() + lockedMs]
    }
    return isRight
  }
  const server = createServer((request, response) => {
    request.resume()
    const { searchParams } = new URL(request.url ?? '', 'http://a')
    const pages = searchParams.getAll('page')
    const isPaged = pages.length < 2 && pages.every(each => /^-?\d+$/.test(each))
    const isKnown = isIn(request.headers.authorization)
    const status = !isKnown ? 401 : request.method !== 'GET' ? 405 : isPaged ? 200 : 400
    response.writeHead(status, {
      'Content-Type': 'application/json',
      ...(status === 401 ? { 'WWW-Authenticate': 'Basic realm="a"' } : {}),
      ...(status === 405 ? { Allow: 'GET' } : {}),
    })
    response.end('{}')
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('a.json', document) })
  const ledger = await verify({
    contract,
    target: url,
    token: 'ann:right-password',
    seed: 1,
    ...options,
    sustained: 0,
  })
  return { ledger, locks }
}

test('wrong passwords do not come in a row, so that few servers lock the user out', async () => {
  const { ledger, locks } = await run({ most: 5, isRow: true, lockedMs: 60_000 })
  expect(ledger.findings.map(({ title }) => title)).toEqual([])
  expect(ledger.end?.conclusion).toBe('conformant')
  expect(locks).toBe(0)
})

test('a run waits while its user is locked out', async () => {
  const { ledger, locks } = await run({ most: 40, isRow: false, lockedMs: 300 })
  expect(ledger.findings.map(({ title }) => title)).toEqual([])
  expect(ledger.end?.conclusion).toBe('conformant')
  expect(locks).toBeGreaterThan(0)
})

test('a server that locks the user out again and again gets no more wrong passwords', async () => {
  const { ledger, locks } = await run({ most: 9, isRow: false, lockedMs: 300 })
  expect(ledger.findings.map(({ title }) => title)).toEqual([])
  expect(locks).toBeLessThan(6)
})

test('a user who stays locked out ends the tests, and nothing is told as rejected', async () => {
  const { ledger } = await run({ most: 8, isRow: false, lockedMs: 1e9 }, { maxSeconds: 5 })
  expect(ledger.findings.map(({ title }) => title)).toEqual([])
  expect(ledger.end?.conclusion).toBe('partial')
  expect(ledger.entries.map(({ verdict }) => ('reason' in verdict ? verdict.reason : ''))).toContain(
    'the server had locked its user out after wrong passwords',
  )
})
