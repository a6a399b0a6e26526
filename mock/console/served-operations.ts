import {
  type Contract,
  callbacksOf,
  type Obligation,
  type Operation,
  obligationsOf,
  type UnauthenticatedPolicy,
  webhooksOf,
} from '../../spec/index.ts'
import type { ServedDocument } from '../engine/context.ts'
import { createMask, type Mask } from './secrets.ts'

/** An operation with the document that declares it, the document's path prefix and its engine. */
export type ServedOperation = ServedDocument & {
  readonly operation: Operation
  /** The index of its document. */
  readonly index: number
  readonly obligations: () => readonly Obligation[]
}

/** Everything that is served at the moment. `first`: the first document. `operations`: by id. */
export type Catalog = {
  readonly first: Contract
  readonly documents: readonly ServedDocument[]
  readonly mask: Mask
  readonly operations: ReadonlyMap<string, ServedOperation>
}

export const catalogOf = (documents: readonly ServedDocument[], policy: UnauthenticatedPolicy): Catalog => {
  const operations = documents.flatMap((document, index) =>
    document.contract.operations.map(operation => servedOperationOf(document, index, operation, policy)),
  )
  return {
    first: (documents[0] as ServedDocument).contract,
    documents,
    mask: createMask([...operations.map(({ operation }) => operation), ...documents.flatMap(sentToClients)]),
    operations: new Map(operations.map(served => [served.operation.id, served])),
  }
}

/** What a server sends to URLs of its clients may have credentials of its own. */
const sentToClients = ({ contract }: ServedDocument): readonly Operation[] => [
  ...contract.operations
    .flatMap(operation => callbacksOf(contract, operation))
    .map(({ operation }) => operation),
  ...webhooksOf(contract),
]

// Obligations are derived for one operation at a time, on first use: a contract may have a thousand operations.
const servedOperationOf = (
  document: ServedDocument,
  index: number,
  operation: Operation,
  policy: UnauthenticatedPolicy,
): ServedOperation => {
  let derived: readonly Obligation[] | null = null
  return {
    ...document,
    operation,
    index,
    obligations: () => {
      derived ??= obligationsOf({ ...document.contract, operations: [operation] }, policy)
      return derived
    },
  }
}
