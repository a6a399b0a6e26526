import type { Operation, Scheme } from '../contract/contract.ts'
import { httpScheme } from '../contract/security.ts'
import { keyIn } from '../credentials/with-credential-form.ts'
import { authorizationSchemes } from '../http/authorization-schemes.ts'
import { isWellFormedToken } from '../http/credential-placeholders.ts'
import { type Headers, headerValues } from '../http/exchange.ts'
import type { ParameterSource } from '../serialization/parse-parameter.ts'
import { errorCodes, type RequestViolation, requestViolation } from './request-violation.ts'

/** The tokens that a server accepts; null: every well-formed one. */
export type Tokens = readonly string[] | null

/** What tells right tokens from others: a list, or what knows more of them; null: every well-formed one is right. */
export type RightTokens = { readonly includes: (token: string) => boolean } | null

/** What is wrong with the credentials of a request; null if they fit one alternative of the operation's security. */
export const judgeCredentials = (
  operation: Operation,
  headers: Headers,
  source: ParameterSource,
  tokens: RightTokens,
): RequestViolation | null => {
  let first: RequestViolation | null = null
  for (const alternative of operation.security) {
    let violation: RequestViolation | null = null
    for (const scheme of alternative)
      if (!isPlainlyRight(scheme, headers, tokens))
        violation ??= judgeScheme(operation, scheme, headers, source, tokens)
    if (violation === null) return null
    first ??= violation
  }
  return first
}

/** The fast path, for nearly all requests: one header of the usual form, with a token that is right. */
const isPlainlyRight = ({ kind }: Scheme, headers: Headers, tokens: RightTokens): boolean => {
  if (kind !== 'bearer') return false
  const values = headerValues(headers, 'authorization')
  const [only = ''] = values
  if (values.length !== 1 || !only.startsWith('Bearer ')) return false
  const token = only.slice('Bearer '.length)
  return isWellFormedToken(token) && isRight(token, tokens)
}

const judgeScheme = (
  operation: Operation,
  scheme: Scheme,
  headers: Headers,
  source: ParameterSource,
  tokens: RightTokens,
): RequestViolation | null => {
  const violation = (name: string, code: number, message: string): RequestViolation =>
    requestViolation(
      operation.id,
      { kind: 'credentials', name },
      { part: 'credentials', code, message, at: null },
    )
  if (scheme.kind === 'other') {
    // What nothing here can compute, such as a digest, at least has the name of its scheme.
    const name = httpScheme(scheme)
    if (name === null) return null
    const given = headerValues(headers, 'authorization').join(', ').trim()
    if (given === '') return violation('absent', errorCodes.credentialsMissing, 'credentials are missing')
    return given.split(/\s/)[0]?.toLowerCase() === name
      ? null
      : violation(
          'wrong-scheme',
          errorCodes.credentialsMalformed,
          `credentials must be of the scheme ${name}, not ${(given.split(/\s/)[0] ?? '').slice(0, 40)}`,
        )
  }
  if (scheme.kind === 'apiKey') {
    const key = apiKey(scheme, source)
    if (key === null) return violation('absent', errorCodes.credentialsMissing, 'credentials are missing')
    if (key === '') return violation('empty', errorCodes.credentialsMalformed, 'credentials are empty')
    return isRight(key, tokens)
      ? null
      : violation('wrong-token', errorCodes.credentialsUnknown, 'credentials are not accepted')
  }
  const values = headerValues(headers, 'authorization')
  if (values.length === 0)
    return violation('absent', errorCodes.credentialsMissing, 'credentials are missing')
  const value = values.join(', ').trim()
  if (value === '') return violation('empty', errorCodes.credentialsMissing, 'credentials are empty')
  const [name = '', ...rest] = value.split(/ +/)
  const { name: expected, isToken } = authorizationSchemes[scheme.kind]
  if (name.toLowerCase() !== expected.toLowerCase())
    return rest.length === 0 && isToken
      ? violation(
          'bare-token',
          errorCodes.credentialsMalformed,
          `credentials must be given as ${expected} credentials`,
        )
      : violation(
          'wrong-scheme',
          errorCodes.credentialsMalformed,
          `credentials must be of the scheme ${expected}, not ${name.slice(0, 40)}`,
        )
  const credentials = rest.join(' ')
  if (credentials === '')
    return violation('scheme-alone', errorCodes.credentialsMalformed, `there is nothing after ${expected}`)
  if (scheme.kind === 'basic') {
    const decoded = decode64(credentials)
    if (decoded === null)
      return violation('malformed', errorCodes.credentialsMalformed, 'the credentials are not base64')
    if (isRight(decoded, tokens)) return null
    return decoded.includes(':')
      ? violation('wrong-token', errorCodes.credentialsUnknown, 'credentials are not accepted')
      : violation('no-colon', errorCodes.credentialsMalformed, 'there is no colon between user and password')
  }
  if (rest.length > 1)
    return violation('two-tokens', errorCodes.credentialsMalformed, 'there is more than one token')
  if (!isWellFormedToken(credentials))
    return violation(
      'malformed',
      errorCodes.credentialsMalformed,
      'the token has characters that no bearer token has',
    )
  return isRight(credentials, tokens)
    ? null
    : violation('wrong-token', errorCodes.credentialsUnknown, 'the token is not accepted')
}

const isRight = (token: string, tokens: RightTokens): boolean => tokens === null || tokens.includes(token)

const apiKey = (scheme: Extract<Scheme, { kind: 'apiKey' }>, source: ParameterSource): string | null => {
  if (scheme.in === 'header') return keyIn(scheme, source.header(scheme.key))
  const found = (scheme.in === 'query' ? source.query : source.cookie).find(([name]) => name === scheme.key)
  return found === undefined ? null : percentDecoded(found[1])
}

// A client may send anything, also invalid percent-encoding.
const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The UTF-8 text behind canonical base64; null if the text is not that. */
const decode64 = (text: string): string | null => {
  try {
    const bytes = atob(text)
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const decoded = decoder.decode(Uint8Array.from(bytes, each => each.charCodeAt(0)))
    return btoa(bytes) === text ? decoded : null
  } catch {
    return null
  }
}
