import {
  type Breach,
  codes,
  type Given,
  judgeChallenge,
  type Operation,
  type Scheme,
  type Unauthenticated,
} from '../spec/index.ts'
import { type Composed, withHeader } from './compose.ts'

/** Whether wrong credentials get a 401 that nothing declares: `either` gives malformed ones the declared failure. */
export const isBy401 = ({ code }: Breach, policy: Unauthenticated): boolean =>
  policy === '401' || (policy === 'either' && code !== codes.credentialsMalformed)

/** What credentials a request had, by what is wrong with them. */
export const givenBy = (breach: Breach | null): Given =>
  breach?.code === codes.credentialsUnknown
    ? 'token'
    : breach?.code === codes.credentialsMissing
      ? 'none'
      : 'other'

/** The answer with a challenge where it is a 401 (RFC 9110 15.5.2); one that the document makes up is kept where it is right. */
export const withChallenge = (
  answer: Composed,
  operation: Operation,
  breach: Breach | null,
  realm: string,
): Composed => {
  if (answer.status !== 401 || operation.security.length === 0) return answer
  const given = givenBy(breach)
  if (judgeChallenge(operation, answer, given).length === 0) return answer
  const error =
    given === 'none' || breach === null
      ? ''
      : `, error="invalid_token", error_description="${textOf(breach.message)}"`
  const challenges = new Set(
    operation.security.flat().map(scheme => challengeOf(scheme, textOf(realm), error)),
  )
  return withHeader(answer, 'WWW-Authenticate', [...challenges].join(', '))
}

const challengeOf = (scheme: Scheme, realm: string, error: string): string => {
  switch (scheme.kind) {
    case 'bearer':
      return `Bearer realm="${realm}"${error}`
    case 'basic':
      return `Basic realm="${realm}", charset="UTF-8"`
    // No scheme is registered for keys; a challenge is due all the same.
    case 'apiKey':
      return `ApiKey realm="${realm}"`
    case 'other':
      return `${scheme.type.startsWith('http ') ? scheme.type.slice(5) : 'Other'} realm="${realm}"`
  }
}

// What stands in quotation marks there is ASCII without these two (RFC 6750 3).
const textOf = (text: string): string => text.replace(/[^\x20-\x7e]|["\\]/g, '')
