import { encodedForms } from './encoded-forms.ts'

/**
 * Placeholders for credentials. Requests are planned, recorded and reported with these; the token itself is filled in only
 * when a request is sent, so no report can leak it.
 */
export const tokenForms = [
  'right',
  'other',
  'first-changed',
  'middle-changed',
  'last-changed',
  'cut',
  'cut-front',
  'half',
  'lengthened',
  'lengthened-front',
  'doubled',
  'swapped-case',
  'upper-case',
  'lower-case',
  'reversed',
  'hex',
  'percent',
  'basic',
  'basic-user',
  'basic-other-user',
  'basic-other-password',
  'basic-changed',
  'basic-cut',
  'basic-lengthened',
  'basic-swapped-case',
  'basic-no-colon',
  'basic-no-user',
  'basic-no-password',
] as const
export type TokenForm = (typeof tokenForms)[number]

export const placeholder = (form: TokenForm): string => (form === 'right' ? '{{token}}' : `{{token:${form}}}`)

/** Stands for the value of a header that the caller added to every request. */
export const headerPlaceholder = '{{header}}'

/** What must not be recorded: a token in all the forms in which it is sent, or an exact text. */
export type Secret = string | { readonly exact: string }

/** The name of the token of another user: no scheme has one in small letters. */
export const otherUser = 'other'

/** `{{token}}`, `{{token:cut}}`, and of a secret that has a name `{{token@NAME}}`, `{{token@NAME:cut}}`. */
export const placeholders = /\{\{token(?:@([A-Z0-9_]+|other))?(?::([a-z-]+))?\}\}/g

/** A text with placeholders in parts: every second one is a placeholder. */
export const partsOf = (text: string): readonly string[] =>
  text.split(/(\{\{token(?:@(?:[A-Z0-9_]+|other))?(?::[a-z-]+)?\}\})/)

/** The token, or the secret of a name. */
export type SecretOf = (name?: string) => string

/** Replaces the placeholders by the token; of a name, by its secret. */
export const fillToken = (text: string, token: string | SecretOf): string =>
  text.includes('{{')
    ? text.replace(placeholders, (_all, name: string | undefined, form: TokenForm | undefined) =>
        formOf(form ?? 'right', typeof token === 'string' ? token : token(name)),
      )
    : text

/** The text with the token of the other user in the place of the token; secrets that have a name stay. */
export const asOtherUser = (text: string): string =>
  text.replace(/\{\{token(?=[:}])/g, `{{token@${otherUser}`)

/** The text with placeholders of this name. */
export const nameSecret = (text: string, name: string): string =>
  text.replace(
    placeholders,
    (_all, _name, form: string | undefined) => `{{token@${name}${form === undefined ? '' : `:${form}`}}}`,
  )

/**
 * Takes tokens out of a text that is about to be recorded: a server may repeat what it was sent, also in base64, in hexadecimal,
 * with percent-encoding or escaped in JSON or HTML. Tokens of three characters or less stay: they are no secret, and taking them out
 * would garble the text.
 */
export const redact = (text: string, secrets: readonly Secret[]): string => {
  const pattern = patternOf(secrets)
  return pattern === null ? text : text.replace(pattern, '{{token}}')
}

/** By the secrets. A run that renews its token has other ones from time to time, and no use for the old pattern. */
const patterns = new Map<string, RegExp | null>()
const mostPatterns = 16

/** The last one, as almost every text is asked about with the same list, to which tokens are only added. */
let last: {
  readonly secrets: readonly Secret[]
  readonly count: number
  readonly pattern: RegExp | null
} | null = null

const patternOf = (secrets: readonly Secret[]): RegExp | null => {
  if (last?.secrets !== secrets || last.count !== secrets.length)
    last = { secrets, count: secrets.length, pattern: patternFor(secrets) }
  return last.pattern
}

const patternFor = (secrets: readonly Secret[]): RegExp | null => {
  const key = JSON.stringify(secrets)
  const known = patterns.get(key)
  if (known !== undefined) return known
  const sent = secrets.flatMap(formsOfSecret).flatMap(writtenForms)
  const encoded = secrets
    .map(secret => (typeof secret === 'string' ? secret : secret.exact))
    .flatMap(encodedForms)
  const forms = [...new Set([...sent, ...encoded])]
    .filter(form => form.length > 3)
    // The longest first, as a token may be the beginning of another one.
    .sort((left, right) => right.length - left.length)
  const pattern = forms.length === 0 ? null : new RegExp(forms.map(RegExp.escape).join('|'), 'g')
  if (patterns.size >= mostPatterns) patterns.clear()
  patterns.set(key, pattern)
  return pattern
}

/** All forms in which a secret is sent. */
const formsOfSecret = (secret: Secret): readonly string[] => {
  if (typeof secret !== 'string') return [secret.exact]
  return secret.length > 3 ? tokenForms.map(form => formOf(form, secret)) : []
}

const writtenForms = (form: string): readonly string[] => [
  form,
  encodeURIComponent(form),
  JSON.stringify(form).slice(1, -1),
]

/** The bytes with the token in the place of placeholders. */
export const fillTokenIn = (bytes: Uint8Array, token: string | SecretOf): Uint8Array => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.includes('{{token') ? Buffer.from(fillToken(buffer.toString(), token)) : bytes
}

/** A token with other letters. A word before it, as in `Token 4b8d`, is a scheme, whose letter case says nothing (RFC 9110 11.1). */
const inLetters = (token: string, change: (char: string) => string): string => {
  const scheme = /^[A-Za-z]+ +(?=\S+$)/.exec(token)?.[0] ?? ''
  return scheme + [...token.slice(scheme.length)].map(change).join('')
}

const formOf = (form: TokenForm, token: string): string => {
  const middle = Math.floor(token.length / 2)
  switch (form) {
    case 'right':
      return token
    case 'other':
      return [...token].map(other).join('')
    case 'first-changed':
      return other(token[0] ?? 'x') + token.slice(1)
    case 'middle-changed':
      return token.slice(0, middle) + other(token[middle] ?? 'x') + token.slice(middle + 1)
    case 'last-changed':
      return token.slice(0, -1) + (jwt.test(token) ? otherBits : other)(token.at(-1) ?? 'x')
    case 'cut':
      return token.slice(0, -1)
    case 'cut-front':
      return token.slice(1)
    case 'half':
      return token.slice(0, Math.max(1, middle))
    case 'lengthened':
      return `${token}x`
    case 'lengthened-front':
      return `x${token}`
    case 'doubled':
      return token + token
    case 'swapped-case':
      return inLetters(token, char => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()))
    case 'upper-case':
      return inLetters(token, char => char.toUpperCase())
    case 'lower-case':
      return inLetters(token, char => char.toLowerCase())
    case 'reversed':
      return [...token].reverse().join('')
    case 'hex':
      return Buffer.from(token).toString('hex')
    case 'percent':
      return Buffer.from(token).toString('hex').replace(/../g, '%$&')
    case 'basic':
      return base64(token)
    case 'basic-user':
      return base64(`user:${token}`)
    case 'basic-other-user':
      return ofPair(token, (user, password) => `${user === '' ? 'x' : formOf('other', user)}:${password}`)
    case 'basic-other-password':
      return ofPair(token, (user, password) => `${user}:${formOf('other', password)}`)
    case 'basic-changed':
      return ofPair(token, (user, password) => `${user}:${formOf('last-changed', password)}`)
    case 'basic-cut':
      return ofPair(token, (user, password) => `${user}:${password.slice(0, -1)}`)
    case 'basic-lengthened':
      return ofPair(token, (user, password) => `${user}:${password}x`)
    case 'basic-swapped-case':
      return ofPair(token, (user, password) => `${user}:${formOf('swapped-case', password)}`)
    case 'basic-no-colon':
      return ofPair(token, (user, password) => user + password)
    case 'basic-no-user':
      return ofPair(token, (_user, password) => `:${password}`)
    case 'basic-no-password':
      return ofPair(token, user => `${user}:`)
    default:
      return form satisfies never
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Basic credentials are `user:password` (RFC 7617 2); the user cannot have a colon. */
const ofPair = (token: string, make: (user: string, password: string) => string): string => {
  const at = token.indexOf(':')
  return base64(make(token.slice(0, Math.max(0, at)), token.slice(at + 1)))
}

const jwt = /(?:^|\s)[\w-]+\.[\w-]+\.[\w-]+$/
const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Of the last character of a signature, only the first bits may count: the neighbour in the alphabet stands for the same bytes. */
const otherBits = (char: string): string => base64url[base64url.indexOf(char) ^ 0b10_0000] ?? other(char)

// Another character of the same kind, so that a changed token has the same form.
const other = (char: string): string => others[char] ?? 'x'

const others: Readonly<Record<string, string>> = Object.fromEntries(
  ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789', '-._~+/'].flatMap(kind =>
    [...kind].map((char, index) => [char, kind[(index + 1) % kind.length] ?? char]),
  ),
)

/** Whether a token follows the grammar of RFC 6750 (2.1). */
export const isWellFormedToken = (token: string): boolean => /^[A-Za-z0-9\-._~+/]+=*$/.test(token)
