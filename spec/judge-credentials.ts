import { type Breach, codes } from './breach.ts'
import type { Operation, Scheme } from './contract.ts'
import { type Headers, headerValues } from './exchange.ts'
import type { ParameterSource } from './read-parameter.ts'
import { isWellFormedToken } from './token.ts'

/** Tokens that are right; null: any well-formed one is. */
export type Tokens = readonly string[] | null

/** The credentials' breach of the contract; null where one alternative of the operation's security is kept. */
export const judgeCredentials = (
  operation: Operation,
  headers: Headers,
  source: ParameterSource,
  tokens: Tokens,
): Breach | null => {
  let first: Breach | null = null
  for (const alternative of operation.security) {
    let breach: Breach | null = null
    for (const scheme of alternative) breach ??= judgeScheme(operation, scheme, headers, source, tokens)
    if (breach === null) return null
    first ??= breach
  }
  return first
}

const judgeScheme = (
  operation: Operation,
  scheme: Scheme,
  headers: Headers,
  source: ParameterSource,
  tokens: Tokens,
): Breach | null => {
  const breach = (name: string, code: number, message: string): Breach => ({
    id: `${operation.id}/auth/${name}`,
    cause: 'credentials',
    code,
    message,
    at: null,
  })
  if (scheme.kind === 'other') return null
  if (scheme.kind === 'apiKey') {
    const key = apiKey(scheme, source)
    if (key === null) return breach('absent', codes.credentialsMissing, 'credentials are missing')
    if (key === '') return breach('empty', codes.credentialsMalformed, 'credentials are empty')
    return isRight(key, tokens)
      ? null
      : breach('wrong-token', codes.credentialsUnknown, 'credentials are not accepted')
  }
  const values = headerValues(headers, 'authorization')
  // What nearly all requests have is seen at once.
  const [only = ''] = values
  if (scheme.kind === 'bearer' && values.length === 1 && only.startsWith('Bearer ')) {
    const token = only.slice('Bearer '.length)
    if (isWellFormedToken(token) && isRight(token, tokens)) return null
  }
  if (values.length === 0) return breach('absent', codes.credentialsMissing, 'credentials are missing')
  const value = values.join(', ').trim()
  if (value === '') return breach('empty', codes.credentialsMissing, 'credentials are empty')
  const [name = '', ...rest] = value.split(/ +/)
  const wanted = scheme.kind === 'bearer' ? 'Bearer' : 'Basic'
  if (name.toLowerCase() !== wanted.toLowerCase())
    return rest.length === 0 && scheme.kind === 'bearer'
      ? breach('bare-token', codes.credentialsMalformed, `credentials must be given as ${wanted} credentials`)
      : breach(
          'wrong-scheme',
          codes.credentialsMalformed,
          `credentials must be of the scheme ${wanted}, not ${name.slice(0, 40)}`,
        )
  const credentials = rest.join(' ')
  if (credentials === '')
    return breach('scheme-alone', codes.credentialsMalformed, `there is nothing after ${wanted}`)
  if (scheme.kind === 'basic') {
    const decoded = decode64(credentials)
    if (decoded === null)
      return breach('malformed', codes.credentialsMalformed, 'the credentials are not base64')
    if (isRight(decoded, tokens)) return null
    return decoded.includes(':')
      ? breach('wrong-token', codes.credentialsUnknown, 'credentials are not accepted')
      : breach('no-colon', codes.credentialsMalformed, 'there is no colon between user and password')
  }
  if (rest.length > 1) return breach('two-tokens', codes.credentialsMalformed, 'there is more than one token')
  if (!isWellFormedToken(credentials))
    return breach(
      'malformed',
      codes.credentialsMalformed,
      'the token has characters that no bearer token has',
    )
  return isRight(credentials, tokens)
    ? null
    : breach('wrong-token', codes.credentialsUnknown, 'the token is not accepted')
}

const isRight = (token: string, tokens: Tokens): boolean => tokens === null || tokens.includes(token)

const apiKey = (scheme: Extract<Scheme, { kind: 'apiKey' }>, source: ParameterSource): string | null => {
  if (scheme.in === 'header') return source.header(scheme.key)
  const found = (scheme.in === 'query' ? source.query : source.cookie).find(([name]) => name === scheme.key)
  return found === undefined ? null : percentDecoded(found[1])
}

// A client may send anything, also what is not percent-encoding.
const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The UTF-8 text that stands in base64, written as it should be; null where it is none. */
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
