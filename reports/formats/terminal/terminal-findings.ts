import { type Ledger, type Paint, plural, thousands } from '../../../spec/index.ts'
import type { Cause } from '../../view/causes.ts'
import { causeTexts, type FindingText, findingLines, inColumns } from '../../view/finding-text.ts'
import { statusSigns, statusStyles } from '../../view/status.ts'
import type { Summary } from '../../view/summary.ts'

// A run prints so many causes in full and the rest in one line each.
const inFull = 25

type Kind = 'failed' | 'warning'

export type FindingsOptions = {
  readonly verbosity: 'quiet' | 'normal' | 'verbose'
  /** The ledger file as a reader would type it, for the replay commands. */
  readonly ledger: string
}

/** What failed first, then warnings; a quiet run prints one line each. */
export const findingsText = (
  ledger: Ledger,
  { causes: { failing, warning }, counts }: Summary,
  { verbosity, ledger: path }: FindingsOptions,
  paint: Paint,
): readonly string[] => {
  const texts = causeTexts(ledger, path)
  const section = (heading: string, kind: Kind, causes: readonly Cause[]): readonly string[] => {
    if (causes.length === 0) return []
    const all = causes.map(texts)
    if (verbosity === 'quiet') return all.map(text => oneLine(text, kind, paint))
    const full = verbosity === 'verbose' ? all.length : inFull
    const blocks = all.slice(0, full).flatMap(text => ['', ...findingBlock(text, kind, paint)])
    const rest = all.slice(full).map(text => oneLine(text, kind, paint))
    return [
      `  ${paint(['bold', statusStyles[kind]], heading)}`,
      ...blocks,
      ...(rest.length === 0 ? [] : ['', ...rest]),
    ]
  }
  const failed = section(
    `${thousands(Math.max(counts.failed, failing.length))} failed${causeCount(counts.failed, failing)}`,
    'failed',
    failing,
  )
  const warned = section(
    `${plural(Math.max(counts.warning, warning.length), 'warning')}${causeCount(counts.warning, warning)}`,
    'warning',
    warning,
  )
  const gap = failed.length > 0 && warned.length > 0 && verbosity !== 'quiet' ? [''] : []
  return [...failed, ...gap, ...warned]
}

const causeCount = (obligations: number, { length }: readonly Cause[]): string =>
  obligations > length ? ` (${plural(length, 'cause')})` : ''

export const titleLine = ({ title, isFlaky }: FindingText, kind: Kind, paint: Paint): string =>
  `  ${paint(['bold', statusStyles[kind]], `${statusSigns[kind]} ${title}`)}${isFlaky ? ' · flaky' : ''}`

const oneLine = (text: FindingText, kind: Kind, paint: Paint): string =>
  `${titleLine(text, kind, paint)}  ${paint('dim', text.source)}`

/** A finding with everything that is known of it. */
export const findingBlock = (text: FindingText, kind: Kind, paint: Paint): readonly string[] => [
  titleLine(text, kind, paint),
  ...inColumns(findingLines(text), label => paint('dim', label)).map(line => `    ${line}`),
]
