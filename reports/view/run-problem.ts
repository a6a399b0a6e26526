import { isAcceptedPart, type Ledger, plural, safeText } from '../../spec/index.ts'
import { conclusionText, headline } from './conclusion.ts'
import type { Summary } from './summary.ts'

/** Why a run is no success although no requirement failed, so that no format is green; all text is safe to print. */
export type RunProblem = {
  readonly title: string
  readonly lines: readonly string[]
  /** Whether it is a partial run that was asked for: worth a warning, but no error. */
  readonly isAccepted: boolean
}

/** The name of a test for the run itself, in formats that have nothing but tests. */
export const runTestName = 'the run'

const reasonsShown = 3

export const runProblemOf = (ledger: Ledger, summary: Summary): RunProblem | null => {
  const { conclusion, counts, stopped, inconclusive, untested } = summary
  const isProblem =
    conclusion === 'inconclusive' ||
    conclusion === 'partial' ||
    // What is fixed is a problem by itself.
    (conclusion === 'outdated' && counts.fixed === 0)
  if (!isProblem) return null
  return {
    title: headline(summary),
    lines: [
      conclusionText(summary),
      ...(stopped === null ? [] : [`incomplete run: ${safeText(stopped)}`]),
      ...inconclusive
        .slice(0, reasonsShown)
        .map(
          ({ reason, entries }) =>
            `${plural(entries.length, 'requirement')} inconclusive: ${safeText(reason)}`,
        ),
      ...untested
        .slice(0, reasonsShown)
        .map(
          ({ reason, entries }) => `${plural(entries.length, 'requirement')} not tested: ${safeText(reason)}`,
        ),
    ],
    isAccepted: isAcceptedPart(ledger),
  }
}
