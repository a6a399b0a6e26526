import type { DeclaredResponse } from '../contract/contract.ts'
import { mediaType, problemType } from '../http/exchange.ts'
import type { ObligationSpec } from './obligation.ts'

/** What RFC 9457 says of a body, whatever its schema does. */
export const problemObligation = ({ status, media }: DeclaredResponse): readonly ObligationSpec[] => {
  const problem = media.find(({ type }) => mediaType(type) === problemType)
  return problem === undefined
    ? []
    : [
        {
          family: 'response',
          level: 'MUST',
          input: null,
          requirement: `the problem details of ${status === 'default' ? 'the default' : `a ${status}`} response have its status, and texts and URIs where RFC 9457 has them`,
          pointer: problem.pointer,
          rfc: 'RFC 9457 3.1',
          subject: { kind: 'response', aspect: 'problem', status },
        },
      ]
}
