/** A format that only the makers of a document know: nobody else can make its values, so their rejection is no fault. */
import { expect, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { loadContract } from '../../../spec/index.ts'
import { startJsonServer } from '../../json-server.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { shown } from '../judge/answering.ts'

const run = async (format: string, message: string) => {
  const parameter = { name: 'filter', in: 'query', required: true, schema: { type: 'string', format } }
  const get = {
    operationId: 'getRows',
    parameters: [parameter],
    responses: { 200: shown({}), 400: shown({}) },
  }
  const contract = await loadContract({
    from: writeDocument(
      'rows.json',
      documentWith({ '/rows': { get }, '/all': { get: { ...get, operationId: 'getAll', parameters: [] } } }),
    ),
  })
  const target = await startJsonServer(({ method, path: [kind, more], answer }) => {
    if (more !== undefined || (kind !== 'rows' && kind !== 'all')) return answer(404, {})
    if (method !== 'GET') return answer(405, {})
    return kind === 'all' ? answer(200, {}) : answer(400, { message })
  })
  const { entries, findings } = await verify({ contract, target, seed: 1, sustained: 0 })
  const valid = entries.find(({ obligation }) => obligation.id === 'getRows/request/valid')
  return { verdict: valid?.verdict, titles: findings.map(({ title }) => title) }
}

test('it is untested, and the reason names the format', async () => {
  const { verdict, titles } = await run('jsonString', 'request/query/filter must match format "jsonString"')
  expect(titles.filter(title => title.startsWith('accepted no'))).toEqual([])
  expect(verdict).toMatchObject({
    kind: 'untested',
    reason: expect.stringMatching(/the format "jsonString": name/),
  })
})

test.each([
  ['date', 'request/query/filter must match format "date"'],
  ['jsonString', 'filter is not allowed'],
])('%s: «%s» is a fault', async (format, message) => {
  expect((await run(format, message)).titles.join()).toMatch(/accepted no valid request \(400\)/)
})
