/** Users, reports and verdicts ask for a finding by its id: no two of a run have the same. */
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { replay, verify } from '../../../conformance/index.ts'
import { type Contract, type Ledger, loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const paths = ['/codes', '/coupons', '/vouchers', '/pairs']

const schema = (properties: object) => ({
  'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } },
})

/** Each operation rejects all it is sent, in its own words, but for the last, the bodies of which have two faults. */
const run = async (): Promise<{
  readonly ledger: Ledger
  readonly contract: Contract
  readonly target: URL
}> => {
  const server = createServer(async (request, response) => {
    await request.toArray()
    const isPairs = request.url === '/pairs'
    response.writeHead(isPairs ? 200 : 400, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(isPairs ? { left: 1, right: null } : { detail: `no ${request.url}` }))
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const document = documentWith(
    Object.fromEntries(
      paths.map(path => [
        path,
        {
          post: {
            operationId: path.slice(1),
            requestBody: { required: true, content: schema({ code: { type: 'string' } }) },
            responses: {
              200: {
                description: 'ok',
                content: schema({ left: { type: 'string' }, right: { type: 'integer' } }),
              },
              422: { description: 'invalid' },
            },
          },
        },
      ]),
    ),
  )
  const contract = await loadContract({ from: writeDocument('codes.json', document) })
  const ledger = await verify({ contract, target: url, seed: 1, sustained: 0, cases: 400 })
  return { ledger, contract, target: new URL(url) }
}

test('each finding has an id of its own, which its verdicts name, and by which it is sent again', async () => {
  const { ledger, contract, target } = await run()
  const { findings, entries } = ledger
  const blocked = findings.filter(({ title }) => title?.startsWith('accepted no valid request'))
  const ofOneRequest = findings.filter(({ obligation }) =>
    /^pairs\/response\/.*(?:left|right)/.test(obligation),
  )
  expect(blocked).toHaveLength(3)
  expect(ofOneRequest.length).toBeGreaterThan(1)
  expect(new Set(findings.map(({ id }) => id)).size).toBe(findings.length)

  for (const { obligation, verdict } of entries)
    if (verdict.kind === 'failed') {
      const [told, ...others] = findings.filter(({ id }) => id === verdict.finding)
      expect(others).toEqual([])
      expect(told?.obligation).toMatch(new RegExp(`^${obligation.operation}/`))
    }
  for (const { id, obligation } of blocked) {
    const { request } = await replay({ ledger, contract, id, target, token: null, seed: 2 })
    expect(request.target).toBe(`/${obligation.split('/')[0]}`)
  }
})
