/** Parts of downloads (RFC 9110, 14). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type HttpResponse, loadContract } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { send, startMock } from '../client.ts'

const binary = { type: 'string', format: 'binary' }
const responses = (type: string, schema: object, more: object = {}) => ({
  get: {
    operationId: type + Object.keys(more),
    responses: {
      200: {
        description: 'ok',
        content: { [type]: { schema, ...(type === 'text/csv' ? { example: 'a,b\n1,2\n' } : {}) } },
      },
      ...more,
    },
  },
})
const contract = await loadContract({
  from: writeDocument(
    'files.json',
    documentWith({
      '/picture': responses('image/png', binary),
      '/table': responses(
        'text/csv',
        { type: 'string' },
        { 206: { description: 'part' }, 416: { description: 'no' } },
      ),
      '/plain': responses('text/csv', { type: 'string' }, {}),
    }),
  ),
})

const fieldOf = ({ headers }: HttpResponse, name: string): string | undefined =>
  headers.find(([other]) => other === name)?.[1]

test('any range of a file is the part of the whole that it names', async () => {
  const mock = await startMock({ contract })
  const whole = await send(mock, { method: 'GET', path: '/picture' })
  const size = whole.body.length
  expect([whole.status, fieldOf(whole, 'accept-ranges')]).toEqual([200, 'bytes'])
  await fc.assert(
    fc.asyncProperty(fc.nat(size - 1), fc.nat(2 * size), async (first, more) => {
      const range = `bytes=${first}-${first + more}`
      const part = await send(mock, { method: 'GET', path: '/picture', headers: { range } })
      const last = Math.min(first + more, size - 1)
      expect([part.status, fieldOf(part, 'content-range')]).toEqual([206, `bytes ${first}-${last}/${size}`])
      expect(Buffer.from(part.body).equals(Buffer.from(whole.body.subarray(first, last + 1)))).toBe(true)
    }),
    { numRuns: 30 },
  )
})

test.each<[string, string, Record<string, string>, number, string | undefined, string]>([
  ['the rest', '/table', { range: 'bytes=4-' }, 206, 'bytes 4-7/8', '1,2\n'],
  ['the end', '/table', { range: 'bytes=-2' }, 206, 'bytes 6-7/8', '2\n'],
  ['what is not there', '/table', { range: 'bytes=8-' }, 416, 'bytes */8', ''],
  ['several ranges', '/table', { range: 'bytes=0-1,4-5' }, 200, undefined, 'a,b\n1,2\n'],
  ['another unit', '/table', { range: 'lines=0-1' }, 200, undefined, 'a,b\n1,2\n'],
  [
    'a part of a known version',
    '/table',
    { range: 'bytes=0-1', 'if-range': '"x"' },
    200,
    undefined,
    'a,b\n1,2\n',
  ],
  ['a part of what is no download', '/plain', { range: 'bytes=0-1' }, 200, undefined, 'a,b\n1,2\n'],
])('%s of %s with %j gets %i', async (_name, path, headers, status, range, text) => {
  const mock = await startMock({ contract })
  const response = await send(mock, { method: 'GET', path, headers })
  expect([
    response.status,
    fieldOf(response, 'content-range'),
    new TextDecoder().decode(response.body),
  ]).toEqual([status, range, text])
})

test('where no 416 is declared, a range that is not there gets the whole', async () => {
  const mock = await startMock({ contract })
  const response = await send(mock, { method: 'GET', path: '/picture', headers: { range: 'bytes=999999-' } })
  expect(response.status).toBe(200)
})
