import type { Ledger, RecordedObligation } from '../spec/index.ts'
import { answerLines, clauseText } from './answers.ts'
import { beginning, cutText } from './cut-text.ts'
import { nameFrom, uuidFrom } from './name-from.ts'
import { type Problem, problemsOf } from './problem.ts'
import { safeText } from './safe-text.ts'
import { type Summary, summarise } from './summary.ts'
import { circumstances } from './told.ts'

// What GitHub takes of one run; it shows the 5,000 most severe results, so they come worst first.
const mostRules = 25_000
const mostResults = 25_000
// Longer texts of a rule are refused.
const ruleText = 1000

/** SARIF 2.1.0, for code scanning: the obligations are its rules, each finding a result at its line of the document. */
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
        // Runs of one category take each other's place; those against other targets stand beside them.
        automationDetails: {
          id: `plantstore/${nameFrom(start.contract.title, start.target).slice(0, 12)}/`,
          guid: uuidFrom(start.at, start.target, String(start.seed), start.contract.digest),
          description: { text: `${safeText(start.contract.title)} at ${safeText(start.target)}` },
        },
        invocations: [invocationOf(ledger, summary, all.length - problems.length)],
        columnKind: 'utf16CodeUnits',
        results: problems.map(problem => resultOf(problem, indexes.get(problem.rule))),
        properties: Object.fromEntries(circumstances(ledger)),
      },
    ],
  }
}

/** All obligations; where there are more than are taken, those that something is told of come first. */
const rulesOf = ({ start }: Ledger, problems: readonly Problem[]) => {
  const told = new Set(problems.map(({ rule }) => rule))
  const rules = start.obligations.map(ruleOf)
  return rules.length <= mostRules
    ? rules
    : [...rules.filter(({ id }) => told.has(id)), ...rules.filter(({ id }) => !told.has(id))].slice(
        0,
        mostRules,
      )
}

const ruleLevels = { MUST: 'error', SHOULD: 'warning', OBSERVE: 'note' } as const

const ruleOf = ({ id, operation, family, level, promise, clause }: RecordedObligation) => {
  const text = cutText(safeText(promise), ruleText)
  return {
    id: safeText(id),
    name: beginning(safeText(id), 255),
    shortDescription: { text: beginning(text, ruleText) || safeText(id) },
    fullDescription: { text: beginning(`${level}: ${text}`, ruleText) },
    help: { text: `${level} · ${text} · ${cutText(clauseText(clause), ruleText)}` },
    defaultConfiguration: { level: ruleLevels[level] },
    properties: {
      tags: ['contract', level, family],
      operation: safeText(operation),
      pointer: safeText(clause.pointer),
    },
  }
}

const resultOf = (problem: Problem, index: number | undefined) => {
  const { rule, level, promise, message, file, line, finding, waiver, fingerprint } = problem
  const told =
    finding === null
      ? [message]
      : [`${promise}.`, ...answerLines(finding.answers).map(([label, text]) => `${label.padEnd(9)} ${text}`)]
  return {
    ruleId: rule,
    ...(index === undefined ? {} : { ruleIndex: index }),
    kind: 'fail',
    level,
    // GitHub shows the whole, and its first sentence in lists; a link is `[text](target)`, so brackets are escaped.
    message: { text: plain(told.join('\n')) },
    locations: [
      { physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line } } },
    ],
    // The first is the one that GitHub knows results by.
    partialFingerprints: { primaryLocationLineHash: fingerprint, 'obligation/v1': fingerprint },
    ...(waiver === null ? {} : { suppressions: [{ kind: 'external', justification: waiver }] }),
    ...(finding === null
      ? {}
      : {
          occurrenceCount: Math.max(1, finding.cases),
          properties: { also: finding.answers.also, replay: finding.answers.replay },
        }),
  }
}

/** Text in which nothing is a link (SARIF 2.1.0, 3.11.6). */
const plain = (text: string): string => text.replace(/[\\[\]]/g, '\\$&')

const isAbsolute = /^(?:\/|[A-Za-z]:[\\/])/

/** A file as the URI that SARIF wants: relative to the checkout where it lies in it. */
const uriOf = (file: string): string => {
  if (/^[a-z][a-z+.-]+:\/\//i.test(file)) return encodeURI(file.toWellFormed())
  const path = file.toWellFormed().split(/[\\/]/).map(encodeURIComponent).join('/')
  return isAbsolute.test(file) ? `file://${path.startsWith('/') ? '' : '/'}${path}` : path
}

/** Whether the run could judge, and what its reader has to know beside the results. */
const invocationOf = ({ start, notes }: Ledger, summary: Summary, leftOut: number) => ({
  executionSuccessful: summary.conclusion !== 'inconclusive',
  ...(Number.isNaN(Date.parse(start.at)) ? {} : { startTimeUtc: new Date(start.at).toISOString() }),
  toolExecutionNotifications: [
    ...(summary.stopped === null
      ? []
      : [notification('warning', `the run is not whole: ${safeText(summary.stopped)}`)]),
    ...summary.inconclusive.map(({ because, entries }) =>
      notification('warning', `${entries.length} could not be judged: ${safeText(because)}`),
    ),
    ...(leftOut > 0
      ? [notification('warning', `${leftOut} results are left out: GitHub takes no more`)]
      : []),
    ...notes.map(({ level, message }) =>
      notification(level === 'warning' ? 'warning' : 'note', safeText(message)),
    ),
  ],
})

const notification = (level: 'warning' | 'note', text: string) => ({
  level,
  message: { text: plain(text) },
})
