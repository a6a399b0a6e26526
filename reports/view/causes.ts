import {
  type Finding,
  isBelow,
  type Ledger,
  type ObligationPath,
  pathOf,
  plural,
  type RecordedObligation,
  type RecordedOutcome,
} from '../../spec/index.ts'

/** The obligations of a run by their ids. Every report asks for some of them, so they are put in order once. */
export const recordedObligations = ({
  obligations,
}: Ledger['start']): ReadonlyMap<string, RecordedObligation> => {
  const made = known.get(obligations) ?? new Map(obligations.map(each => [each.id, each]))
  known.set(obligations, made)
  return made
}

const known = new WeakMap<readonly RecordedObligation[], ReadonlyMap<string, RecordedObligation>>()

/** Findings that go back to the same cause, as far as their evidence shows: the same failure at many places. */
export type Cause = {
  /** What went wrong, without what is particular to one of the findings. */
  readonly title: string
  /** At least one. Reports show the first one whole. */
  readonly findings: readonly [Finding, ...Finding[]]
  /** Ids of the operations, in the order of their first findings. */
  readonly operations: readonly string[]
  /** Whether it joins several causes (see `joiningOf`). */
  readonly isJoined?: boolean
  /** Whether its heading names its one operation, as others have the same title. */
  readonly isNamed?: boolean
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

/** A reader takes in so many causes. */
const mostCauses = 25

/**
 * How to join the causes of a list that have a wider cause in common, as long as there are too many in all lists together: the fewest that suffice, or
 * else the most frequent.
 */
export const joiningOf = (
  lists: readonly (readonly Cause[])[],
): ((causes: readonly Cause[]) => readonly Cause[]) => {
  // What counts is not joined with what does not, so each list keeps one of them.
  const gains = new Map<string, number>()
  for (const causes of lists)
    for (const [wider, members] of Map.groupBy(causes, widerOf))
      if (wider !== undefined) gains.set(wider, (gains.get(wider) ?? 0) + members.length - 1)
  const left = [...gains].sort(([, one], [, other]) => one - other)
  const joined = new Set<string>()
  for (let excess = lists.flat().length - mostCauses; excess > 0 && left.length > 0; ) {
    // If none is enough, -1 is the most frequent.
    const enough = left.findIndex(([, gain]) => gain >= excess)
    const [[wider, gain] = ['', 0]] = left.splice(enough, 1)
    joined.add(wider)
    excess -= gain
  }
  const groupOf = (cause: Cause): string | Cause => {
    const wider = widerOf(cause)
    return wider !== undefined && joined.has(wider) ? wider : cause
  }
  return causes =>
    [...Map.groupBy(causes, groupOf)].map(([group, members]) =>
      typeof group === 'string' ? joinedCause(group, members) : group,
    )
}

const widerOf = ({ findings: [{ cause }] }: Cause): string | undefined => cause?.wider

const joinedCause = (title: string, members: readonly Cause[]): Cause => {
  const [first, ...others] = members as [Cause, ...Cause[]]
  if (others.length === 0) return first
  return {
    title,
    findings: [...first.findings, ...others.flatMap(({ findings }) => findings)],
    operations: [...new Set(members.flatMap(({ operations }) => operations))],
    isJoined: true,
  }
}

/** The same causes; those of one operation that share a title with causes of others have the operation in their headings. */
export const tellingApart = (
  lists: readonly (readonly Cause[])[],
): ((causes: readonly Cause[]) => readonly Cause[]) => {
  const alike = Map.groupBy(lists.flat(), ({ title }) => title)
  const areOfSeveral = (title: string): boolean =>
    new Set(alike.get(title)?.flatMap(({ operations }) => operations)).size > 1
  return causes =>
    causes.map(cause => {
      const { title, operations } = cause
      const [operation, ...others] = operations
      const isTold = operation === undefined || others.length > 0 || !areOfSeveral(title)
      return isTold ? cause : { ...cause, isNamed: true }
    })
}

/** `answered 500 to malformed JSON, in 60 operations (1,080 findings)` */
export const causeTitle = (title: string, { findings, operations, isNamed }: Cause): string => {
  const many = operations.length > 1 ? `, in ${plural(operations.length, 'operation')}` : ''
  const where = isNamed === true ? `, in ${operations[0]}` : many
  return findings.length > operations.length
    ? `${title}${where} (${plural(findings.length, 'finding')})`
    : `${title}${where}`
}

/** Findings of a cause that are told in one line. */
export type OtherGroup = {
  readonly label: string
  readonly findings: readonly { readonly finding: Finding; readonly place: string }[]
}

/**
 * The findings of a cause but its first, each with its place: by operation, those of the first one first; if several causes were joined, by what
 * tells these apart; if there is only one operation, each by itself, without a label, with its title in place of a place.
 */
export const otherGroups = (cause: Cause, { start }: Pick<Ledger, 'start'>): readonly OtherGroup[] => {
  const [, ...others] = cause.findings
  const operationOf = operationsOf(start)
  if (cause.isJoined === true)
    return groupsBy(others, particularText, finding =>
      [operationOf(finding), placeOf(finding)].filter(Boolean).join(' '),
    )
  if (cause.operations.length === 1)
    return others.map(finding => ({ label: '', findings: [{ finding, place: finding.title }] }))
  const order = (finding: Finding): number => cause.operations.indexOf(operationOf(finding))
  return groupsBy(
    others.toSorted((left, right) => order(left) - order(right)),
    operationOf,
    placeOf,
  )
}

const groupsBy = (
  findings: readonly Finding[],
  label: (finding: Finding) => string,
  place: (finding: Finding) => string,
): readonly OtherGroup[] =>
  [...Map.groupBy(findings, label)].map(([text, members]) => ({
    label: text,
    findings: members.map(finding => ({ finding, place: place(finding) })),
  }))

const placeOf = ({ cause }: Finding): string => cause?.place ?? ''

/** What the server said, or else what went wrong. */
const particularText = ({ title, cause }: Finding): string => {
  const text = cause?.title ?? title
  const [from, to] = [text.indexOf('«'), text.lastIndexOf('»')]
  return from < 0 || to < from ? text : text.slice(from, to + 1)
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
  const { cause } = first
  // What the server said tells more than the kind of request that it said it to.
  if (cause?.title.includes('«') === true && !first.title.includes('«')) return cause.title
  if (others.every(({ title }) => shapeOf(title) === shapeOf(first.title))) return first.title
  if (cause !== undefined) return cause.title
  return isUnhandled(first, path) && first.outcome.kind === 'response'
    ? `answered ${first.outcome.status} to malformed JSON`
    : first.title
}
