import { expect, test } from 'vitest'
import { findDocument } from '../../../mock/documents/documents.ts'
import { type Context, createContext, pipeline, type ServedDocument } from '../../../mock/engine/context.ts'
import { compiledOperation, createEngine } from '../../../mock/engine/engine.ts'
import { respond } from '../../../mock/engine/respond.ts'
import { mutate } from '../../../mock/mutants/mutate.ts'
import { applyScenarios } from '../../../mock/scenarios/apply-scenarios.ts'
import { createCounters, createRegistry, type Scenario } from '../../../mock/scenarios/registry.ts'
import { createExamples } from '../../../mock/values/examples.ts'
import { contracts, operationOf } from '../../spec/contracts.ts'

const contract = contracts.plantStore
const operation = operationOf(contract, 'createPlant')

const request = (Prefer: string) =>
  createContext({
    method: 'POST',
    target: '/store/plants',
    headers: [
      ['Authorization', 'Bearer any'],
      ['Content-Type', 'application/json'],
      ['Prefer', Prefer],
    ],
    body: Buffer.from('{"id":1,"name":"Fern"}'),
    tooLarge: false,
    connection: {},
  })

/** A document below `/store` with a mutant, a scenario for all operations, and counts of what its engine does. */
const countedMock = async (scenario: Scenario) => {
  const counts = { routed: 0, judged: 0 }
  const examples = createExamples(contract, () => {})
  const engine = createEngine({
    fitting: null,
    statefulResponder: null,
    contract,
    tokens: null,
    isGiven: null,
    values: {},
    unauthenticated: 'declared',
    examples,
    warn: () => {},
  })
  const compiled = compiledOperation(engine, operation)
  const counted = {
    ...engine,
    router: (method: string, path: string) => {
      counts.routed += 1
      return engine.router(method, path)
    },
  }
  counted.operations.set(operation, {
    ...compiled,
    judgeRequest: (received, tokens) => {
      counts.judged += 1
      return compiled.judgeRequest(received, tokens)
    },
  })
  const mutant = await mutate(counted, 'createPlant/request/body/name/required')
  const document: ServedDocument = {
    prefix: '/store',
    contract,
    basePath: '',
    problem: null,
    engine: counted,
    examples,
    mutant,
  }
  const registry = createRegistry()
  const active = { scenario, counters: createCounters(scenario, () => 0), mutant: null }
  registry.change(null, { active: new Map([['*', [active]]]), set: null })
  const handle = pipeline(
    [findDocument(() => [document]), applyScenarios(registry, 0), mutant],
    (context: Context) => respond(counted, context),
  )
  return { counts, handle }
}

test.each<[string, Scenario]>([
  ['usual', { delay: 0 }],
  ['chosen', { status: 400, code: 7 }],
  ['limited', { limit: { requests: 1, seconds: 1 } }],
  ['unauthenticated', { unauthenticated: '401' }],
  ['duplicate', { duplicates: 'reject' }],
])('a request is routed and judged once, also with a mutant and a scenario (%s)', async (_name, scenario) => {
  const { counts, handle } = await countedMock(scenario)
  const context = request('delay=0; code=200')
  await handle(context)
  expect(counts).toEqual({ routed: 1, judged: 1 })
  expect(context.judged?.operation.id).toBe('createPlant')
  expect([context.received.target, context.request.target]).toEqual(['/store/plants', '/plants'])
})

test('the first middleware sees a request first, and its response last', async () => {
  const seen: string[] = []
  const layer = (name: string) => async (context: Context, next: (context: Context) => unknown) => {
    seen.push(`${name} before`)
    const response = await next(context)
    seen.push(`${name} after`)
    return response as never
  }
  const handle = pipeline([layer('outer'), layer('inner')], () => {
    seen.push('handler')
    return { status: 200, headers: [], body: new Uint8Array() }
  })
  await handle(request(''))
  expect(seen).toEqual(['outer before', 'inner before', 'handler', 'inner after', 'outer after'])
})

test('a response that is already there is not awaited', () => {
  const response = { status: 200, headers: [], body: new Uint8Array() }
  expect(pipeline([(context, next) => next(context)], () => response)(request(''))).toBe(response)
})
