import {
  type Finding,
  isBelow,
  type Ledger,
  type ObligationPath,
  pathOf,
  plural,
  type RecordedOutcome,
} from '../../spec/index.ts'
import { recordedObligations } from './recorded-obligations.ts'

/** Findings that go back to the same cause, as far as their evidence shows: the same failure at many places. */
export type Cause = {
  /** What went wrong, without what is particular to one of the findings. */
  readonly title: string
  /** At least one. Reports show the first one whole. */
  readonly findings: readonly [Finding, ...Finding[]]
  /** Ids of the operations, in the order of their first findings. */
  readonly operations: readonly string[]
}

/**
 * Groups findings by the cause that the run found (`Finding.cause`) and by `kindOf`. Verdicts do not depend on it. In the order of the first
 * findings. Ledgers of earlier versions name no causes: there the requirement (apart from its operation), what went wrong, what was
 * expected and the outcome have to agree.
 */
export const causesOf = (
  findings: readonly Finding[],
  { start }: Pick<Ledger, 'start'>,
  kindOf: (finding: Finding) => string = () => '',
): readonly Cause[] => {
  const operationOf = operationsOf(start)
  const known = recordedObligations(start)
  const pathIn = ({ obligation }: Finding): ObligationPath => known.get(obligation)?.names ?? [obligation]
  const groups = Map.groupBy(
    findings,
    finding => `${kindOf(finding)} ${finding.cause?.key ?? keyOf(finding, pathIn(finding))}`,
  )
  return [...groups.values()].map(members => {
    const [first, ...others] = members as [Finding, ...Finding[]]
    return {
      title: titleOf(first, others, pathIn(first)),
      findings: [first, ...others],
      operations: [...new Set(members.map(operationOf))],
    }
  })
}

/** `answered 500 to malformed JSON, in 60 operations (1,080 findings)` */
export const causeTitle = (title: string, { findings, operations }: Cause): string => {
  const many = operations.length > 1 ? `, in ${plural(operations.length, 'operation')}` : ''
  return findings.length > operations.length
    ? `${title}${many} (${plural(findings.length, 'finding')})`
    : `${title}${many}`
}

/** The other findings of a cause, by operation; those of the operation of the first one come first. */
export const othersByOperation = (
  { findings: [, ...others], operations }: Cause,
  { start }: Pick<Ledger, 'start'>,
): readonly (readonly [operation: string, findings: readonly Finding[]])[] => {
  const groups = Map.groupBy(others, operationsOf(start))
  return operations.flatMap(operation => {
    const members = groups.get(operation)
    return members === undefined ? [] : [[operation, members] as const]
  })
}

const operationsOf = (start: Ledger['start']): ((finding: Finding) => string) => {
  const known = recordedObligations(start)
  return ({ obligation }) => known.get(obligation)?.operation ?? ''
}

const keyOf = (finding: Finding, path: ObligationPath): string => {
  const { level, repeat, expectation, expected, title, outcome } = finding
  const what = isUnhandled(finding, path) ? ['malformed JSON'] : [path, shapeOf(title)]
  return JSON.stringify([level, repeat, expectation, expected, outcomeOf(outcome), ...what])
}

const malformedJson = pathOf({ kind: 'malformed', format: 'json', name: null })

/** A parser without error handling fails alike on every kind of malformed JSON. */
const isUnhandled = ({ expectation, outcome }: Finding, path: ObligationPath): boolean =>
  expectation === 'reject' &&
  outcome.kind === 'response' &&
  outcome.status >= 500 &&
  isBelow(path, malformedJson)

/** A title without values, which differ by chance. */
const shapeOf = (title: string): string =>
  title
    .replace(/"(?:[^"\\]|\\.)*("?)/g, (text, end) => (end === '' ? text : '"…"'))
    .replace(/-?\d[\d.,]*(?:e[+-]?\d+)?/gi, '#')

const outcomeOf = (outcome: RecordedOutcome): string => {
  if (outcome.kind === 'failure') return outcome.failure
  const type = outcome.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  return `${outcome.status} ${type.replace(/;.*/s, '').trim().toLowerCase()}`
}

/** What is true of all of them: the title of the first one, if the others say the same but for values. */
const titleOf = (first: Finding, others: readonly Finding[], path: ObligationPath): string => {
  if (others.every(({ title }) => shapeOf(title) === shapeOf(first.title))) return first.title
  if (first.cause !== undefined) return first.cause.title
  return isUnhandled(first, path) && first.outcome.kind === 'response'
    ? `answered ${first.outcome.status} to malformed JSON`
    : first.title
}
