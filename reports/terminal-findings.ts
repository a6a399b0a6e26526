import type { Finding, Ledger } from '../spec/index.ts'
import { type Answers, answerLines, answersOf } from './answers.ts'
import { plural } from './count.ts'
import type { Paint, Style } from './paint.ts'
import type { Summary } from './summary.ts'
import type { TerminalOptions } from './terminal-options.ts'

// Findings told in full before the rest is told in one line each.
const inFull = 25

/** Broken promises first, then warnings apart from them; one line each where it has to be quiet. */
export const findingsText = (
  ledger: Ledger,
  summary: Summary,
  options: TerminalOptions,
  paint: Paint,
): readonly string[] => {
  const answers = answersOf(ledger, options.ledger)
  const section = (title: string, style: Style, findings: readonly Finding[]): readonly string[] => {
    if (findings.length === 0) return []
    const told = findings.map(answers)
    if (options.verbosity === 'quiet') return told.map(each => firstLine(each, style, paint))
    const full = options.verbosity === 'verbose' ? told.length : inFull
    const blocks = told
      .slice(0, full)
      .map(each => ['', firstLine(each, style, paint), ...details(each, paint)])
    const rest = told.slice(full).map(each => firstLine(each, style, paint))
    return [
      `  ${paint(['bold', style], title)}`,
      ...blocks.flat(),
      ...(rest.length === 0 ? [] : ['', ...rest]),
    ]
  }
  const failing = section(
    title(summary.counts.broken, summary.failing.length, 'broken'),
    'red',
    summary.failing,
  )
  const warning = section(
    title(summary.counts.warning, summary.warning.length, 'warning'),
    'yellow',
    summary.warning,
  )
  const gap = failing.length > 0 && warning.length > 0 && options.verbosity !== 'quiet' ? [''] : []
  return [...failing, ...gap, ...warning]
}

const title = (obligations: number, findings: number, word: 'broken' | 'warning'): string => {
  const count = Math.max(obligations, findings)
  const counted = word === 'broken' ? `${count} broken` : plural(count, 'warning')
  return obligations > findings ? `${counted}, for ${plural(findings, 'cause')}` : counted
}

const firstLine = (answers: Answers, style: Style, paint: Paint): string => {
  const clause = answers.clause === '' ? '' : ` · ${answers.clause}`
  const flaky = answers.flaky ? ' · flaky' : ''
  return `  ${paint(['bold', style], answers.id)}   ${answers.level} · ${answers.promise}${clause}${flaky}`
}

const details = (answers: Answers, paint: Paint): readonly string[] =>
  answerLines(answers).map(([label, text]) => `    ${paint('dim', label.padEnd(9))} ${text}`)
