import {
  type Contract,
  type Obligation,
  type Operation,
  obligationsOf,
  type Unauthenticated,
} from '../../spec/index.ts'
import type { Home } from '../scenario/scenarios.ts'
import { createMask, type Mask } from './secrets.ts'

/** An operation in its home: its document, the prefix of that, and what answers by it. */
export type Lodger = Home & {
  readonly operation: Operation
  readonly obligations: () => readonly Obligation[]
}

/** All that is served at one time. `lodgers`: by the id of the operation. */
export type View = {
  readonly first: Contract
  readonly mask: Mask
  readonly lodgers: ReadonlyMap<string, Lodger>
}

export const viewOf = (homes: readonly Home[], policy: Unauthenticated): View => {
  const lodgers = homes.flatMap(home => home.contract.operations.map(own => lodgerOf(home, own, policy)))
  return {
    first: (homes[0] as Home).contract,
    mask: createMask(lodgers.map(({ operation }) => operation)),
    lodgers: new Map(lodgers.map(lodger => [lodger.operation.id, lodger])),
  }
}

// The obligations of one operation at a time: a contract may have a thousand.
const lodgerOf = (home: Home, operation: Operation, policy: Unauthenticated): Lodger => {
  let known: readonly Obligation[] | null = null
  return {
    ...home,
    operation,
    obligations: () => {
      known ??= obligationsOf({ ...home.contract, operations: [operation] }, policy)
      return known
    },
  }
}
