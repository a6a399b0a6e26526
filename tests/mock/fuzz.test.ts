/** The same as `npm run bench:fuzz`, for a few seconds. */
import { expect, test } from 'vitest'
import { libraryDocument, paymentsDocument } from '../documents/index.ts'
import { ask, startMock } from './ask.ts'
import { faultText, fuzz } from './fuzz/index.ts'

test.each([
  ['the plant store', {}, 'fuzz-token', 1],
  ['the library', { contract: libraryDocument }, 'fuzz-token', 10_000],
  ['payments', { contract: paymentsDocument }, 'user:password', 20_000],
])(
  'whatever bytes come, the mock of %s goes on, and all its answers keep the contract',
  async (_name, options, token, seed) => {
    const mock = await startMock(options)
    const port = Number(new URL(mock.url).port)
    const { contract } = mock
    const asked = { contract, token, port, seed, requests: 2500, concurrency: 16, boundMs: 8000 }
    const { faults, succeeded, statuses } = await fuzz(asked)
    expect(faults.map(faultText)).toEqual([])
    // What is sent reaches what it is meant for.
    expect(succeeded).toBeGreaterThan(300)
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['400', '404', '405', '417', '431']))
    expect((await ask(mock, { method: 'GET', path: '/__plantstore/health' })).status).toBe(200)
  },
  30_000,
)
