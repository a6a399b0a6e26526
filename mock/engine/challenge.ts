import {
  authorizationSchemes,
  errorCodes,
  type GivenCredentials,
  judgeChallenge,
  type Operation,
  type RequestViolation,
  type Scheme,
  type UnauthenticatedPolicy,
} from '../../spec/index.ts'
import { type MockResponse, withHeader } from './mock-response.ts'

/** Whether wrong credentials get a 401 that is not declared; with `either`, malformed ones get the declared failure. */
export const isBy401 = ({ code }: RequestViolation, policy: UnauthenticatedPolicy): boolean =>
  policy === '401' || (policy === 'either' && code !== errorCodes.credentialsMalformed)

/** The kind of credentials that a request has, from what is wrong with them. */
export const givenCredentials = (violation: RequestViolation | null): GivenCredentials =>
  violation?.code === errorCodes.credentialsUnknown
    ? 'token'
    : violation?.code === errorCodes.credentialsMissing
      ? 'none'
      : 'other'

/** A 401 with the challenge that it needs (RFC 9110, 15.5.2), unless the document's own example of it has a right one. */
export const withChallenge = (
  response: MockResponse,
  operation: Operation,
  violation: RequestViolation | null,
  realm: string,
): MockResponse => {
  if (response.status !== 401 || operation.security.length === 0) return response
  const given = givenCredentials(violation)
  if (judgeChallenge(operation, response, given).length === 0) return response
  const error =
    given === 'none' || violation === null
      ? ''
      : `, error="invalid_token", error_description="${quotable(violation.message)}"`
  const challenges = operation.security.flat().map(scheme => challengeOf(scheme, quotable(realm), error))
  return withHeader(response, 'WWW-Authenticate', [...new Set(challenges)].join(', '))
}

const challengeOf = (scheme: Scheme, realm: string, error: string): string => {
  switch (scheme.kind) {
    // No authentication scheme is registered for API keys, but a 401 needs a challenge.
    case 'apiKey':
      return `ApiKey realm="${realm}"`
    case 'other':
      return `${scheme.type.startsWith('http ') ? scheme.type.slice(5) : 'Other'} realm="${realm}"`
    default: {
      const { name, challenge } = authorizationSchemes[scheme.kind]
      return `${name} realm="${realm}"${challenge(error)}`
    }
  }
}

// A quoted value is ASCII without quotation marks and backslashes (RFC 6750, 3).
const quotable = (text: string): string => text.replace(/[^\x20-\x7e]|["\\]/g, '')
