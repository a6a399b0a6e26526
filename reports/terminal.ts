import type { Ledger } from '../spec/index.ts'
import { repeatCommand } from './commands.ts'
import { duration, plural, standings, thousands } from './count.ts'
import { beginning } from './cut-text.ts'
import { colourOf, createPaint, type Paint } from './paint.ts'
import { safeText } from './safe-text.ts'
import { type Summary, summarise } from './summary.ts'
import { findingsText } from './terminal-findings.ts'
import { notesText } from './terminal-notes.ts'
import type { TerminalOptions } from './terminal-options.ts'
import { obligationsText, tableText } from './terminal-table.ts'

/** A run as text for people: the ledger by operation and family, findings, what stays open, and the verdict last. */
export const terminal = (ledger: Ledger, options: TerminalOptions): string => {
  const paint = createPaint(options.colour)
  const summary = summarise(ledger)
  const { verbosity } = options
  const blocks =
    verbosity === 'quiet'
      ? [findingsText(ledger, summary, options, paint)]
      : [
          headText(ledger, paint),
          tableText(ledger, verbosity, paint),
          verbosity === 'verbose' ? obligationsText(ledger, paint) : [],
          findingsText(ledger, summary, options, paint),
          notesText(ledger, summary, verbosity, paint),
        ]
  const text = [...blocks, verdictText(ledger, summary, options, paint)]
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n'))
    .join('\n\n')
  return `${text}\n`
}

const headText = ({ start }: Ledger, paint: Paint): readonly string[] => {
  const { title, version, digest } = start.contract
  const command = `plantstore verify ${safeText(start.target)}`
  const contract = `${safeText(title)} ${safeText(version)} · ${beginning(safeText(digest), 8)} · seed ${start.seed}`
  return [`${paint('bold', command)}        ${contract}`]
}

const verdictText = (
  ledger: Ledger,
  summary: Summary,
  options: TerminalOptions,
  paint: Paint,
): readonly string[] => {
  const style =
    summary.conclusion === 'conformant' ? 'green' : summary.conclusion === 'broken' ? 'red' : 'magenta'
  const always = new Set(['kept', 'broken', 'inconclusive'])
  const counts = standings
    .filter(standing => summary.counts[standing] > 0 || always.has(standing))
    .map(standing => {
      const value = summary.counts[standing]
      const text = standing === 'warning' ? plural(value, 'warning') : `${thousands(value)} ${standing}`
      return value > 0 && standing !== 'kept' ? paint(colourOf[standing], text) : text
    })
  const cases = `${plural(summary.cases, 'case')}${summary.ms === null ? '' : ` in ${duration(summary.ms)}`}`
  const parts = [paint(['bold', style], summary.verdict), counts.join(' · '), cases, options.report ?? '']
  const lines = [parts.filter(part => part !== '').join('   ')]
  if (summary.stopped !== null)
    lines.push(paint('yellow', `the run is not whole: ${safeText(summary.stopped)}`))
  if (options.verbosity !== 'quiet')
    lines.push(paint('dim', `again with the same requests: ${repeatCommand(ledger.start)}`))
  return lines
}
