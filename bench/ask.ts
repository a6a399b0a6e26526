/** Asks the mock of one document for each of its GETs, and prints what came as JSON: `gets.ts` starts this once a document. */
import { samplesOf } from '../mock/console/samples/samples.ts'
import { compiledOperation } from '../mock/engine/engine.ts'
import { createHandler } from '../mock/index.ts'
import { buildMock } from '../mock/mounts/build.ts'
import { settingsOf } from '../mock/mounts/options.ts'
import { fillToken } from '../spec/index.ts'

export type Asked = {
  readonly operation: string
  /** Null: no valid request was found. */
  readonly status: number | null
  /** What the answer breaks of the contract. */
  readonly violations: readonly string[]
  /** Milliseconds of CPU time, those of other threads included. */
  readonly ms: number
}

const [contract, ...flags] = process.argv.slice(2)
const options = { contract, stateful: flags.includes('--stateful'), warn: () => {} }
const token = 'right'

// One that makes the requests and judges the answers, so that the other has compiled nothing when it is asked.
const other = await buildMock(settingsOf({ ...options, stateful: false }))
const [document] = other.admin.documents()
if (document === undefined) throw new Error('there is no document')
const { engine } = document
const mock = await createHandler(options)
await mock.ready()

const ask = async (operation: (typeof engine)['contract']['operations'][number]): Promise<Asked> => {
  const asked = { operation: operation.id, status: null, violations: [], ms: 0 }
  const [sample] = await samplesOf({
    contract: engine.contract,
    engine,
    operation,
    unauthenticated: engine.unauthenticated,
    obligations: [],
    token,
  })
  if (sample === undefined || sample.title.startsWith('incomplete') || sample.body !== null) return asked
  const request = new Request(`http://mock.test${fillToken(sample.target, encodeURIComponent(token))}`, {
    headers: sample.headers.map(([name, value]): [string, string] => [name, fillToken(value, token)]),
  })
  const start = process.cpuUsage()
  const response = await mock(request)
  const body = new Uint8Array(await response.arrayBuffer())
  const { user, system } = process.cpuUsage(start)
  const { judgeResponse, success } = compiledOperation(engine, operation)
  const answer = { status: response.status, headers: [...response.headers], body }
  // Where no success is declared, any is.
  const violations = success === null && response.ok ? [] : judgeResponse(answer, undefined)
  return {
    operation: operation.id,
    status: response.status,
    violations: violations.map(
      ({ id, title, expected, actual }) => `${id}: ${title ?? `${expected}, not ${actual}`}`,
    ),
    ms: (user + system) / 1000,
  }
}

const all: Asked[] = []
for (const operation of engine.contract.operations)
  if (operation.method === 'GET') all.push(await ask(operation))
process.stdout.write(JSON.stringify(all))
await mock.close()
await other.close()
