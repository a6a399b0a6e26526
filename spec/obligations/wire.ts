import type { Contract, Operation } from '../contract.ts'
import { bodyKinds, headKinds } from '../wire/index.ts'
import { type Context, contextOf, type Draft } from './context.ts'

/** The operation that HTTP itself is tested with: one is enough, and one that takes a body shows more. */
export const wireOperation = (contract: Contract): Operation | undefined =>
  contract.operations.find(operation => contextOf(contract, operation).body !== null) ??
  contract.operations[0]

/** What HTTP asks of the server whatever its contract: only for those who ask for it. */
export const wireObligations = ({ operation, body }: Context): readonly Draft[] => [
  ...[...headKinds, ...(body === null ? [] : bodyKinds)]
    // Where a body may be missing, a request without one is valid.
    .filter(({ name }) => name !== 'no-length' || operation.body?.required === true)
    .map(
      ({ name, level, promise, rfc }): Draft => ({
        path: `wire/${name}`,
        family: 'wire',
        level,
        promise,
        pointer: operation.pointer,
        rfc,
        subject: { kind: 'wire', name },
      }),
    ),
  {
    path: 'wire/recovery',
    family: 'wire',
    level: 'MUST',
    promise: 'after each of these requests a valid one on a new connection is answered as before',
    pointer: operation.pointer,
    rfc: 'RFC 9110 3.3',
    subject: { kind: 'wire', name: 'recovery' },
  },
]
