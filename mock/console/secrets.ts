import { type Headers, type Operation, placeholder, type Scheme } from '../../spec/index.ts'

/** Takes credentials out of what a client sent: a placeholder (see `placeholder`) stands where each was. */
export type Mask = {
  readonly target: (target: string) => string
  readonly header: (name: string, value: string) => string
  /** The credentials themselves, as they stand in a request; those of three characters or less are no secret. */
  readonly secretsOf: (target: string, headers: Headers) => readonly string[]
  /** Whether the contract has a use for this cookie. */
  readonly isDeclaredCookie: (name: string) => boolean
}

const token = placeholder('right')

/** The credentials that the contract declares, and what is one by its name, whatever the contract says. */
export const createMask = (operations: readonly Operation[]): Mask => {
  const schemes = operations.flatMap(({ security }) => security.flat())
  const keys = (part: 'query' | 'header' | 'cookie'): ReadonlySet<string> =>
    new Set(
      schemes.filter(isApiKey).flatMap(scheme => (scheme.in === part ? [scheme.key.toLowerCase()] : [])),
    )
  const [inHeader, inCookie] = [keys('header'), keys('cookie')]
  const inQuery = new Set([...keys('query'), 'access_token'])
  const target = (text: string): string =>
    text.replace(/([?&])([^=&#]*)=([^&#]+)/g, (all, mark: string, name: string) =>
      inQuery.has(decoded(name).toLowerCase()) ? `${mark}${name}=${token}` : all,
    )
  const header = (name: string, value: string): string => {
    const lower = name.toLowerCase()
    if (value === '') return value
    if (lower === 'authorization' || lower === 'proxy-authorization') return credentials(value)
    if (lower === 'cookie') return value.replace(/=[^;]+/g, `=${token}`)
    if (lower === 'set-cookie') return value.replace(/=[^;]+/, `=${token}`)
    return inHeader.has(lower) || telling.test(lower) ? token : value
  }
  return {
    target,
    header,
    secretsOf: (text, headers) => {
      const masked = [[target(text), text], ...headers.map(([name, value]) => [header(name, value), value])]
      const found = masked.flatMap(([hidden = '', open = '']) => taken(hidden, open))
      return [...new Set(found.flatMap(written))]
        .filter(secret => secret.length > 3)
        .sort((left, right) => right.length - left.length)
    },
    isDeclaredCookie: name => inCookie.has(name.toLowerCase()),
  }
}

const telling = /api-?_?key|token|secret|password|session/

const isApiKey = (scheme: Scheme): scheme is Extract<Scheme, { kind: 'apiKey' }> => scheme.kind === 'apiKey'

const credentials = (value: string): string => {
  const [, scheme, rest] = /^(\S+\s+)(.*)$/s.exec(value) ?? []
  if (scheme === undefined || rest === undefined) return /^(bearer|basic)$/i.test(value) ? value : token
  return `${scheme}${/^basic\s/i.test(scheme) ? placeholder('basic') : token}`
}

/** What the placeholders of a masked text stand for. */
const taken = (hidden: string, open: string): readonly string[] => {
  const parts = hidden.split(/\{\{token(?::basic)?\}\}/)
  if (parts.length === 1) return []
  const pattern = new RegExp(`^${parts.map(RegExp.escape).join('([^;&]*?)')}$`, 's')
  return pattern.exec(open)?.slice(1) ?? [open]
}

/** Answers may give a secret back decoded: of Basic credentials also user and password. */
const written = (secret: string): readonly string[] => {
  const plain = Buffer.from(secret, 'base64').toString()
  return [secret, decoded(secret), ...(/^[\x20-\x7e]*:[\x20-\x7e]+$/.test(plain) ? [plain] : [])]
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
