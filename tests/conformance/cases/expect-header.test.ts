import { expect, onTestFinished, test } from 'vitest'
import { type VerifyOptions, verify } from '../../../conformance/index.ts'
import { createMock } from '../../../mock/index.ts'
import { contracts } from '../../spec/contracts.ts'

test('a request expects 100 Continue only if it has content (RFC 9110 10.1.1)', {
  timeout: 60_000,
}, async () => {
  const contract = contracts.library
  const mock = await createMock({ contract, tokens: ['secret'], stateful: true })
  onTestFinished(mock.close)
  const sent: Parameters<NonNullable<VerifyOptions['onExchange']>>[0][] = []
  await verify({
    ...{ target: mock.url, contract, token: 'secret', seed: 1, sustained: 0, cases: 3000 },
    onExchange: exchange => sent.push(exchange),
  })
  const expecting = sent.filter(({ request }) =>
    request.headers.some(([name]) => name.toLowerCase() === 'expect'),
  )
  expect(expecting.length).toBeGreaterThan(20)
  expect(
    expecting.filter(({ request }) => (request.body?.bytes ?? 0) === 0).map(({ request }) => request),
  ).toEqual([])
})
