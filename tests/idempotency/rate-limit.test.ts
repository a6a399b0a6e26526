/** Headers that say how many requests are left: they agree with their limit, and with a 429. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMutantRuns } from '../../cli/handlers/selftest/mutant-run.ts'
import { verify } from '../../conformance/index.ts'
import { createMock } from '../../mock/index.ts'
import { type Contract, createResponseJudge, loadContract, obligationsOf } from '../../spec/index.ts'
import { startJsonServer } from '../json-server.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

const anInteger = { schema: { type: 'integer' } }
const text = { schema: { type: 'string' } }

const contractWith = (headers: object): Promise<Contract> => {
  const content = { 'application/json': { schema: { type: 'object' } } }
  const response = { description: 'answered', headers, content }
  const responses = { 200: response, 400: response, 429: response }
  const parameters = [{ name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } }]
  const paths = { '/plants': { get: { operationId: 'list', parameters, responses } } }
  return loadContract({ from: writeDocument('limits.json', documentWith(paths)) })
}

const usual = await contractWith({ 'X-RateLimit-Limit': anInteger, 'X-RateLimit-Remaining': anInteger })
const hourly = await contractWith({
  'RateLimit-Limit-Minute': text,
  'RateLimit-Remaining-Minute': text,
  'RateLimit-Limit-Hour': text,
  'RateLimit-Remaining-Hour': text,
})

type Sent = Readonly<Record<string, string>>

const minute = (limit: string, rest: string): Sent => ({
  'RateLimit-Limit-Minute': limit,
  'RateLimit-Remaining-Minute': rest,
})
const hour = (limit: string, rest: string): Sent => ({
  'RateLimit-Limit-Hour': limit,
  'RateLimit-Remaining-Hour': rest,
})
const plain = (limit: string, rest: string): Sent => ({
  'X-RateLimit-Limit': limit,
  'X-RateLimit-Remaining': rest,
})

const findingsOf = async (contract: Contract, headersOf: (number: number) => Sent) => {
  let count = 0
  const target = await startJsonServer(({ query, response }) => {
    const page = query.get('page')
    const isRight = page === null || /^[1-9]\d*$/.test(page)
    for (const [name, value] of Object.entries(headersOf(count++))) response.setHeader(name, value)
    response.writeHead(isRight ? 200 : 400, { 'Content-Type': 'application/json' }).end('{}')
  })
  const { findings } = await verify({
    contract,
    target,
    seed: 1,
    cases: 60,
    only: ['list/request/**', 'list/response/**'],
  })
  return findings.map(({ obligation, title }) => `${obligation} ${title}`)
}

test.each<[string, Contract, (number: number) => Sent, string]>([
  ['more are left than the limit', usual, () => plain('100', '101'), '101'],
  ['the two are mixed up', usual, () => plain('7', '100'), '100'],
  ['less than none is left', usual, () => plain('100', '-1'), '-1'],
  ['the rest goes below zero', usual, number => plain('5', String(5 - number)), '-'],
  ['the limit is zero', usual, () => plain('0', '1'), '1'],
  [
    'of two windows the second is wrong',
    hourly,
    () => ({ ...minute('10', '9'), ...hour('100', '200') }),
    '200',
  ],
  [
    'of two windows the first is wrong',
    hourly,
    () => ({ ...minute('10', '11'), ...hour('100', '20') }),
    '11',
  ],
  ['the windows are mixed up', hourly, () => ({ ...minute('10', '99'), ...hour('100', '9') }), '99'],
  ['the limit has its window beside it', hourly, () => minute('10, 10;w=60', '12'), '12'],
  ['the rest counts up', usual, number => plain('100', String(101 + number)), '10'],
])('%s: told of the response', async (_name, contract, headersOf, rest) => {
  const findings = await findingsOf(contract, headersOf)
  expect(findings.length).toBeGreaterThan(0)
  for (const finding of findings) {
    expect(finding).toMatch(/^list\/response\/[24]00\/rate-limit answered [24]00 with/)
    expect(finding).toContain(rest)
  }
})

test.each<[string, Contract, (number: number) => Sent]>([
  ['counts down', usual, number => plain('1000', String(1000 - number))],
  ['has none left', usual, () => plain('100', '0')],
  ['has all left', usual, () => plain('100', '100')],
  ['has no limit, and says so by -1', usual, () => plain('-1', '-1')],
  ['sends no such headers', usual, () => ({})],
  ['counts in two windows', hourly, () => ({ ...minute('10, 10;w=60', '9'), ...hour('100', '20') })],
])('a server that %s is accused of nothing', async (_name, contract, headersOf) => {
  expect(await findingsOf(contract, headersOf)).toEqual([])
})

test('a 429 while requests are left breaks it, and one that has used up a window does not', () => {
  const violations = (contract: Contract, sent: Sent) => {
    const [operation] = contract.operations
    if (operation === undefined) throw new Error('no operation')
    const headers = Object.entries({ 'Content-Type': 'application/json', ...sent })
    const judge = createResponseJudge(contract, operation)
    return judge({ status: 429, headers, body: Buffer.from('{}') }, undefined).map(({ title }) => title)
  }
  expect(violations(usual, plain('100', '0'))).toEqual([])
  expect(violations(hourly, { ...minute('10', '0'), ...hour('100', '50') })).toEqual([])
  expect(violations(usual, plain('100', '5'))).toEqual([
    'answered 429 although 5 requests are left, as the header X-RateLimit-Remaining says',
  ])
  expect(violations(hourly, { ...minute('10', '1'), ...hour('100', '50') })).toEqual([
    'answered 429 although a request is left, as the header RateLimit-Remaining-Minute says',
  ])
})

test('a mock agrees with itself whatever its headers allow, and each mutant of it is found', {
  timeout: 60_000,
}, async () => {
  const limits = fc.record({
    limit: fc.integer({ min: 0, max: 500 }),
    rest: fc.integer({ min: 0, max: 500 }),
  })
  await fc.assert(
    fc.asyncProperty(limits, async ({ limit, rest }) => {
      const contract = await contractWith({
        'X-RateLimit-Limit': { schema: { type: 'integer', minimum: limit, maximum: limit + 3 } },
        'X-RateLimit-Remaining': { schema: { type: 'integer', minimum: 0, maximum: rest } },
      })
      const mock = await createMock({ contract })
      try {
        for (const code of ['200', '429']) {
          const { headers } = await fetch(`${mock.url}/plants`, { headers: { Prefer: `code=${code}` } })
          const left = Number(headers.get('x-ratelimit-remaining'))
          expect(left).toBeLessThanOrEqual(code === '429' ? 0 : Number(headers.get('x-ratelimit-limit')))
        }
      } finally {
        await mock.close()
      }
    }),
    { numRuns: 15 },
  )
  const runMutant = createMutantRuns(usual, { seed: 1, cases: 200, unauthenticated: 'declared' })
  const obligations = obligationsOf(usual).filter(({ id }) => id.endsWith('/rate-limit'))
  const kills = await Promise.all(obligations.map(async each => [each.id, (await runMutant(each)).kind]))
  expect(kills).toEqual([
    ['list/response/200/rate-limit', 'found'],
    ['list/response/400/rate-limit', 'found'],
    ['list/response/429/rate-limit', 'unbreakable'],
  ])
})
