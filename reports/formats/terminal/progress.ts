import {
  createPaint,
  duration,
  type ExchangeEvent,
  type Finding,
  plural,
  type RunEvent,
  type RunPhase,
  type RunWatch,
  type StartEvent,
  safeText,
  thousands,
} from '../../../spec/index.ts'
import { beginning } from '../../text/cut-text.ts'
import { recordedObligations } from '../../view/causes.ts'
import { titleText } from '../../view/finding-text.ts'

export type ProgressOptions = {
  /** Where progress is written: stderr. */
  readonly write: (text: string) => void
  /** Whether a line can be rewritten in place. */
  readonly isTty: boolean
  readonly colour: boolean
  readonly columns: number
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

export type Progress = {
  readonly event: (event: RunEvent) => void
  /** What the run is doing between its events. */
  readonly watch: RunWatch
  /** Has to be called every second or so: says what takes the time if nothing was said for a while. */
  readonly tick: () => void
  /** Clears the status line; safe to call twice. */
  readonly stop: () => void
}

const redrawEvery = 100
/** Milliseconds after which something is said. */
const silentFor = 5000
/** A request that has been on its way for so many milliseconds is named. */
const longWait = 1000
/** Server errors, and other wrong responses, that are told as they are first seen. */
const mostSeen = 20
/** Causes of which the first finding is told as it is confirmed. */
const mostCauses = 20

const phaseTexts: Readonly<Record<RunPhase, string>> = {
  trial: 'trying a valid request of each operation',
  cases: 'sending the cases',
  load: 'keeping up the load',
  repetition: 'sending again what failed',
  'clean-up': 'removing what the run created',
}
const clearLine = '\r\u001b[2K'

/** Prints the progress of a run: one status line on a terminal, a few plain lines elsewhere. */
export const createProgress = ({ write, isTty, colour, columns, now }: ProgressOptions): Progress => {
  const paint = createPaint(colour)
  let begin = 0
  let start: StartEvent | null = null
  let cases = 0
  let sent = 0
  let quarter = 0
  let drawn = Number.NEGATIVE_INFINITY
  let isShown = false
  let phase: RunPhase | null = null
  let requests = 0
  let said = now()
  const causes = new Set<string>()
  const onTheWay = new Map<symbol, { readonly name: string; readonly since: number }>()
  const seen = { crashes: new Set<string>(), others: new Set<string>() }

  const clear = (): void => {
    if (isShown) write(clearLine)
    isShown = false
  }

  const activityOf = (id: string): string => {
    const obligation = start === null ? undefined : recordedObligations(start).get(id)
    return safeText(obligation === undefined ? id : `${obligation.operation}/${obligation.family}`)
  }

  const printLine = (line: string): void => {
    clear()
    write(`${line}\n`)
    said = now()
    drawn = Number.NEGATIVE_INFINITY
  }

  const draw = (line: string): void => {
    drawn = now()
    write(`${clearLine}${paint('dim', [...line].slice(0, Math.max(1, columns - 1)).join(''))}`)
    isShown = true
  }

  const leftText = ({ planned, budget }: StartEvent, elapsed: number): string => {
    const byCases = planned === null || cases === 0 ? [] : [((planned - cases) * elapsed) / cases]
    const byTime = budget.seconds === null ? [] : [budget.seconds * 1000 - elapsed]
    const remaining = Math.min(...byCases, ...byTime)
    return remaining > 0 && Number.isFinite(remaining) ? ` · ${duration(remaining)} left` : ''
  }

  /** What the run is doing, what it has sent, and what it has been waiting for. */
  const doing = (of: RunPhase): string => {
    const [longest] = onTheWay.values()
    const waited = longest === undefined ? 0 : now() - longest.since
    const wait =
      longest === undefined || waited < longWait ? '' : ` · waiting ${duration(waited)} for ${longest.name}`
    const left = start === null || of !== 'cases' ? '' : leftText(start, Math.max(1, now() - begin))
    return `${phaseTexts[of]}: ${plural(requests, 'request')}${left}${wait}`
  }

  /** What a response shows by itself can be told before it was sent again: that it came is true. */
  const printSeen = ({ request, outcome, failed }: ExchangeEvent): void => {
    if (outcome.kind !== 'response' || outcome.status === 503 || start === null) return
    const known = recordedObligations(start)
    const isCrash = outcome.status >= 500
    const shown = failed
      .flatMap(id => known.get(id) ?? [])
      .find(
        ({ family, level }) => isCrash || (level === 'MUST' && (family === 'response' || family === 'auth')),
      )
    if (shown === undefined) return
    const told = isCrash ? seen.crashes : seen.others
    // What is wrong in one way in many operations is told once.
    const key = isCrash ? shown.operation : `${outcome.status} ${shown.requirement}`
    if (told.has(key) || told.size === mostSeen) return
    told.add(key)
    const requirement = isCrash ? '' : `; required: ${beginning(safeText(shown.requirement), 100)}`
    printLine(`seen     ${outcome.status} to ${nameOf(request)} (${safeText(shown.operation)})${requirement}`)
  }

  const drawStatus = (activity: string): void => {
    if (start === null || now() - drawn < redrawEvery) return
    const elapsed = Math.max(1, now() - begin)
    const rate = thousands(Math.round((sent * 1000) / elapsed))
    draw(`${activity} · ${doneText(sent, cases, start.planned)} · ${rate}/s${leftText(start, elapsed)}`)
  }

  const printQuarter = ({ planned, budget }: StartEvent): void => {
    const elapsed = now() - begin
    const share = planned === null ? elapsed / ((budget.seconds ?? 1) * 1000) : cases / Math.max(1, planned)
    const reached = Math.min(4, Math.floor(share * 4))
    if (reached <= quarter) return
    quarter = reached
    printLine(`${`${reached * 25} %`.padStart(5)}  ${doneText(sent, cases, planned)} in ${duration(elapsed)}`)
  }

  const printFinding = (finding: Finding): void => {
    const cause = finding.cause?.key ?? finding.id
    if (causes.has(cause) || causes.size > mostCauses) return
    causes.add(cause)
    const mark = finding.level === 'MUST' ? paint('red', 'failed ') : paint('yellow', 'warning')
    printLine(
      causes.size > mostCauses
        ? '         more findings follow: see the reports'
        : `${mark}  ${beginning(titleText(finding), 160)} (${safeText(finding.obligation)})`,
    )
  }

  return {
    event: event => {
      switch (event.type) {
        case 'start':
          start = event
          begin = now()
          if (!isTty) printLine(startLine(event))
          break
        case 'exchange':
          // A long run does not record every exchange, and does not send every case; the number of one is that of the cases before it.
          cases = Math.max(cases, Number.parseInt(event.id, 16) + 1)
          sent = Math.max(sent, event.sent ?? cases)
          printSeen(event)
          if (isTty) drawStatus(activityOf(event.obligation))
          else if (start !== null) printQuarter(start)
          break
        case 'finding':
          printFinding(event)
          break
        case 'note':
          if (event.level === 'warning')
            printLine(`${paint('yellow', 'note   ')}  ${safeText(event.message)}`)
          break
        case 'verdict':
          break
        case 'end':
          clear()
          break
        default:
          event satisfies never
      }
    },
    watch: {
      phase: next => {
        phase = next
      },
      sending: request => {
        const key = Symbol()
        requests += 1
        onTheWay.set(key, { name: nameOf(request), since: now() })
        return () => onTheWay.delete(key)
      },
    },
    tick: () => {
      if (phase === null) return
      if (isTty && now() - drawn >= longWait) draw(doing(phase))
      else if (!isTty && now() - said >= silentFor) printLine(`         ${doing(phase)}`)
    },
    stop: clear,
  }
}

/** Without the query, which may be long. */
const nameOf = ({ method, target }: { readonly method: string; readonly target: string }): string =>
  beginning(safeText(`${method} ${target.replace(/[?#].*$/s, '')}`), 100)

/** What was sent, and of the cases until then what was not. */
const doneText = (sent: number, cases: number, planned: number | null): string => {
  const done = planned === null ? plural(sent, 'case') : `${thousands(sent)} of ${plural(planned, 'case')}`
  return sent < cases ? `${done} sent, ${thousands(cases - sent)} left out` : done
}

const startLine = ({ target, obligations, planned, budget, seed }: StartEvent): string => {
  const size = planned === null ? duration((budget.seconds ?? 0) * 1000) : plural(planned, 'case')
  return `verifying ${safeText(target)}: ${plural(obligations.length, 'requirement')}, ${size}, seed ${seed}`
}
