import { basename } from 'node:path'
import { type Finding, type Ledger, type RecordedOutcome, safeText } from '../../../spec/index.ts'
import { jsonParts } from '../../text/json-parts.ts'
import { recordedObligations } from '../../view/causes.ts'
import { runProblemOf } from '../../view/problem.ts'
import { summarise } from '../../view/summary.ts'
import { categoryOf, categoryOfAnswer, type FaultCategory, type Shown } from './faults.ts'

/** The version of the report's schema, as the Web Fuzzing Commons count it: their packages have numbers of their own. */
const schemaVersion = '0.8.0'

/** How deep the longest lists are: `problemDetails.rest.coveredHttpStatus`. */
const listDepth = 3

/**
 * The report of the Web Fuzzing Commons, by which fuzzers are compared: a test case for each recorded exchange, and the findings for
 * which their catalogue of faults has a category.
 *
 * @see https://github.com/WebFuzzing/Commons
 */
export function* wfc(ledger: Ledger, _digest?: string, path = 'ledger.ndjson'): Generator<string> {
  const { start, end, exchanges } = ledger
  const filePath = safeText(basename(path))
  const began = Date.parse(start.at) || 0
  const ms = end?.ms ?? 0
  const endpoints = endpointsOf(ledger)
  const tests = testsOf(ledger)
  const foundFaults = faultsOf(ledger, endpoints)
  const calls = exchanges.reduce((sum, { steps = [] }) => sum + steps.length + 1, 0)
  const report = {
    schemaVersion,
    toolName: safeText(start.product.name),
    toolVersion: safeText(start.product.version),
    creationTime: new Date(began + ms).toISOString(),
    executionTimeInSeconds: Math.round(ms / 1000),
    faults: { totalNumber: distinct(foundFaults), foundFaults },
    problemDetails: {
      rest: {
        outputHttpCalls: calls,
        evaluatedHttpCalls: Math.max(calls, end?.requests ?? 0),
        endpointIds: [...new Set(endpoints.values())],
        coveredHttpStatus: coveredStatuses(ledger, endpoints),
      },
    },
    totalTests: tests.size,
    testFilePaths: [filePath],
    testCases: cases(tests, filePath),
    warnings: warningsOf(ledger),
  }
  yield* jsonParts(report, 2, false, listDepth)
  yield '\n'
}

function* cases(tests: ReadonlyMap<string, string>, filePath: string) {
  for (const [id, name] of tests) yield { id, filePath, name }
}

/** The operations by their ids, as the format names them. */
type Endpoints = ReadonlyMap<string, string>

const endpointsOf = ({ start }: Ledger): Endpoints =>
  new Map(start.operations.map(({ id, method, path }) => [id, safeText(`${method.toUpperCase()}:${path}`)]))

/** The names of the test cases: the requirement that it tests, and what went wrong. A finding's own case is one, even if the sample lacks it. */
const testsOf = ({ start, exchanges, findings }: Ledger): ReadonlyMap<string, string> => {
  const obligations = recordedObligations(start)
  const requirement = (id: string): string => obligations.get(id)?.requirement ?? id
  const nameOf = ({ title, obligation }: Finding): string =>
    `${safeText(obligation)}: ${safeText(title)} (${safeText(requirement(obligation))})`
  const tests = new Map(exchanges.map(({ id, obligation }) => [safeText(id), safeText(obligation)]))
  for (const [id, shown] of Map.groupBy(findings, finding => safeText(finding.id)))
    tests.set(id, shown.map(nameOf).join('; '))
  return tests
}

type FoundFault = {
  readonly operationId: string
  readonly testCaseId: string
  readonly faultCategories: readonly (FaultCategory & { readonly context: string })[]
}

const faultsOf = (ledger: Ledger, endpoints: Endpoints): readonly FoundFault[] =>
  ledger.findings.flatMap(finding => {
    const found = categoriesOf(ledger, finding)
    return [...Map.groupBy(found, ({ operation }) => operation)].flatMap(([operation, members]) => {
      const operationId = endpoints.get(operation)
      if (operationId === undefined) return []
      const faultCategories = members.map(({ category, about }) => ({
        ...category,
        context: `${operationId} -> ${safeText(about)}`,
      }))
      return [{ operationId, testCaseId: safeText(finding.id), faultCategories }]
    })
  })

/** A category of a finding, at the operation that has the fault; `about`: what makes it another fault of this category. */
type Found = { readonly operation: string; readonly category: FaultCategory; readonly about: string }

/** Each category once, although several obligations of a finding may have it: they fail for one cause. */
const categoriesOf = ({ start }: Ledger, finding: Finding): readonly Found[] => {
  const obligations = recordedObligations(start)
  const methods = new Map(start.operations.map(({ id, method }) => [id, method.toUpperCase()]))
  const own = obligations.get(finding.obligation)?.operation ?? ''
  const step = finding.step === undefined ? undefined : finding.steps?.[finding.step]
  const shown: Shown = step ?? finding
  const answer = categoryOfAnswer(shown)
  const failed = [finding.obligation, ...finding.also].flatMap(id => {
    const obligation = obligations.get(id)
    if (obligation === undefined) return []
    const category = categoryOf(obligation, finding, shown, methods.get(obligation.operation) ?? '')
    return category === null ? [] : [{ operation: obligation.operation, category, about: finding.obligation }]
  })
  const found = [
    // Any request that an operation answers like this shows the same fault.
    ...(answer === null
      ? []
      : [{ operation: step?.operation ?? own, category: answer, about: answerText(shown.outcome) }]),
    ...failed,
  ]
  return [...new Map(found.toReversed().map(each => [each.category.code, each])).values()].toReversed()
}

const answerText = (outcome: RecordedOutcome): string =>
  outcome.kind === 'response' ? `status ${outcome.status}` : outcome.failure

const distinct = (faults: readonly FoundFault[]): number =>
  new Set(
    faults.flatMap(({ faultCategories }) => faultCategories.map(({ code, context }) => `${code} ${context}`)),
  ).size

/** What each test case got from each operation that it called as declared; nothing of a call without an answer. */
function* coveredStatuses({ start, exchanges }: Ledger, endpoints: Endpoints) {
  const obligations = recordedObligations(start)
  const methods = new Map(start.operations.map(({ id, method }) => [id, method]))
  for (const { id, obligation, request, outcome, steps = [] } of exchanges) {
    const { operation = '', question } = obligations.get(obligation) ?? {}
    const calls = [...steps, ...(question === 'other-path' ? [] : [{ operation, request, outcome }])]
    const asDeclared = calls.filter(
      call => call.request.raw === undefined && call.request.method === methods.get(call.operation),
    )
    for (const [called, answers] of Map.groupBy(asDeclared, call => call.operation)) {
      const statuses = answers.flatMap(({ outcome: { status } }) => (status === null ? [] : [status]))
      yield {
        endpointId: endpoints.get(called) ?? '',
        testCaseId: safeText(id),
        httpStatus: [...new Set(statuses.filter(status => status <= 599))],
      }
    }
  }
}

/** What limits the run as a whole. The format has no verdict, so a run that is no success says so here. */
const warningsOf = (ledger: Ledger) => {
  const problem = runProblemOf(ledger, summarise(ledger))
  const notes = ledger.notes.filter(({ level }) => level === 'warning')
  return [
    ...(problem === null ? [] : [[problem.title, ...problem.lines].join('; ')]),
    ...notes.map(({ message }) => safeText(message)),
  ].map(message => ({ category: 'run', message }))
}
