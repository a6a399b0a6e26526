import type { Contract, Operation } from '../../contract/contract.ts'
import {
  bodyKinds,
  headKinds,
  type MalformedHttpCheck,
  type MalformedHttpKind,
  ordinaryBodyKinds,
  ordinaryHeadKinds,
} from '../inputs/malformed-http/index.ts'
import type { ObligationSpec } from '../obligation.ts'
import { type OperationContext, operationContext } from '../operation-context.ts'

/** The operation to test HTTP itself with: one is enough, and one with a request body shows more. */
export const protocolOperation = (contract: Contract): Operation | undefined =>
  contract.operations.find(
    operation => operation.servers === null && operationContext(contract, operation).body !== null,
  ) ?? contract.operations.find(({ servers }) => servers === null)

const afterMalformed = 'a valid request after malformed ones'

/** What HTTP requires of any server, whatever its contract. These are tested on request only (--malformed-http). */
export const protocolObligations = ({ operation, body }: OperationContext): readonly ObligationSpec[] => [
  ...[...headKinds, ...(body === null ? [] : bodyKinds)]
    // If the body is optional, a request without one is valid.
    .filter(({ name }) => name !== 'no-length' || operation.body?.required === true)
    .filter(({ name }) => name !== 'two-authorizations' || operation.security.length > 0)
    .map(kind => obligationSpec(operation, kind, 'protocol')),
  {
    family: 'protocol',
    level: 'MUST',
    input: afterMalformed,
    requirement: `${afterMalformed} is accepted on a new connection`,
    pointer: operation.pointer,
    rfc: 'RFC 9110 3.3',
    subject: { kind: 'protocol', name: 'recovery', isOrdinary: false },
  },
]

/** What clients may do as well: these are tested in any run, with every operation. */
export const ordinaryProtocolObligations = ({
  operation,
  body,
}: OperationContext): readonly ObligationSpec[] =>
  [...ordinaryHeadKinds, ...(body === null ? [] : ordinaryBodyKinds)].map(kind =>
    obligationSpec(operation, kind, 'accept'),
  )

const obligationSpec = (
  { pointer }: Operation,
  { name, level, check, input, rfc }: MalformedHttpKind,
  family: 'accept' | 'protocol',
): ObligationSpec => ({
  family,
  level,
  input,
  requirement: requirements[check](input, level === 'SHOULD' ? 'should be' : 'is'),
  pointer,
  rfc,
  subject: { kind: 'protocol', name, isOrdinary: family === 'accept' },
})

const requirements: Readonly<Record<MalformedHttpCheck, (input: string, is: string) => string>> = {
  rejected: (input, is) => `${input} ${is} rejected`,
  accepted: (input, is) => `${input} ${is} accepted`,
  survived: input => `${input} does not cause a 5xx`,
  continued: input => `the server sends 100 Continue or a final response before the body of ${input}`,
  'in-order': input => `${input} get their responses in order`,
  alone: (input, is) => `${input} ${is} rejected, or its response closes the connection`,
  closed: input => `the response to ${input} closes the connection`,
  plain: input => `the response to ${input} has neither chunks nor interim responses before it`,
  observed: input => `${input} may be accepted or rejected`,
}
