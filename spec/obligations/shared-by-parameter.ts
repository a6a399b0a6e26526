import type { Contract, Parameter } from '../contract/contract.ts'
import type { Pointer } from '../json/pointer.ts'
import type { ObligationSpec } from './obligation.ts'
import type { OperationContext } from './operation-context.ts'

/** Nothing of the operation is at hand, as others share what is derived. */
type Derive = (context: Pick<OperationContext, 'contract'>, parameter: Parameter) => readonly ObligationSpec[]

/**
 * Derives once what follows from a parameter alone: the operations of a large contract share most of theirs. What an operation has to
 * itself is not kept, so that its obligations can be listed one operation after the other.
 */
export const sharedByParameter = (derive: Derive): Derive => {
  const known = new WeakMap<Contract, Map<Pointer, readonly ObligationSpec[]>>()
  return (context, parameter) => {
    if (parameter.pointer.startsWith('/paths/')) return derive(context, parameter)
    const ofContract = known.get(context.contract) ?? new Map<Pointer, readonly ObligationSpec[]>()
    known.set(context.contract, ofContract)
    const specs = ofContract.get(parameter.pointer) ?? derive(context, parameter)
    ofContract.set(parameter.pointer, specs)
    return specs
  }
}
