import { type Ledger, type RecordedObligation, safeText } from '../../spec/index.ts'
import { beginning, cutText } from '../text/cut-text.ts'
import { nameFrom, uuidFrom } from '../text/stable-name.ts'
import { headline } from '../view/conclusion.ts'
import { clauseText } from '../view/finding-text.ts'
import { type Problem, problemsOf, runProblemOf, runRule } from '../view/problem.ts'
import { type Summary, summarise } from '../view/summary.ts'
import { runProperties } from '../view/test-case.ts'

// What GitHub takes of one run; it shows the 5,000 most severe results, so the worst come first.
const mostResults = 25_000
// GitHub rejects longer texts of a rule.
const ruleText = 1000

/** SARIF 2.1.0, for code scanning: each cause is a result at its line of the document, and the obligations that it breaks are the rules. */
export const sarif = (ledger: Ledger): string => `${JSON.stringify(logOf(ledger), null, 2)}\n`

const logOf = (ledger: Ledger) => {
  const { start } = ledger
  const summary = summarise(ledger)
  const all = problemsOf(ledger)
  const problems = all.slice(0, mostResults)
  const rules = rulesOf(ledger, problems)
  const indexes = new Map(rules.map(({ id }, index) => [id, index]))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: safeText(start.product.name),
            version: safeText(start.product.version),
            rules,
          },
        },
        // A run replaces the earlier one of its category; each target is a category of its own.
        automationDetails: {
          id: `plantstore/${nameFrom(start.contract.title, start.target).slice(0, 12)}/`,
          guid: uuidFrom(start.at, start.target, String(start.seed), start.contract.digest),
          description: {
            text: `${headline(summary)}: ${safeText(start.contract.title)} at ${safeText(start.target)}`,
          },
        },
        invocations: [invocationOf(ledger, summary, all.length - problems.length)],
        columnKind: 'utf16CodeUnits',
        results: problems.map(problem => resultOf(problem, indexes.get(problem.rule))),
        properties: Object.fromEntries(runProperties(ledger)),
      },
    ],
  }
}

/** Those that have results. */
const rulesOf = ({ start }: Ledger, problems: readonly Problem[]) => {
  const withResults = new Set(problems.map(({ rule }) => rule))
  return [
    ...(withResults.has(runRule) ? [ruleOfRun] : []),
    ...start.obligations.filter(({ id }) => withResults.has(safeText(id))).map(ruleOf),
  ]
}

const ruleLevels = { MUST: 'error', SHOULD: 'warning', OBSERVE: 'note' } as const

const ruleOf = ({ id, operation, family, level, requirement, clause }: RecordedObligation) => {
  // GitHub shows this beside an alert: it has to read as what should be, not as what happened.
  const text = beginning(`Requirement (${level}): ${cutText(safeText(requirement), ruleText)}`, ruleText)
  return {
    id: safeText(id),
    name: beginning(safeText(id), 255),
    shortDescription: { text },
    fullDescription: { text },
    help: { text: `${text} · ${cutText(clauseText(clause), ruleText)}` },
    defaultConfiguration: { level: ruleLevels[level] },
    properties: {
      tags: ['contract', level, family],
      operation: safeText(operation),
      pointer: safeText(clause.pointer),
    },
  }
}

const ruleOfRun = {
  id: runRule,
  name: runRule,
  shortDescription: { text: 'The run itself is a success' },
  fullDescription: { text: 'The run tests every requirement, and ends by itself' },
  help: { text: 'A run that could not judge, or left requirements out, shows nothing about them.' },
  defaultConfiguration: { level: 'error' as const },
  properties: { tags: ['contract'] },
}

const resultOf = (problem: Problem, index: number | undefined) => {
  const { rule, severity, title, lines, file, line, finding, others, waiver, fingerprint } = problem
  return {
    ruleId: rule,
    ...(index === undefined ? {} : { ruleIndex: index }),
    kind: 'fail',
    level: severity,
    // GitHub shows the first sentence of it as the title of the alert.
    message: { text: plain([`${title}.`, ...lines].join('\n')) },
    locations: [locationOf({ file, line })],
    ...(others.length === 0
      ? {}
      : {
          relatedLocations: others.map((place, id) => ({
            id,
            ...locationOf(place),
            message: { text: 'the same cause' },
          })),
        }),
    // The first is the one by which GitHub recognises a result.
    partialFingerprints: { primaryLocationLineHash: fingerprint, 'obligation/v1': fingerprint },
    ...(waiver === null ? {} : { suppressions: [{ kind: 'external', justification: waiver }] }),
    ...(finding === null
      ? {}
      : {
          occurrenceCount: Math.max(1, finding.cases),
          properties: { also: finding.text.also, replay: finding.text.replay },
        }),
  }
}

const locationOf = ({ file, line }: Pick<Problem, 'file' | 'line'>) => ({
  physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line } },
})

/** Escapes brackets, so that nothing is a link (SARIF 2.1.0, 3.11.6). */
const plain = (text: string): string => text.replace(/[\\[\]]/g, '\\$&')

const isAbsolute = /^(?:\/|[A-Za-z]:[\\/])/

/** A file as a URI, relative to the checkout unless its path is absolute. */
const uriOf = (file: string): string => {
  if (/^[a-z][a-z+.-]+:\/\//i.test(file)) return encodeURI(file.toWellFormed())
  const path = file.toWellFormed().split(/[\\/]/).map(encodeURIComponent).join('/')
  return isAbsolute.test(file) ? `file://${path.startsWith('/') ? '' : '/'}${path}` : path
}

/** Whether the run could judge, and what its reader has to know beside the results. */
const invocationOf = (ledger: Ledger, summary: Summary, leftOut: number) => {
  const { start, notes } = ledger
  const problem = runProblemOf(ledger, summary)
  const warnings = [
    ...(summary.stopped === null || problem !== null ? [] : [`incomplete run: ${safeText(summary.stopped)}`]),
    ...(problem === null
      ? summary.inconclusive.map(
          ({ reason, entries }) => `${entries.length} inconclusive: ${safeText(reason)}`,
        )
      : []),
    ...(leftOut > 0 ? [`${leftOut} results are left out: GitHub takes no more`] : []),
  ]
  return {
    executionSuccessful: problem === null || problem.isAccepted,
    ...(Number.isNaN(Date.parse(start.at)) ? {} : { startTimeUtc: new Date(start.at).toISOString() }),
    toolExecutionNotifications: [
      ...(problem === null
        ? []
        : [
            notification(
              problem.isAccepted ? 'warning' : 'error',
              [`${problem.title}.`, ...problem.lines].join('\n'),
            ),
          ]),
      ...warnings.map(text => notification('warning', text)),
      ...notes.map(({ level, message }) =>
        notification(level === 'warning' ? 'warning' : 'note', safeText(message)),
      ),
    ],
  }
}

const notification = (level: 'error' | 'warning' | 'note', text: string) => ({
  level,
  message: { text: plain(text) },
})
