/** The thread that plans the cases of a run while another one sends them: see `startPlanningThread`. */
import { parentPort, workerData } from 'node:worker_threads'
import { loadContract } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { createScope, selectedIn } from '../options/scope.ts'
import { writeCases } from './case-text.ts'
import { createContexts, planHere } from './contexts.ts'
import type { FromPlanningThread, PlanningTask, ToPlanningThread } from './planning-thread.ts'

const { source, digest, rules, at, options, token } = workerData as PlanningTask

/** A batch ends with this many cases or bytes of bodies; the first ones are smaller, so that sending begins at once. */
const most = { first: 16, cases: 256, bytes: 500_000 }

const contract = await loadContract({ from: source })
if (contract.digest !== digest) throw new Error('the document has changed')
const scope = createScope(contract, rules, at)
const obligations = selectedIn(scope)
const contexts = createContexts(options, scope)

const say = (message: FromPlanningThread, transferred: readonly ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, transferred)

function* batchesOf(cases: Iterable<TestCase>): Generator<readonly TestCase[]> {
  let batch: TestCase[] = []
  let bytes = 0
  let limit = most.first
  for (const testCase of cases) {
    batch.push(testCase)
    bytes += testCase.request.body?.length ?? 0
    if (batch.length < limit && bytes < most.bytes) continue
    yield batch
    batch = []
    bytes = 0
    limit = Math.min(most.cases, limit * 2)
  }
  if (batch.length > 0) yield batch
}

const planFor = (range: number): (() => boolean) => {
  const known = new Map<string, ReturnType<typeof contexts>>()
  const contextOf = (operation: string): ReturnType<typeof contexts> => {
    const context = known.get(operation) ?? contexts(operation, range)
    known.set(operation, context)
    return context
  }
  const plan = planHere(
    options,
    obligations,
    contextOf,
    () => token,
    () => false,
  )
  const places = new Map(obligations.map((obligation, index) => [obligation, index]))
  say({ kind: 'most', most: plan.most })
  const batches = batchesOf(plan.cases)
  return () => {
    const { value, done } = batches.next()
    if (done === true) {
      say({ kind: 'end', untested: [...plan.untested] })
      return false
    }
    const batch = writeCases(value, obligation => places.get(obligation) as number)
    say({ kind: 'cases', ...batch }, [batch.bytes.buffer])
    return true
  }
}

let sendNext: (() => boolean) | null = null
parentPort?.on('message', (message: ToPlanningThread) => {
  if (message.kind === 'plan') sendNext = planFor(message.range)
  for (let count = 0; count < message.batches; count++) if (sendNext?.() !== true) return
})
