import {
  clauseOf,
  isObject,
  type Obligation,
  type Outcome,
  type RunEvent,
  type Stop,
  type Unauthenticated,
} from '../spec/index.ts'
import type { Asker } from './ask.ts'
import type { Case } from './case.ts'
import { judgeCase, type Shown, summary } from './judge-case.ts'
import type { Model } from './model.ts'
import { addIncident, addSaying, answerObligationsOf, observation, type Seen, sightingOf } from './observe.ts'
import { exchangeEvent, inOrder } from './stream.ts'

type Part = { readonly model: Model; readonly asker: Asker; readonly obligations: readonly Obligation[] }

export type CasesOptions = {
  readonly cases: readonly Case[]
  readonly partOf: (asked: Case) => Part
  readonly seen: Seen
  readonly concurrency: number
  readonly policy: Unauthenticated
  readonly tokens: readonly string[]
  /** On the clock of `performance.now`. */
  readonly deadline: number | null
  readonly signal: AbortSignal
  readonly emit: (event: RunEvent) => void
  readonly total: number
}

export type CasesResult = { readonly stopped: Stop; readonly why: string | null; readonly done: number }

/** So many connections refused in a row mean that the server is gone. */
const goneAfter = 20
/** After so many hangs (or answers without end) on one obligation, below one name, or at all, the rest of its cases is left out: each takes its time. */
const hangsTolerated = { obligation: 1, name: 6, run: 24 } as const
/** Runs of more cases write down the first exchanges of each obligation, and all that show something. */
const wholeLedger = 20_000

/** Sends the cases, many at a time, and notes what each shows. */
export const runCases = async (options: CasesOptions): Promise<CasesResult> => {
  const { cases, partOf, seen, policy, tokens, signal, deadline } = options
  const tables = new Map<Part, ReturnType<typeof answerObligationsOf>>()
  const tableOf = (part: Part) => {
    const known = tables.get(part) ?? answerObligationsOf(part.obligations)
    tables.set(part, known)
    return known
  }
  const tell = inOrder(options.emit)
  const hangs = new Map<string, number>()
  const written = new Map<string, number>()
  let next = 0
  let done = 0
  let gone = 0
  let result: CasesResult = { stopped: 'done', why: null, done: 0 }
  const stop = (stopped: Stop, why: string | null): void => {
    if (result.stopped === 'done') result = { stopped, why, done }
    next = cases.length
  }
  const worker = async (): Promise<void> => {
    for (;;) {
      if (signal.aborted) stop('interrupt', 'interrupted')
      if (deadline !== null && performance.now() > deadline) stop('time', 'the time given was up')
      const index = next++
      const asked = cases[index]
      if (asked === undefined) return
      const { id } = asked.obligation
      const name = id.slice(0, id.lastIndexOf('/'))
      if (
        (hangs.get(id) ?? 0) >= hangsTolerated.obligation ||
        (hangs.get(name) ?? 0) >= hangsTolerated.name ||
        (hangs.get('') ?? 0) >= hangsTolerated.run
      ) {
        tell(index, null)
        continue
      }
      const part = partOf(asked)
      const outcome = await part.asker.send(asked)
      if (outcome.kind === 'failure' && (outcome.failure === 'timeout' || outcome.failure === 'too-large'))
        for (const key of [id, name, '']) hangs.set(key, (hangs.get(key) ?? 0) + 1)
      gone = outcome.kind === 'failure' && outcome.failure === 'refused' ? gone + 1 : 0
      if (gone >= goneAfter)
        stop(
          'unreachable',
          `the server stopped answering: ${outcome.kind === 'failure' ? outcome.detail : ''}`,
        )
      if (gone > 0) {
        tell(index, null)
        continue
      }
      done += 1
      const shown = judgeCase(part.model, asked, outcome, policy)
      note(seen, part, tableOf(part), asked, outcome, shown)
      const broken = [shown.own, ...shown.others].flatMap(flaw => flaw?.id ?? [])
      const count = (written.get(id) ?? 0) + 1
      written.set(id, count)
      const keep = options.total <= wholeLedger || count <= 5 || broken.length > 0
      tell(index, keep ? exchangeEvent(asked, outcome, broken, tokens) : null)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency) }, worker))
  return { ...result, done }
}

const note = (
  seen: Seen,
  { model }: Part,
  table: ReturnType<typeof answerObligationsOf>,
  asked: Case,
  outcome: Outcome,
  shown: Shown,
): void => {
  const { obligation } = asked
  sightingOf(seen, obligation.id).cases += 1
  if (obligation.family === 'open') addSaying(seen, obligation.id, observation(asked, outcome))
  if (obligation.subject.kind === 'credentials' && !obligation.subject.accepted)
    addSaying(seen, `${obligation.operation}/open/credentials`, summary(outcome))
  for (const flaw of [shown.own, ...shown.others])
    if (flaw !== null) addIncident(seen, { asked, outcome, flaw })
  if (
    outcome.kind === 'failure' ||
    asked.draft.method !== model.operation.method ||
    asked.draft.path !== model.operation.path
  )
    return
  for (const id of table.always) sightingOf(seen, id).cases += 1
  const clause = clauseOf(model.operation, outcome.answer.status)
  const judged = clause === null ? undefined : table.byClause.get(clause.status)
  if (judged === undefined) return
  for (const id of judged.ids) sightingOf(seen, id).cases += 1
  const { body } = asked.draft
  if (asked.expected === 'accepted' && isObject(body))
    for (const { id, name } of judged.echoes) if (Object.hasOwn(body, name)) sightingOf(seen, id).cases += 1
}
