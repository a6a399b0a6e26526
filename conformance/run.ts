import {
  clauseOf,
  type Flaw,
  isObject,
  type Obligation,
  type Outcome,
  type RunEvent,
  type Secret,
  type Selection,
  type Stop,
  type Unauthenticated,
} from '../spec/index.ts'
import type { Asker } from './ask.ts'
import type { Case } from './case.ts'
import { givenIn, judgeCase, type Shown } from './judge-case.ts'
import type { Model } from './model.ts'
import { addIncident, addSaying, answerObligationsOf, type Seen, sightingOf } from './observe.ts'
import { observation, summary } from './saying.ts'
import { exchangeEvent, inOrder } from './stream.ts'

type Part = {
  readonly model: Model
  readonly asker: Asker
  readonly obligations: readonly Obligation[]
  readonly asks: Selection
}

export type CasesOptions = {
  /** The next case, in the order of their numbers; null where there is none left. */
  readonly next: () => Case | null
  /** Leaves out what is left but for a few cases that have to come last. */
  readonly hurry: () => void
  /** Whether a case is left out, as its operation takes no valid request, or as somebody else sends it. */
  readonly isLeftOut: (asked: Case) => boolean
  readonly partOf: (asked: Case) => Part
  readonly seen: Seen
  readonly concurrency: number
  readonly policy: Unauthenticated
  readonly tokens: readonly Secret[]
  /** On the clock of `performance.now`. */
  readonly deadline: number | null
  readonly signal: AbortSignal
  readonly emit: (event: RunEvent) => void
  /** Whether what was shown broken ends the run. */
  readonly bail: (broken: readonly string[]) => boolean
}

export type CasesResult = { readonly stopped: Stop; readonly why: string | null; readonly done: number }

/** So many connections refused in a row mean that the server is gone. */
const goneAfter = 20
/** After so many hangs (or answers without end) on one obligation, below one name, or at all, the rest of its cases is left out: each takes its time. */
const hangsTolerated = { obligation: 1, name: 6, run: 24 } as const
/** So many exchanges are written down; of the rest the first few of each obligation, the first that show it broken, and a sample. */
const wholeLedger = 5_000
const firstOf = 5
const sampleOf = 500

/** Sends the cases, many at a time, and notes what each shows. */
export const runCases = async (options: CasesOptions): Promise<CasesResult> => {
  const { partOf, seen, policy, tokens, signal, deadline } = options
  const tables = new Map<Part, ReturnType<typeof answerObligationsOf>>()
  const tableOf = (part: Part) => {
    const known = tables.get(part) ?? answerObligationsOf(part.obligations)
    tables.set(part, known)
    return known
  }
  const tell = inOrder(options.emit)
  const patience = createPatience()
  const isWritten = createChooser()
  let done = 0
  let gone = 0
  let stopped: Stop | null = null
  let why: string | null = null
  const stop = (how: Stop, because: string): void => {
    if (stopped !== null) return
    stopped = how
    why = because
    // What has to come last takes no time worth sparing; a server that is gone, or a user who waits, is spared it.
    if (how === 'time') options.hurry()
  }
  const isOver = (): boolean => stopped !== null && stopped !== 'time'
  const worker = async (): Promise<void> => {
    for (;;) {
      if (signal.aborted) stop('interrupt', 'interrupted')
      if (deadline !== null && performance.now() > deadline) stop('time', 'the time given was up')
      const asked = isOver() ? null : options.next()
      if (asked === null) return
      if (options.isLeftOut(asked) || patience.isOut(asked)) {
        tell(asked.number, null)
        continue
      }
      const part = partOf(asked)
      const outcome = await part.asker.send(asked)
      patience.note(asked, outcome)
      const isGone = outcome.kind === 'failure' && outcome.failure === 'refused'
      gone = isGone ? gone + 1 : 0
      if (isGone) {
        if (gone >= goneAfter) stop('unreachable', `the server stopped answering: ${outcome.detail}`)
        tell(asked.number, null)
        continue
      }
      done += 1
      const flaws = flawsOf(part, judgeCase(part.model, asked, outcome, policy))
      note(seen, part, tableOf(part), asked, outcome, flaws)
      const broken = flaws.map(({ id }) => id)
      if (options.bail(broken)) stop('bail', 'it was to stop at the first broken promise')
      tell(asked.number, isWritten(asked, broken) ? exchangeEvent(asked, outcome, broken, tokens) : null)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, options.concurrency) }, worker))
  return { stopped: stopped ?? 'done', why, done }
}

/** Requests that hang are given up after a few: each takes its time. */
const createPatience = () => {
  const hangs = new Map<string, number>()
  const keys = ({ obligation: { id } }: Case) => [
    [id, hangsTolerated.obligation] as const,
    [id.slice(0, id.lastIndexOf('/')), hangsTolerated.name] as const,
    ['', hangsTolerated.run] as const,
  ]
  return {
    isOut: (asked: Case): boolean =>
      hangs.size > 0 && keys(asked).some(([key, tolerated]) => (hangs.get(key) ?? 0) >= tolerated),
    note: (asked: Case, outcome: Outcome): void => {
      if (outcome.kind === 'failure' && (outcome.failure === 'timeout' || outcome.failure === 'too-large'))
        for (const [key] of keys(asked)) hangs.set(key, (hangs.get(key) ?? 0) + 1)
    },
  }
}

/** Which exchanges are written down: memory and ledger stay of a size, however long the run. */
const createChooser = () => {
  let all = 0
  const counts = new Map<string, number>()
  const isEarly = (key: string): boolean => {
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count <= firstOf
  }
  return ({ number, obligation: { id } }: Case, broken: readonly string[]): boolean => {
    const early = [id, ...broken.map(own => `broken ${own}`)].map(isEarly).includes(true)
    all += 1
    return all <= wholeLedger || early || number % sampleOf === 0
  }
}

/** What was asked to be left out is not told. */
const flawsOf = ({ asks }: Part, { own, others }: Shown): readonly Flaw[] =>
  [own, ...others].filter(flaw => flaw !== null).filter(({ id }) => asks(id))

const note = (
  seen: Seen,
  { model }: Part,
  table: ReturnType<typeof answerObligationsOf>,
  asked: Case,
  outcome: Outcome,
  flaws: readonly Flaw[],
): void => {
  const { obligation } = asked
  sightingOf(seen, obligation.id).cases += 1
  if (obligation.level === 'OBSERVE' || obligation.pin?.obligation === obligation.id)
    addSaying(seen, obligation.id, observation(asked, outcome))
  if (obligation.subject.kind === 'credentials' && !obligation.subject.accepted)
    addSaying(seen, `${obligation.operation}/open/credentials`, summary(outcome))
  // A pinned question that other cases answer.
  if (obligation.pin !== undefined && obligation.pin.obligation !== obligation.id)
    sightingOf(seen, obligation.pin.obligation).cases += 1
  for (const flaw of flaws) addIncident(seen, { asked, outcome, flaw })
  if (
    outcome.kind === 'failure' ||
    asked.request.raw !== undefined ||
    asked.draft.method !== model.operation.method ||
    asked.draft.path !== model.operation.path
  )
    return
  for (const id of table.always) sightingOf(seen, id).cases += 1
  const { status } = outcome.answer
  for (const { id, asked: given } of status === 401 ? table.challenges : [])
    if (given === null || given === givenIn(asked)) sightingOf(seen, id).cases += 1
  const judged = table.byClause.get(clauseOf(model.operation, status)?.status ?? String(status))
  if (judged === undefined) return
  for (const id of judged.ids) sightingOf(seen, id).cases += 1
  const { body } = asked.draft
  if (asked.expected === 'accepted' && isObject(body))
    for (const { id, name } of judged.echoes) if (Object.hasOwn(body, name)) sightingOf(seen, id).cases += 1
}
