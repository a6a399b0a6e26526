import { decodedText, type Headers, type Operation, placeholder, type Scheme } from '../../spec/index.ts'

/** Replaces the credentials in a request by placeholders (see `placeholder`). */
export type Mask = {
  readonly target: (target: string) => string
  readonly header: (name: string, value: string) => string
  /** The credentials in a request, in every spelling that may come back; up to three characters are not a secret. */
  readonly secretsOf: (target: string, headers: Headers) => readonly string[]
  /** Whether the contract declares this cookie as an API key. */
  readonly isDeclaredCookie: (name: string) => boolean
}

const token = placeholder('right')

/** What takes a secret and gives what stands in its place: `by`, or what the caller has no use for. */
type Hide = (secret: string, by: string) => string
const placeholderOf: Hide = (_secret, by) => by

/** Masks the credentials that the contract declares, and headers whose name suggests one. */
export const createMask = (operations: readonly Operation[]): Mask => {
  const schemes = operations.flatMap(({ security }) => security.flat())
  const keysIn = (location: 'query' | 'header' | 'cookie'): ReadonlySet<string> =>
    new Set(
      schemes.filter(isApiKey).flatMap(scheme => (scheme.in === location ? [scheme.key.toLowerCase()] : [])),
    )
  const [inHeader, inCookie] = [keysIn('header'), keysIn('cookie')]
  const inQuery = new Set([...keysIn('query'), 'access_token'])
  const target = (text: string, hide: Hide): string =>
    text.replace(/([?&])([^=&#]*)(?:=([^&#]+))?/g, (pair, mark: string, name: string, value?: string) =>
      value !== undefined && inQuery.has(decodedText(name).toLowerCase())
        ? `${mark}${name}=${hide(value, token)}`
        : pair,
    )
  const header = (name: string, value: string, hide: Hide): string => {
    const lower = name.toLowerCase()
    if (value === '') return value
    if (lower === 'authorization' || lower === 'proxy-authorization') return maskedCredentials(value, hide)
    if (lower === 'cookie')
      return value.replace(/=([^;]+)/g, (_, secret: string) => `=${hide(secret, token)}`)
    if (lower === 'set-cookie')
      return value.replace(/=([^;]+)/, (_, secret: string) => `=${hide(secret, token)}`)
    return inHeader.has(lower) || secretName.test(lower) ? hide(value, token) : value
  }
  return {
    target: text => target(text, placeholderOf),
    header: (name, value) => header(name, value, placeholderOf),
    secretsOf: (text, headers) => {
      const secrets: string[] = []
      const note: Hide = secret => {
        secrets.push(secret)
        return ''
      }
      target(text, note)
      for (const [name, value] of headers) header(name, value, note)
      return [...new Set(secrets.flatMap(spellings))]
        .filter(secret => secret.length > 3)
        .sort((left, right) => right.length - left.length)
    },
    isDeclaredCookie: name => inCookie.has(name.toLowerCase()),
  }
}

const secretName = /api-?_?key|token|secret|password|session/

const isApiKey = (scheme: Scheme): scheme is Extract<Scheme, { kind: 'apiKey' }> => scheme.kind === 'apiKey'

const maskedCredentials = (value: string, hide: Hide): string => {
  const [, scheme, rest] = /^(\S+\s+)(.*)$/s.exec(value) ?? []
  if (scheme === undefined || rest === undefined)
    return /^(bearer|basic)$/i.test(value) ? value : hide(value, token)
  return `${scheme}${hide(rest, /^basic\s/i.test(scheme) ? placeholder('basic') : token)}`
}

/** Responses may return a secret decoded; of Basic credentials also user and password. */
const spellings = (secret: string): readonly string[] => {
  const userAndPassword = Buffer.from(secret, 'base64').toString()
  const isBasic = /^[\x20-9;-\x7e]*:[\x20-\x7e]+$/.test(userAndPassword)
  return [secret, decodedText(secret), ...(isBasic ? [userAndPassword] : [])]
}
