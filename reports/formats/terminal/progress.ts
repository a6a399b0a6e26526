import {
  createPaint,
  duration,
  type Finding,
  plural,
  type RunEvent,
  type StartEvent,
  safeText,
  thousands,
} from '../../../spec/index.ts'
import { beginning } from '../../text/cut-text.ts'
import { titleText } from '../../view/finding-text.ts'
import { recordedObligations } from '../../view/recorded-obligations.ts'

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
  /** Clears the status line; safe to call twice. */
  readonly stop: () => void
}

const redrawEvery = 100
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
    drawn = Number.NEGATIVE_INFINITY
  }

  const drawStatus = (activity: string): void => {
    if (start === null || now() - drawn < redrawEvery) return
    drawn = now()
    const elapsed = Math.max(1, drawn - begin)
    const { planned, budget } = start
    const byCases = planned === null ? [] : [((planned - cases) * elapsed) / cases]
    const byTime = budget.seconds === null ? [] : [budget.seconds * 1000 - elapsed]
    const remaining = Math.min(...byCases, ...byTime)
    const left = remaining > 0 ? ` · ${duration(remaining)} left` : ''
    const rate = thousands(Math.round((sent * 1000) / elapsed))
    const line = `${activity} · ${doneText(sent, cases, planned)} · ${rate}/s${left}`
    write(`${clearLine}${paint('dim', [...line].slice(0, Math.max(1, columns - 1)).join(''))}`)
    isShown = true
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
    const mark = finding.level === 'MUST' ? paint('red', 'failed ') : paint('yellow', 'warning')
    printLine(`${mark}  ${beginning(titleText(finding), 160)} (${safeText(finding.obligation)})`)
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
    stop: clear,
  }
}

/** What was sent, and of the cases until then what was not. */
const doneText = (sent: number, cases: number, planned: number | null): string => {
  const done = planned === null ? plural(sent, 'case') : `${thousands(sent)} of ${plural(planned, 'case')}`
  return sent < cases ? `${done} sent, ${thousands(cases - sent)} left out` : done
}

const startLine = ({ target, obligations, planned, budget, seed }: StartEvent): string => {
  const size = planned === null ? duration((budget.seconds ?? 0) * 1000) : plural(planned, 'case')
  return `verifying ${safeText(target)}: ${plural(obligations.length, 'requirement')}, ${size}, seed ${seed}`
}
