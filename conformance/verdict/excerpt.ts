import type { Contract, Finding, Obligation } from '../../spec/index.ts'

/** A finding with those lines of the contract that its obligation comes from. */
export const withExcerpt = (
  finding: Finding,
  contract: Contract,
  obligations: readonly Obligation[],
): Finding => {
  const obligation = obligations.find(({ id }) => id === finding.obligation)
  return obligation === undefined
    ? finding
    : { ...finding, excerpt: contract.excerpt(obligation.clause.pointer) }
}
