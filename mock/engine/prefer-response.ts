import {
  authorizationSchemes,
  type DeclaredResponse,
  errorCodes,
  type GivenCredentials,
  type Json,
  judgeChallenge,
  type Operation,
  type RequestViolation,
  responseFor,
  type SchemaPlace,
  type Scheme,
  type UnauthenticatedPolicy,
} from '../../spec/index.ts'
import { mediaOf } from '../media/negotiate.ts'
import { appliedPreferences, type ResponsePreferences } from '../preferences/prefer.ts'
import type { Examples } from '../values/examples.ts'
import { buildResponse } from './build-response.ts'
import { exampleNames, type MockResponse, withHeader } from './compiled-response.ts'
import type { Context } from './context.ts'
import { compiledOperation, type Engine, fitOf, preferablyAcceptable, withVary } from './engine.ts'
import { errorBody } from './error-body.ts'
import { reject } from './reject.ts'
import { askedOf, type Fit, type JudgedRequest } from './request.ts'

/** The response to a valid request whose client prefers a certain one. What is not declared is rejected with the reason. */
export const preferredResponse = async (
  engine: Engine,
  context: Context,
  judged: JudgedRequest,
  preferences: ResponsePreferences,
  sent: (fit: Fit | null) => (root: SchemaPlace) => Json | undefined,
): Promise<MockResponse> => {
  const { operation } = judged
  const { code, problems } = preferences
  const compiled = compiledOperation(engine, operation)
  const all = code === null ? compiled.success : responseFor(operation, code)
  const declared =
    all === null ? null : preferablyAcceptable(engine, all, context.request, preferences.example)
  const wrong = problems.length > 0 ? problems : undeclared(operation, declared, engine.examples, preferences)
  if (all === null || declared === null || wrong.length > 0) {
    const reason = { code: errorCodes.preferenceWrong, messages: wrong }
    return reject(engine, operation, 'parameter', reason, context)
  }
  const status = code ?? 200
  const media = mediaOf(declared)
  const example =
    media === null || (preferences.dynamic && preferences.example === null)
      ? undefined
      : engine.examples.named(media.pointer, media.type, preferences.example)
  // An example that breaks its schema is not given, so it is not applied either.
  const applied = appliedPreferences(example === undefined ? { ...preferences, example: null } : preferences)
  const reason = {
    code: errorCodes.preferred,
    messages: [`the client asked for this response: Prefer: ${applied}`],
  }
  const failure = errorBody(reason, status, context.request.target)
  // The document's example of a failure says more than that the client asked for it.
  const fit = status < 300 ? fitOf(engine, compiled, all) : null
  const known = status < 400 ? sent(fit) : example === undefined ? failure : () => undefined
  const { request } = context
  const fittedTo = fit === null ? null : { fit, asked: askedOf(judged) }
  const spec = { declared, status, known, request, preferences, fittedTo }
  const response = await withVary(engine, all, buildResponse(engine, operation, spec))
  const whole = withChallenge(response, operation, null, engine.contract.title)
  return applied === '' ? whole : withHeader(whole, 'Preference-Applied', applied)
}

const undeclared = (
  operation: Operation,
  declared: DeclaredResponse | null,
  examples: Examples,
  { code, example }: ResponsePreferences,
): readonly string[] => {
  if (declared === null) {
    const statuses = operation.responses.map(({ status }) => status)
    return [`the preferred code ${code ?? 200} is not declared here; declared: ${listed(statuses)}`]
  }
  const names = exampleNames(examples, declared)
  if (example === null || names.includes(example)) return []
  return [
    `the preferred example ${JSON.stringify(example)} is not declared for ${declared.status}; declared: ${listed(names)}`,
  ]
}

const listed = (names: readonly string[]): string => names.join(', ') || 'none'

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
