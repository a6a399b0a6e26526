import type { ObligationSpec } from '../obligation.ts'
import type { OperationContext } from '../operation-context.ts'
import { acceptRequirement } from './requirement.ts'

const afterRejection = 'a valid request right after a rejected one'

/** Of these, `connection` has no test cases of its own: every request of the run counts for it. */
const requirements = {
  pairing: { input: null, requirement: 'each of many concurrent requests gets its own response' },
  consistency: { input: null, requirement: 'the same kind of request always gets the same kind of response' },
  drift: { input: null, requirement: 'the responses stay the same over some thousand requests' },
  recovery: { input: afterRejection, requirement: acceptRequirement(afterRejection) },
  connection: { input: null, requirement: 'each connection lasts until the response is complete' },
} as const

/** What holds over time and under load. */
export const stabilityObligations = ({ operation }: OperationContext): readonly ObligationSpec[] =>
  (Object.keys(requirements) as readonly (keyof typeof requirements)[]).map(name => ({
    family: 'stability',
    level: 'MUST',
    ...requirements[name],
    pointer: operation.pointer,
    rfc: 'RFC 9110 3.3',
    subject: { kind: 'stability', name },
  }))
