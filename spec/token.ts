/**
 * Placeholders for credentials. Requests are planned, recorded and told with these; the token itself is put in
 * only on the wire, so no report can leak it.
 */
export const tokenForms = [
  'right',
  'other',
  'first-changed',
  'last-changed',
  'cut',
  'lengthened',
  'swapped-case',
  'basic',
] as const
export type TokenForm = (typeof tokenForms)[number]

export const placeholder = (form: TokenForm): string => (form === 'right' ? '{{token}}' : `{{token:${form}}}`)

const pattern = /\{\{token(?::([a-z-]+))?\}\}/g

/** Puts the token in the place of its placeholders. */
export const fillToken = (text: string, token: string): string =>
  text.includes('{{')
    ? text.replace(pattern, (_all, form: TokenForm | undefined) => formOf(form ?? 'right', token))
    : text

/** Takes a token out of anything that is about to be written: an answer may give back what it was sent. */
export const redact = (text: string, tokens: readonly string[]): string =>
  tokens.reduce((rest, token) => (token.length > 3 ? rest.replaceAll(token, '{{token}}') : rest), text)

/** The form as a shell would make it of `$PLANTSTORE_TOKEN`, for curl commands. */
export const shellToken = (text: string): string =>
  text.replace(pattern, (_all, form: TokenForm | undefined) => {
    switch (form ?? 'right') {
      case 'right':
        return '$PLANTSTORE_TOKEN'
      case 'cut':
        return '$' + '{PLANTSTORE_TOKEN%?}'
      case 'last-changed':
        return '$' + '{PLANTSTORE_TOKEN%?}~'
      case 'first-changed':
        return '~$' + '{PLANTSTORE_TOKEN#?}'
      case 'lengthened':
        return '$' + '{PLANTSTORE_TOKEN}x'
      case 'swapped-case':
        return '$' + '{PLANTSTORE_TOKEN~~}'
      case 'basic':
        return '$(printf %s "$PLANTSTORE_TOKEN" | base64)'
      default:
        return 'another-token'
    }
  })

const formOf = (form: TokenForm, token: string): string => {
  switch (form) {
    case 'right':
      return token
    case 'other':
      return [...token].map(other).join('')
    case 'first-changed':
      return other(token[0] ?? 'x') + token.slice(1)
    case 'last-changed':
      return token.slice(0, -1) + other(token.at(-1) ?? 'x')
    case 'cut':
      return token.slice(0, -1)
    case 'lengthened':
      return `${token}x`
    case 'swapped-case':
      return [...token]
        .map(char => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()))
        .join('')
    case 'basic':
      return Buffer.from(token).toString('base64')
    default:
      return form satisfies never
  }
}

// Another character of the same kind, so that a changed token keeps the form of the right one.
const other = (char: string): string =>
  /[a-y]|[A-Y]|[0-8]/.test(char)
    ? String.fromCharCode(char.charCodeAt(0) + 1)
    : char === 'z'
      ? 'a'
      : char === 'Z'
        ? 'A'
        : char === '9'
          ? '0'
          : char

/** A token as RFC 6750 (2.1) writes it. */
export const isWellFormedToken = (token: string): boolean => /^[A-Za-z0-9\-._~+/]+=*$/.test(token)
