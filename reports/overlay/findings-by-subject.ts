import {
  type Contract,
  deriveObligations,
  type Finding,
  type Ledger,
  type Obligation,
} from '../../spec/index.ts'

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
