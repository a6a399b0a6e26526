import {
  type Conclusion,
  type Contract,
  type Finding,
  foldLedger,
  type Ledger,
  type Obligation,
  obligationsOf,
  type RunEvent,
  type Stop,
  type Unauthenticated,
} from '../spec/index.ts'
import { type Asker, createAsker } from './ask.ts'
import { diagnose } from './diagnose.ts'
import type { MakerContext } from './drafts.ts'
import { createIdentities } from './identities.ts'
import { createModel, type Model } from './model.ts'
import { createSeen } from './observe.ts'
import { type Plan, plan } from './plan.ts'
import { preflight } from './preflight.ts'
import { runCases } from './run.ts'
import { createTransport } from './send.ts'
import { startEvent } from './start.ts'
import { digestOf } from './stream.ts'
import { verdictsOf } from './verdicts.ts'

/** Everything that a run needs; see `verify` for the form with defaults. */
export type RunOptions = {
  readonly contract: Contract
  readonly target: URL
  /** Null: none is known to be right, so one is made up and wrong ones are not tested. */
  readonly token: string | null
  readonly seed: number
  readonly cases: number
  readonly seconds: number | null
  readonly concurrency: number
  readonly timeoutMs: number
  readonly unauthenticated: Unauthenticated
  readonly strict: boolean
  readonly insecure: boolean
  /** The run's beginning, ISO 8601. */
  readonly at: string
  readonly product: { readonly name: string; readonly version: string }
  readonly onEvent: (event: RunEvent) => void
  /** Stops the run; what was seen till then is still told. */
  readonly signal: AbortSignal
}

type Part = {
  readonly model: Model
  readonly context: MakerContext
  readonly asker: Asker
  readonly obligations: readonly Obligation[]
}

const madeUpToken = 'plantstore-made-up-token'

/** Judges a server: plans, sends, judges, and tells it as a stream of events. Throws only where it could not judge. */
export const run = async (options: RunOptions): Promise<Ledger> => {
  const began = performance.now()
  const events: RunEvent[] = []
  const emit = (event: RunEvent): void => {
    events.push(event)
    options.onEvent(event)
  }
  const obligations = obligationsOf(options.contract)
  const token = options.token ?? madeUpToken
  const transport = createTransport({
    base: options.target,
    token,
    connections: options.concurrency,
    timeoutMs: options.timeoutMs,
    maxAnswerBytes: 10 * 1024 * 1024,
    insecure: options.insecure,
  })
  const models = new Map(
    options.contract.operations.map(operation => [operation.id, createModel(options.contract, operation)]),
  )
  let sent = 0
  const counting = {
    ...transport,
    send: (request: Parameters<typeof transport.send>[0]) => {
      sent += 1
      return transport.send(request)
    },
    sendInRow: (requests: Parameters<typeof transport.sendInRow>[0]) => {
      sent += requests.length
      return transport.sendInRow(requests)
    },
  }
  const partsOf = (range: number): ReadonlyMap<string, Part> =>
    new Map(
      [...models].map(([id, model]) => {
        const identities =
          model.identity === null
            ? null
            : createIdentities(model.identity, options.seed, range, options.cases)
        const context: MakerContext = {
          model,
          identities,
          seed: options.seed,
          tokenKnown: options.token !== null,
        }
        const asker = createAsker({ context, transport: counting, token, patienceMs: options.timeoutMs })
        return [
          id,
          { model, context, asker, obligations: obligations.filter(({ operation }) => operation === id) },
        ]
      }),
    )
  const planOf = (parts: ReadonlyMap<string, Part>): Plan =>
    plan({ obligations, contextOf: id => (parts.get(id) as Part).context, cases: options.cases, token })
  try {
    let parts = partsOf(0)
    let planned = planOf(parts)
    const ahead = await preflight(
      [...parts].map(([id, part]) => ({ ...part, other: () => (partsOf(1).get(id) as Part).asker })),
    )
    let notes: readonly string[] = []
    if (ahead.kind === 'spent') {
      parts = partsOf(1)
      planned = planOf(parts)
      notes = [
        'the first range of ids was taken by an earlier run with this seed: this run uses another range',
      ]
    }
    emit(
      startEvent(
        options,
        obligations,
        planned.cases.length,
        [...parts.values()].map(({ context }) => context),
      ),
    )
    for (const message of notes) emit({ type: 'note', level: 'info', message })
    const seen = createSeen()
    const closed = new Map(
      ahead.kind === 'open' || ahead.kind === 'spent'
        ? ahead.closed.map(({ operation }) => [operation, 'no valid request was accepted'] as const)
        : [],
    )
    let stopped: Stop = ahead.kind === 'unreachable' ? 'unreachable' : 'done'
    let why: string | null = ahead.kind === 'unreachable' ? ahead.detail : null
    let done = 0
    if (ahead.kind !== 'unreachable') {
      const result = await runCases({
        cases: planned.cases.filter(({ obligation }) => !closed.has(obligation.operation)),
        partOf: asked => parts.get(asked.obligation.operation) as Part,
        seen,
        concurrency: options.concurrency,
        policy: options.unauthenticated,
        tokens: options.token === null ? [] : [options.token],
        deadline: options.seconds === null ? null : began + options.seconds * 1000,
        signal: options.signal,
        emit,
        total: planned.cases.length,
      })
      stopped = result.stopped
      why = result.why
      done = result.done
    }
    const findings: Finding[] = [
      ...(ahead.kind === 'unreachable'
        ? []
        : ahead.closed.map(({ finding }) => finding(options.target.href))),
    ]
    const excused = new Map<string, string>()
    if (stopped !== 'unreachable')
      for (const part of parts.values()) {
        if (closed.has(part.model.operation.id)) continue
        const said = seen.said.get(`${part.model.operation.id}/open/duplicate-id`)
        const diagnosis = await diagnose(part.obligations, seen, {
          model: part.model,
          asker: part.asker,
          policy: options.unauthenticated,
          budget: { left: 1500 },
          refusesDuplicates: said !== undefined && [...said.keys()].some(what => what.startsWith('refused')),
          base: options.target.href,
          tokens: options.token === null ? [] : [options.token],
        })
        findings.push(...diagnosis.findings)
        for (const [id, because] of diagnosis.excused) excused.set(id, because)
      }
    const waits = [...parts.values()].reduce((sum, { asker }) => sum + asker.waited(), 0)
    if (waits > 0)
      emit({
        type: 'note',
        level: 'info',
        message: `the server asked ${waits} times to be left alone for a while (Retry-After), and was`,
      })
    for (const finding of findings) emit(finding)
    const verdicts = verdictsOf({
      obligations,
      seen,
      findings,
      untested: planned.untested,
      excused,
      closed,
      stopped,
    })
    for (const { obligation, verdict } of verdicts)
      emit({ type: 'verdict', obligation: obligation.id, verdict })
    emit({
      type: 'end',
      stopped,
      why,
      conclusion: concludeOf(findings, stopped, done, options.strict),
      requests: sent,
      cases: done,
      ms: Math.round(performance.now() - began),
      digest: digestOf(planned.cases),
    })
    return foldLedger(events)
  } finally {
    await transport.close()
  }
}

const concludeOf = (
  findings: readonly Finding[],
  stopped: Stop,
  done: number,
  strict: boolean,
): Conclusion => {
  if (findings.some(({ level }) => level === 'MUST' || (strict && level === 'SHOULD'))) return 'broken'
  return stopped === 'unreachable' || stopped === 'interrupt' || stopped === 'fault' || done === 0
    ? 'inconclusive'
    : 'conformant'
}
