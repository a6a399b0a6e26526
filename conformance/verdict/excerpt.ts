import type { Contract, Finding, Obligation } from '../../spec/index.ts'

/** The findings with those lines of the contract that their obligations come from. */
export const withExcerpts = (
  findings: readonly Finding[],
  contract: Contract,
  obligations: readonly Obligation[],
): readonly Finding[] => {
  const told = new Set(findings.map(({ obligation }) => obligation))
  const pointers = new Map(
    obligations.filter(({ id }) => told.has(id)).map(({ id, clause }) => [id, clause.pointer]),
  )
  return findings.map(finding => {
    const pointer = pointers.get(finding.obligation)
    return pointer === undefined ? finding : { ...finding, excerpt: contract.excerpt(pointer) }
  })
}
