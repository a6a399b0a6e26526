/** What fails only while other requests are in flight is no fault of what the cases are about; what fails by chance is told. */
import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { verify } from '../../../conformance/index.ts'
import { type Ledger, loadContract } from '../../../spec/index.ts'
import { listen } from '../../listen.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'

const content = { 'application/json': { schema: { type: 'object' } } }
const limit = { name: 'limit', in: 'query', schema: { type: 'string' } }
const document = documentWith({
  '/things': {
    get: {
      operationId: 'listThings',
      parameters: [limit],
      responses: { 200: { description: 'all', content } },
    },
  },
})

/** A run against a service that fails if this holds of a request: the how-manieth it is, and how many are in flight. */
const runWith = async (fails: (nth: number, inFlight: number) => boolean): Promise<Ledger> => {
  let count = 0
  let inFlight = 0
  const server = createServer(async (_request, response) => {
    count += 1
    inFlight += 1
    const isFailed = fails(count, inFlight)
    await setTimeout(1)
    inFlight -= 1
    response.writeHead(isFailed ? 500 : 200, { 'content-type': 'application/json' })
    response.end(isFailed ? '{"error":"database is locked"}' : '{}')
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  const contract = await loadContract({ from: writeDocument('load.json', document) })
  return verify({ contract, target: url, seed: 1, sustained: 0, cases: 400 })
}

const isCrash = ({ actual }: Ledger['findings'][number]): boolean => actual.startsWith('500')

test('failures under load alone are one note for the service, and no finding', async () => {
  const { findings, notes } = await runWith((nth, inFlight) => inFlight > 1 && nth % 11 === 0)
  expect(findings.filter(isCrash)).toEqual([])
  const ofLoad = notes.filter(({ message }) => message.includes('only while others were in flight'))
  expect(ofLoad.map(({ message }) => message)).toEqual([expect.stringContaining('database is locked')])
})

test('failures by chance are told', async () => {
  const { findings } = await runWith(nth => nth % 23 === 0)
  expect(findings.filter(isCrash).map(({ obligation }) => obligation)).toEqual([
    'listThings/stability/consistency',
  ])
})
