import { type Contract, contextOf, identityOf, type Operation } from '../spec/index.ts'

/** The property of the body that tells one created thing from another, where there is one. */
export const identityNameOf = ({
  contract,
  operation,
}: {
  readonly contract: Contract
  readonly operation: Operation
}): string | undefined => {
  const { root } = contextOf(contract, operation).body ?? {}
  return root === undefined ? undefined : identityOf(operation, root)?.name
}
