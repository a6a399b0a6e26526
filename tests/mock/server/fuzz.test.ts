/** The same as `npm run bench:fuzz`, for a few seconds. */
import { expect, test } from 'vitest'
import { contracts } from '../../spec/contracts.ts'
import { send, startMock } from '../client.ts'
import { faultText, fuzz } from '../fuzz/index.ts'

test.each([
  ['the plant store', {}, 'fuzz-token', 1],
  ['the library', { contract: contracts.library }, 'fuzz-token', 10_000],
  ['payments', { contract: contracts.payments }, 'user:password', 20_000],
])(
  'whatever bytes come, the mock of %s keeps running, and all its responses conform',
  async (_name, mockOptions, token, seed) => {
    const mock = await startMock(mockOptions)
    const port = Number(new URL(mock.url).port)
    const { contract } = mock
    const options = { contract, token, port, seed, requests: 2500, concurrency: 16, boundMs: 8000 }
    const { faults, succeeded, statuses } = await fuzz(options)
    expect(faults.map(faultText)).toEqual([])
    // The requests reach what they are meant for.
    expect(succeeded).toBeGreaterThan(300)
    expect(Object.keys(statuses)).toEqual(expect.arrayContaining(['400', '404', '405', '417', '431']))
    expect((await send(mock, { method: 'GET', path: '/__plantstore/health' })).status).toBe(200)
  },
  30_000,
)
