import {
  type Baseline,
  createBaseline,
  createWaivers,
  type Finding,
  foldLedger,
  type Ledger,
  type RunEvent,
  type Stop,
  type Waivers,
} from '../spec/index.ts'
import { concludeOf, isCounted } from './conclude.ts'
import { connect } from './connect.ts'
import { diagnose } from './diagnose.ts'
import { extended, secretsOf } from './extra-headers.ts'
import { changedNotes, expiredNote } from './gate-notes.ts'
import { judgeCase } from './judge-case.ts'
import { addIncident, createSeen, type Seen, saidOf, sightingOf } from './observe.ts'
import { createScripts, type Script } from './part.ts'
import type { Plan } from './plan.ts'
import { knock, type Open, preflight } from './preflight.ts'
import { runCases } from './run.ts'
import { accessNotes, inFlight, type RunOptions } from './run-options.ts'
import { soak } from './soak.ts'
import { startEvent } from './start.ts'
import { createDigest } from './stream.ts'
import { madeUpToken } from './transport/index.ts'
import { verdictsOf } from './verdicts.ts'
import { awaitServer } from './wait.ts'
import { withoutToken } from './without-token.ts'

/** Refused requests that follow the planned ones, for each of them, and at most. */
const soakShare = 1.5
const soakMost = 3000

/** Judges a server: plans, sends, judges, and tells it as a stream of events. Throws only where it could not judge. */
export const run = async (options: RunOptions): Promise<Ledger> => {
  const began = performance.now()
  const deadline = options.seconds === null ? null : began + options.seconds * 1000
  const token = options.token ?? madeUpToken
  const events: RunEvent[] = []
  const tokens = secretsOf(options.token, options.access)
  const emit = (told: RunEvent): void => {
    const event = extended(withoutToken(told, tokens), options.access)
    events.push(event)
    options.onEvent(event)
  }
  const transport = connect(options, { token, secrets: tokens, began })
  const scriptOf = createScripts({
    contract: options.contract,
    unauthenticated: options.unauthenticated,
    seed: options.seed,
    cases: options.cases,
    only: options.only,
    skip: options.skip,
    token,
    tokenKnown: options.token !== null,
    patienceMs: options.access.timeoutMs,
    transport,
    wire: options.wire,
    pins: options.pins,
    rehearsal: options.rehearsal,
  })
  try {
    const first = scriptOf(0)
    // Waivers and a baseline that cannot be used are told before anything is sent.
    const waivers = createWaivers(first.obligations, options.waivers, options.at)
    const baseline = createBaseline(first.obligations, options.baseline, options.shrinkBaseline)
    const missing = await awaitServer(transport, options)
    const ahead =
      missing ?? (await preflight(first.parts, (range, operation) => scriptOf(range).partOf(operation).asker))
    const script = ahead.kind === 'open' && ahead.range > 0 ? scriptOf(ahead.range) : first
    const plan = script.plan()
    const digest = createDigest()
    emit(startEvent(options, script, plan))
    for (const message of [...accessNotes(options), ...waivers.expired.map(expiredNote)])
      emit({ type: 'note', level: 'warning', message })
    if (script !== first) emit({ type: 'note', level: 'info', message: takenNote })
    const outcome =
      ahead.kind === 'unreachable'
        ? unreachable(ahead.detail)
        : await ask(options, script, ahead, {
            plan: withDigest(plan, digest),
            deadline,
            emit,
            token,
            waivers,
            baseline,
          })
    const waits = script.parts.reduce((sum, { asker }) => sum + asker.waited(), 0)
    if (waits > 0)
      emit({
        type: 'note',
        level: 'info',
        message: `the server asked ${waits} times to be left alone for a while (Retry-After), and was`,
      })
    for (const message of changedNotes(outcome.findings, baseline, waivers))
      emit({ type: 'note', level: 'warning', message })
    for (const finding of outcome.findings) emit(finding)
    const verdicts = verdictsOf({
      ...outcome,
      obligations: script.obligations,
      untested: plan.untested,
      asks: script.asks,
      waivers,
      baseline,
    })
    for (const { obligation, verdict } of verdicts)
      emit({ type: 'verdict', obligation: obligation.id, verdict })
    emit({
      type: 'end',
      stopped: outcome.stopped,
      why: outcome.why,
      conclusion: concludeOf(verdicts, { ...outcome, waivers, strict: options.strict }),
      requests: transport.sent(),
      cases: outcome.done,
      ms: Math.round(performance.now() - began),
      digest: digest.end(),
    })
    return foldLedger(events)
  } finally {
    await transport.close()
  }
}

const takenNote = 'ids of earlier runs with this seed are taken: this run uses another range of the seed'

/** What came of asking. */
type Asked = {
  readonly stopped: Stop
  readonly why: string | null
  readonly done: number
  readonly seen: Seen
  readonly findings: readonly Finding[]
  readonly excused: ReadonlyMap<string, string>
  readonly closed: ReadonlyMap<string, string>
}

const unreachable = (detail: string): Asked => ({
  stopped: 'unreachable',
  why: `${detail}: is the server running there, and is the URL right?`,
  done: 0,
  seen: createSeen(),
  findings: [],
  excused: new Map(),
  closed: new Map(),
})

type Means = {
  readonly plan: Plan
  readonly deadline: number | null
  readonly emit: (event: RunEvent) => void
  readonly token: string
  readonly waivers: Waivers
  readonly baseline: Baseline
}

/** Sends the plan, and finds the causes of what it shows. */
const ask = async (
  options: RunOptions,
  script: Script,
  ahead: Open,
  { plan, deadline, emit, token, waivers, baseline }: Means,
): Promise<Asked> => {
  const policy = options.unauthenticated
  const tokens = secretsOf(options.token, options.access)
  const base = options.target.href
  const seen = createSeen()
  // A first request that fails, and then no more, is a fault as well.
  for (const { operation, asked, outcome } of ahead.misses) {
    const { own } = judgeCase(script.partOf(operation).model, asked, outcome, policy)
    if (own === null) continue
    sightingOf(seen, own.id).cases += 1
    addIncident(seen, { asked, outcome, flaw: own })
  }
  const closed = new Map(
    ahead.closed.map(({ operation }) => [operation, 'no valid request was accepted'] as const),
  )
  const counts = new Set(
    script.obligations
      .filter(
        ({ id, level }) =>
          isCounted(level, options.strict) && waivers.of(id) === null && baseline.of(id) === null,
      )
      .map(({ id }) => id),
  )
  const { stopped, why, done } = await runCases({
    next: plan.next,
    hurry: plan.hurry,
    isClosed: ({ obligation }) => closed.has(obligation.operation),
    partOf: asked => script.partOf(asked.obligation.operation),
    seen,
    concurrency: inFlight(options),
    policy,
    tokens,
    deadline,
    signal: options.signal,
    emit,
    bail: broken => options.bail && broken.some(id => counts.has(id)),
  })
  const findings: Finding[] = ahead.closed.map(({ finding }) => finding(base, tokens))
  const excused = new Map<string, string>()
  const isOver = (): boolean => options.signal.aborted || (deadline !== null && performance.now() > deadline)
  for (const part of stopped === 'unreachable' ? [] : script.parts) {
    const { model, context, asker, obligations } = part
    if (closed.has(model.operation.id) || model.unsupported !== null) continue
    const count =
      stopped === 'done'
        ? Math.floor(Math.min(soakShare * (options.cases ?? 0), soakMost) / script.parts.length)
        : 0
    await soak({
      obligations,
      context,
      asker,
      seen,
      policy,
      token,
      count,
      concurrency: inFlight(options),
      asks: script.asks,
      stopped: isOver,
    })
    const valid = obligations.find(({ subject }) => subject.kind === 'valid')
    const after = valid === undefined ? null : await knock(model, asker, valid)
    const refusesDuplicates = saidOf(seen, `${model.operation.id}/open/duplicate-id`).some(what =>
      what.startsWith('refused'),
    )
    const budget = { left: 1500 }
    const diagnosis = await diagnose(obligations, seen, {
      model,
      asker,
      policy,
      budget,
      refusesDuplicates,
      drifted: after?.kind === 'closed' ? after : null,
      base,
      tokens,
    })
    findings.push(...diagnosis.findings)
    for (const [id, because] of diagnosis.excused) excused.set(id, because)
  }
  return { stopped, why, done, seen, findings, excused, closed }
}

const withDigest = (plan: Plan, digest: ReturnType<typeof createDigest>): Plan => ({
  ...plan,
  next: () => {
    const asked = plan.next()
    if (asked !== null) digest.add(asked)
    return asked
  },
})
