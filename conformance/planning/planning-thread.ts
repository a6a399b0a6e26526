import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Contract, Obligation, Operation, UntestedReason } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { type Rules, type RunOptions, rulesOf } from '../options/run-options.ts'
import type { ArrivingPlan, Plan } from '../plan/plan.ts'
import { type CaseBatch, readCases } from './case-text.ts'
import { type PlanningOptions, planningOptionsOf } from './contexts.ts'

/** What the thread works out its plan from. */
export type PlanningTask = {
  readonly source: string
  readonly digest: string
  readonly rules: Rules
  readonly at: string
  readonly options: PlanningOptions
  readonly token: string
}

/** `batches`: so many more of them may be sent. */
export type ToPlanningThread =
  | { readonly kind: 'plan'; readonly range: number; readonly batches: number }
  | { readonly kind: 'more'; readonly batches: number }

export type FromPlanningThread =
  | { readonly kind: 'most'; readonly most: number }
  | ({ readonly kind: 'cases' } & CaseBatch)
  | { readonly kind: 'end'; readonly untested: readonly (readonly [string, UntestedReason])[] }

/** A thread that plans the cases of a run, on a core that the run leaves idle. */
export type PlanningThread = {
  /** The same plan as this thread would make, which `here` does if the other one cannot. */
  readonly plan: (
    range: number,
    obligations: readonly Obligation[],
    here: () => Plan,
  ) => Promise<ArrivingPlan>
  readonly close: () => Promise<void>
}

/** Below this many cases, starting the thread takes longer than planning. */
const leastCases = 10_000

/** The thread reads the contract once more: that of a large one would take a hundred megabytes. */
const mostObligations = 10_000

/** Whether another thread can plan a run: it knows the document by its file and digest, and nothing that changes during the run. */
export const canPlanApart = (
  { contract, cases, maxSeconds, planCache, token, isPlannedApart }: RunOptions,
  obligations: readonly Obligation[],
): boolean =>
  isPlannedApart ??
  (cases !== null &&
    cases >= leastCases &&
    maxSeconds === null &&
    planCache === null &&
    !token.isRenewable &&
    obligations.length <= mostObligations &&
    availableParallelism() > 1 &&
    existsSync(contract.source))

/** So many batches are made ahead. */
const ahead = 4

export const startPlanningThread = (options: RunOptions): PlanningThread => {
  const { contract, at, token } = options
  // A file of this package, which is JavaScript once it is built.
  const extension = import.meta.url.slice(import.meta.url.lastIndexOf('.'))
  const task: PlanningTask = {
    source: contract.source,
    digest: contract.digest,
    rules: rulesOf(options),
    at,
    options: planningOptionsOf(options),
    token: token.value(),
  }
  const worker = new Worker(new URL(`./planning-worker${extension}`, import.meta.url), { workerData: task })
  const tell = (message: ToPlanningThread): void => worker.postMessage(message)
  const batches: CaseBatch[] = []
  const untested = new Map<string, UntestedReason>()
  let isOver = false
  let hasFailed = false
  const most = Promise.withResolvers<number | null>()
  let news = Promise.withResolvers<void>()
  const wake = (): void => {
    news.resolve()
    news = Promise.withResolvers()
  }
  const fail = (): void => {
    hasFailed = true
    most.resolve(null)
    wake()
  }
  worker.on('message', (message: FromPlanningThread) => {
    if (message.kind === 'most') most.resolve(message.most)
    else if (message.kind === 'cases') batches.push(message)
    else {
      for (const [id, reason] of message.untested) untested.set(id, reason)
      isOver = true
    }
    wake()
  })
  worker.on('error', fail)
  worker.on('exit', fail)

  function* casesOf(
    obligations: readonly Obligation[],
    here: () => Plan,
  ): Generator<TestCase | Promise<void>> {
    const operationOf = operationsById(contract)
    let given = 0
    for (;;) {
      const batch = batches.shift()
      if (batch !== undefined) {
        tell({ kind: 'more', batches: 1 })
        for (const testCase of readCases(batch, obligations, operationOf)) {
          given += 1
          yield testCase
        }
      } else if (isOver) return
      else if (hasFailed) break
      else yield news.promise
    }
    // The plan is the same here, so it goes on where the other one ended.
    const plan = here()
    let number = 0
    for (const testCase of plan.cases) if (++number > given) yield testCase
    for (const [id, reason] of plan.untested) untested.set(id, reason)
  }

  return {
    plan: async (range, obligations, here) => {
      tell({ kind: 'plan', range, batches: ahead })
      const planned = await most.promise
      return planned === null ? here() : { most: planned, cases: casesOf(obligations, here), untested }
    },
    close: async () => {
      await worker.terminate()
    },
  }
}

const operationsById = ({ operations }: Contract): ((obligation: Obligation) => Operation) => {
  const byId = new Map(operations.map(operation => [operation.id, operation]))
  return ({ operation }) => byId.get(operation) as Operation
}
