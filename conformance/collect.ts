import {
  type Baseline,
  createBaseline,
  createWaivers,
  type Finding,
  type RunEvent,
  type Waivers,
} from '../spec/index.ts'
import { cellOf } from './cell.ts'
import { isCounted } from './conclude.ts'
import { confirmAll } from './confirm.ts'
import { connect } from './connect.ts'
import type { Found } from './evidence.ts'
import { extrasOf, secretsOf } from './extra-headers.ts'
import type { Confirmed } from './findings.ts'
import { expiredNote } from './gate-notes.ts'
import { judgeCase } from './judge-case.ts'
import { addIncident, createSeen, type Incident, sightingOf } from './observe.ts'
import { createScripts, type Script } from './part.ts'
import type { Plan } from './plan.ts'
import { type Ahead, knock, type Open, preflight } from './preflight.ts'
import { runCases } from './run.ts'
import { accessNotes, inFlight, type RunOptions } from './run-options.ts'
import { soak } from './soak.ts'
import { startEvent } from './start.ts'
import { type CellDigest, createDigests } from './stream.ts'
import { madeUpToken } from './transport/index.ts'
import { awaitServer } from './wait.ts'

/** Refused requests that follow the planned ones, for each of them, and at most. */
const soakShare = 1.5
const soakMost = 3000

export type Collected = {
  readonly found: Found
  readonly script: Script
  readonly waivers: Waivers
  readonly baseline: Baseline
}

/** Plans, sends and judges; sends again what is not as it should be. Concludes nothing. */
export const collect = async (options: RunOptions, emit: (event: RunEvent) => void): Promise<Collected> => {
  const began = performance.now()
  const deadline = options.seconds === null ? null : began + options.seconds * 1000
  const token = options.token ?? madeUpToken
  const secrets = secretsOf(options.token, options.access)
  const transport = connect(options, { token, secrets, began })
  const scriptOf = createScripts({
    ...options,
    token,
    tokenKnown: options.token !== null,
    patienceMs: options.access.timeoutMs,
    transport,
  })
  try {
    const first = scriptOf(0)
    // Waivers and a baseline that cannot be used are told before anything is sent.
    const waivers = createWaivers(first.obligations, options.waivers, options.at)
    const baseline = createBaseline(first.obligations, options.baseline, options.shrinkBaseline)
    const missing = await awaitServer(transport, options)
    const ahead: Ahead =
      missing ??
      (await preflight(
        ownParts(first, options),
        (range, operation) => scriptOf(range).partOf(operation).asker,
      ))
    const script = ahead.kind === 'open' && ahead.range > 0 ? scriptOf(ahead.range) : first
    const plan = script.plan()
    const digests = createDigests(script.cells)
    emit(startEvent(options, script, plan))
    for (const message of [...accessNotes(options), ...waivers.expired.map(expiredNote)])
      emit({ type: 'note', level: 'warning', message })
    if (script !== first) emit({ type: 'note', level: 'info', message: takenNote })
    const asked =
      ahead.kind === 'unreachable'
        ? unreachable(ahead.detail)
        : await ask(options, script, ahead, {
            plan: withDigests(plan, digests),
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
    const cells: readonly CellDigest[] = digests.end()
    const owns = ownsOf(script)
    return {
      script,
      waivers,
      baseline,
      found: {
        ...asked,
        cells,
        untested: new Map(
          script.obligations.flatMap(obligation => {
            const because = owns(obligation) ? plan.untested.get(obligation.id) : undefined
            return because === undefined ? [] : [[obligation.id, because] as const]
          }),
        ),
        requests: transport.sent(),
        ms: Math.round(performance.now() - began),
        extras: extrasOf(options.access),
      },
    }
  } finally {
    await transport.close()
  }
}

const takenNote = 'ids of earlier runs with this seed are taken: this run uses another range of the seed'

type Asked = Pick<Found, 'stopped' | 'why' | 'done' | 'seen' | 'closed' | 'drifted' | 'confirmations'>

const unreachable = (detail: string): Asked => ({
  stopped: 'unreachable',
  why: `${detail}: is the server running there, and is the URL right?`,
  done: 0,
  seen: createSeen(),
  closed: new Map(),
  drifted: new Map(),
  confirmations: new Map(),
})

const ownsOf = ({ cells }: Script): ((obligation: Parameters<typeof cellOf>[0]) => boolean) => {
  const names = new Set(cells.map(({ name }) => name))
  return obligation => names.has(cellOf(obligation))
}

/** The operations that are asked here. */
const ownParts = ({ parts, cells }: Script, options: RunOptions): Script['parts'] => {
  const own = new Set(cells.map(({ operation }) => operation))
  return options.cells === null ? parts : parts.filter(({ model }) => own.has(model.operation.id))
}

type Means = {
  readonly plan: Plan
  readonly deadline: number | null
  readonly emit: (event: RunEvent) => void
  readonly token: string
  readonly waivers: Waivers
  readonly baseline: Baseline
}

/** Sends the plan, and again what shows something. */
const ask = async (
  options: RunOptions,
  script: Script,
  ahead: Open,
  { plan, deadline, emit, token, waivers, baseline }: Means,
): Promise<Asked> => {
  const policy = options.unauthenticated
  const tokens = secretsOf(options.token, options.access)
  const seen = createSeen()
  const owns = ownsOf(script)
  // A first request that fails, and then no more, is a fault as well; where others ask too, one of them tells it.
  for (const { operation, asked, outcome } of ahead.misses) {
    const { own } = judgeCase(script.partOf(operation).model, asked, outcome, policy)
    if (own === null || (options.cells !== null && !owns(asked.obligation))) continue
    sightingOf(seen, own.id).cases += 1
    addIncident(seen, { asked, outcome, flaw: own })
  }
  const closed = new Map<string, Finding>(
    ahead.closed.map(({ operation, finding }) => [operation, finding(options.target.href, tokens)]),
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
    isLeftOut: ({ obligation }) => closed.has(obligation.operation) || !owns(obligation),
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
  const drifted = new Map<string, Pick<Incident, 'asked' | 'outcome'>>()
  const confirmations = new Map<string, Confirmed>()
  const isOver = (): boolean => options.signal.aborted || (deadline !== null && performance.now() > deadline)
  for (const part of stopped === 'unreachable' ? [] : ownParts(script, options)) {
    const { model, context, asker, obligations } = part
    const { id } = model.operation
    if (closed.has(id) || model.unsupported !== null) continue
    const isSoaked = stopped === 'done' && owns({ operation: id, family: 'load' })
    await soak({
      obligations,
      context,
      asker,
      seen,
      policy,
      token,
      count: isSoaked
        ? Math.floor(Math.min(soakShare * (options.cases ?? 0), soakMost) / script.parts.length)
        : 0,
      concurrency: inFlight(options),
      asks: script.asks,
      stopped: isOver,
    })
    const valid = obligations.find(({ subject }) => subject.kind === 'valid')
    const after = valid === undefined ? null : await knock(model, asker, valid)
    if (after?.kind === 'closed') drifted.set(id, { asked: after.asked, outcome: after.outcome })
    const own = await confirmAll(obligations, seen, {
      model,
      asker,
      policy,
      budget: { left: 1500 },
      hasDrifted: drifted.has(id),
    })
    for (const [key, confirmed] of own) confirmations.set(key, confirmed)
  }
  return { stopped, why, done, seen, closed, drifted, confirmations }
}

const withDigests = (plan: Plan, digests: ReturnType<typeof createDigests>): Plan => ({
  ...plan,
  next: () => {
    const asked = plan.next()
    if (asked !== null) digests.add(asked)
    return asked
  },
})
