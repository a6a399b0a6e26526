import {
  type Contract,
  deriveObligations,
  type Finding,
  type Ledger,
  type Obligation,
  type Pointer,
  steps,
} from '../../spec/index.ts'

/** One change of a document that would make it and the server agree. */
export type Suggestion = {
  /** The place in the bundled document that is changed. */
  readonly pointer: Pointer
  /** What is added there; absent: the place is removed, or the item of the list there that equals `item`. */
  readonly update?: unknown
  readonly item?: string
  /** What the server showed, in one sentence. */
  readonly evidence: string
  /** The findings that it would settle; empty if it settles none. */
  readonly findings: readonly string[]
}

/** An action of an OpenAPI overlay. */
export type Action = {
  readonly target: string
  readonly description: string
  readonly update?: unknown
  readonly remove?: true
}

/** Suggestions as actions. What stands in another file than the document has none, as an overlay changes the document alone. */
export const actionsOf = (
  contract: Contract,
  suggestions: readonly Suggestion[],
): { readonly actions: readonly Action[]; readonly elsewhere: number } => {
  const root = contract.place('').file
  const byChange = Map.groupBy(suggestions, ({ pointer, update, item }) => {
    const { file, pointer: at } = contract.place(pointer)
    return file === root ? JSON.stringify([at, update, item]) : null
  })
  const elsewhere = byChange.get(null)?.length ?? 0
  byChange.delete(null)
  const actions = [...byChange.values()].map((alike): Action => {
    const [first] = alike as [Suggestion, ...Suggestion[]]
    const { pointer, update, item } = first
    const target = `${pathOf(contract.place(pointer).pointer)}${item === undefined ? '' : `[?@ == ${quoted(item)}]`}`
    const findings = [...new Set(alike.flatMap(each => each.findings))]
    const evidence = [...new Set(alike.map(each => each.evidence))]
    const description = [
      ...evidence.slice(0, mostEvidence),
      ...(evidence.length > mostEvidence ? [`So it was ${evidence.length - mostEvidence} more times.`] : []),
      ...(findings.length === 0 ? [] : [`This settles ${listed(findings)}.`]),
    ].join(' ')
    return update === undefined ? { target, description, remove: true } : { target, description, update }
  })
  return { actions, elsewhere }
}

const mostEvidence = 2
const mostFindings = 8

const listed = (findings: readonly string[]): string => {
  const rest = findings.length - mostFindings
  const ids = findings.slice(0, mostFindings).join(', ')
  return `${findings.length === 1 ? 'the finding' : 'the findings'} ${ids}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** A pointer as a JSONPath (RFC 9535): `$['paths']['/plants']['post']`. */
const pathOf = (pointer: Pointer): string =>
  steps(pointer).reduce(
    (path, key, index, keys) =>
      /^\d+$/.test(key) && lists.has(keys[index - 1] ?? '') ? `${path}[${key}]` : `${path}[${quoted(key)}]`,
    '$',
  )

/** Fields of a document that are lists. */
const lists: ReadonlySet<string> = new Set([
  ...['parameters', 'servers', 'security', 'tags', 'required', 'enum', 'type'],
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items', 'examples', 'produces', 'consumes'],
])

const quoted = (text: string): string =>
  `'${[...text]
    .map(char =>
      char === "'" || char === '\\'
        ? `\\${char}`
        : char < ' '
          ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
          : char,
    )
    .join('')}'`

/** A finding with one of the requirements that failed for its cause. */
export type Found = { readonly finding: Finding; readonly obligation: Obligation }

/** The findings of a run with what the document says of them; those about HTTP or about what the server keeps have nothing in it that could change. */
export const findingsBySubject = (contract: Contract, { findings }: Ledger): readonly Found[] => {
  const ids = new Set(findings.flatMap(({ obligation, also }) => [obligation, ...also]))
  const byId = new Map(
    [...deriveObligations(contract)]
      .flat()
      .flatMap(each => (ids.has(each.id) ? [[each.id, each] as const] : [])),
  )
  return findings.flatMap(finding =>
    [finding.obligation, ...finding.also].flatMap(id => {
      const obligation = byId.get(id)
      return obligation === undefined ? [] : [{ finding, obligation }]
    }),
  )
}

/** Whether the server itself failed: no document should say so. */
export const isServerError = ({ outcome }: Finding): boolean =>
  outcome.kind === 'failure' || outcome.status >= 500

/** What was sent, for a reader: `POST /plants`. */
export const sentIn = ({ request: { method, target } }: Pick<Finding, 'request'>): string =>
  `${method} ${target.slice(0, mostLetters)}`

const mostLetters = 120
