import { clauseOf } from '../judge-answer.ts'
import { challengeRules, mayChallenge } from '../judge-challenge.ts'
import { step } from '../pointer.ts'
import type { Unauthenticated } from '../refusal.ts'
import type { Context, Draft } from './context.ts'

/** What HTTP asks of a 401, where it may answer the operation: its challenge, and its length where nothing else is declared. */
export const challengeObligations = ({ operation }: Context, policy: Unauthenticated): readonly Draft[] => {
  if (!mayChallenge(operation, policy)) return []
  const clause = clauseOf(operation, 401)
  const pointer =
    clause?.pointer ?? operation.security[0]?.[0]?.pointer ?? step(operation.pointer, 'responses')
  const rules = challengeRules(operation).map(
    ({ name, level, rfc, promise, asked }): Draft => ({
      path: `response/401/challenge/${name}`,
      family: 'answer',
      level,
      promise,
      pointer,
      rfc,
      subject: { kind: 'answer', aspect: 'challenge', status: '401', rule: name, asked },
    }),
  )
  return clause === null ? [...rules, lengthDraft(pointer, '401')] : rules
}

/** The one thing that the body of any answer is held to. */
export const lengthDraft = (pointer: string, status: string): Draft => ({
  path: `response/${status}/length`,
  family: 'answer',
  level: 'MUST',
  promise: `the body of a ${status} is as long as announced`,
  pointer,
  rfc: 'RFC 9112 6.3',
  subject: { kind: 'answer', aspect: 'length', status },
})
