import { type Contract, identityOf, type Operation, operationContext } from '../../spec/index.ts'

/** The property of the body that tells one created resource from another; undefined: there is none. */
export const identityNameOf = ({
  contract,
  operation,
}: {
  readonly contract: Contract
  readonly operation: Operation
}): string | undefined => {
  const { root } = operationContext(contract, operation).body ?? {}
  return root === undefined ? undefined : identityOf(operation, root)?.name
}
