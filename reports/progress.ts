import type { RunEvent, StartEvent } from '../spec/index.ts'
import { duration, percent, plural, thousands } from './count.ts'
import { beginning } from './cut-text.ts'
import { createPaint } from './paint.ts'
import { safeText } from './safe-text.ts'

export type ProgressOptions = {
  /** Where the talk goes: stderr. */
  readonly write: (text: string) => void
  /** Whether one line can be written again and again. */
  readonly isTty: boolean
  readonly colour: boolean
  readonly columns: number
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number
}

export type Progress = {
  readonly event: (event: RunEvent) => void
  /** Takes the status line away; safe to call twice. */
  readonly stop: () => void
}

const redrawEvery = 100
const clearLine = '\r\u001b[2K'

/** Tells how a run goes while it goes: one status line on a terminal, a few plain lines elsewhere. */
export const createProgress = ({ write, isTty, colour, columns, now }: ProgressOptions): Progress => {
  const paint = createPaint(colour)
  let begin = 0
  let start: StartEvent | null = null
  let asked = new Map<string, string>()
  let cases = 0
  let quarter = 0
  let drawn = Number.NEGATIVE_INFINITY
  let shown = false

  const clear = (): void => {
    if (shown) write(clearLine)
    shown = false
  }

  const say = (line: string): void => {
    clear()
    write(`${line}\n`)
    drawn = Number.NEGATIVE_INFINITY
  }

  const status = (doing: string): void => {
    if (start === null || now() - drawn < redrawEvery) return
    drawn = now()
    const elapsed = Math.max(1, drawn - begin)
    const { planned, budget } = start
    const done =
      planned === null ? plural(cases, 'case') : `${thousands(cases)} of ${plural(planned, 'case')}`
    const byCases = planned === null ? [] : [((planned - cases) * elapsed) / cases]
    const byTime = budget.seconds === null ? [] : [budget.seconds * 1000 - elapsed]
    const remaining = Math.min(...byCases, ...byTime)
    const left = remaining > 0 ? ` · ${duration(remaining)} left` : ''
    const line = `${doing} · ${done} · ${thousands(Math.round((cases * 1000) / elapsed))}/s${left}`
    write(`${clearLine}${paint('dim', [...line].slice(0, Math.max(1, columns - 1)).join(''))}`)
    shown = true
  }

  const quarterLine = ({ planned, budget }: StartEvent): void => {
    const share =
      planned === null ? (now() - begin) / ((budget.seconds ?? 1) * 1000) : cases / Math.max(1, planned)
    const reached = Math.min(4, Math.floor(share * 4))
    if (reached <= quarter) return
    quarter = reached
    const took = duration(now() - begin)
    const of = planned === null ? plural(cases, 'case') : `${thousands(cases)} of ${plural(planned, 'case')}`
    say(`${percent(reached / 4).padStart(5)}  ${of} in ${took}`)
  }

  return {
    event: event => {
      switch (event.type) {
        case 'start':
          start = event
          begin = now()
          asked = new Map(
            event.obligations.map(({ id, operation, family }) => [id, safeText(`${operation}/${family}`)]),
          )
          if (!isTty)
            say(
              `verifying ${safeText(event.target)}: ${plural(event.obligations.length, 'obligation')}, ${event.planned === null ? duration((event.budget.seconds ?? 0) * 1000) : plural(event.planned, 'case')}, seed ${event.seed}`,
            )
          break
        case 'exchange':
          // Not every exchange of a long run is told; its number is that of the cases before it.
          cases = Math.max(cases, Number.parseInt(event.id, 16) + 1)
          if (isTty) status(asked.get(event.obligation) ?? safeText(event.obligation))
          else if (start !== null) quarterLine(start)
          break
        case 'finding':
          say(
            `${paint(event.level === 'MUST' ? 'red' : 'yellow', 'broken')} ${safeText(event.obligation)}: got ${beginning(safeText(event.got), 120)}`,
          )
          break
        case 'note':
          if (event.level === 'warning') say(`${paint('yellow', 'note')}   ${safeText(event.message)}`)
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
