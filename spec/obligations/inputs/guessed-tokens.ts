import { createHmac } from 'node:crypto'
import { placeholder } from '../../http/credential-placeholders.ts'
import { asBytes } from '../../text/latin1.ts'
import { type CredentialKind, kind, known, malformed, none, token } from './credential-kind.ts'
import { extraVariants } from './extra-fields.ts'

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const claims = (): string => base64url({ sub: '1', name: 'admin', admin: true, exp: 4_102_444_800 })
const signed = (key: string): string => {
  const text = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${claims()}`
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}
/** RFC 7519 6: not signed, or with a key that anybody guesses. */
// A browser that loads the mock has neither Buffer nor node:crypto, and sends no tokens.
const forgedJwts: readonly string[] =
  typeof Buffer === 'undefined'
    ? []
    : [
        `${base64url({ alg: 'none', typ: 'JWT' })}.${claims()}.`,
        signed(''),
        signed('secret'),
        `${base64url({ alg: 'RS256', typ: 'JWT', kid: '../x' })}.${claims()}.AAAA`,
        `${base64url({ alg: 'HS256' })}.${base64url({ sub: '1', exp: 1, nbf: 9_999_999_999 })}.AAAA`,
        `${base64url({ alg: 'X' })}.${base64url({})}.AAAA`,
        // Not in base64, not JSON, without parts, encrypted.
        'a.b.c',
        '..',
        `${base64url({ alg: 'HS256' })}..AAAA`,
        `${base64url({ alg: 'HS256' })}.${claims()}`,
        `${base64url({ alg: 'dir', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`,
        `${base64url([])}.${base64url([])}.AAAA`,
      ]

const half = placeholder('half')

/**
 * Tokens that somebody without the right one would try, and the right one in disguise. `write`: how a token stands in the header. `what`:
 * what the scheme calls it.
 */
export const guessedTokenKinds = (
  write: (token: string) => string,
  what: string,
  rest: Partial<CredentialKind> = {},
): readonly CredentialKind[] => {
  const guessed = (
    name: string,
    input: string,
    tokens: readonly string[],
    more: Partial<CredentialKind> = {},
  ): CredentialKind =>
    kind(
      name,
      input,
      tokens.map(each => [write(each)]),
      { ...rest, ...known, ...more },
    )
  return [
    guessed('placeholder-token', `with a placeholder instead of the ${what}`, [
      ...['undefined', 'null', 'None', 'nil', 'NaN', 'true', 'false', '0', '1', '-'],
      ...['test', 'demo', 'admin', 'guest', 'anonymous', 'token', 'secret', 'password', 'changeme', 'dummy'],
    ]),
    guessed(
      'pattern-token',
      `with a wildcard instead of the ${what}`,
      [...['*', '.*', '^.*$', '%', '_', '?', '[^/]+'], ...[`${half}*`, `${half}.*`, `${half}%`]],
      malformed,
    ),
    guessed(
      'injection-token',
      `with an injection instead of the ${what}`,
      [
        ...[`' OR '1'='1`, `' OR 1=1 --`, `" OR ""="`, `x' UNION SELECT 1 --`],
        ...['{"$ne":null}', '[$ne]=1', '*)(uid=*', '../../token', `' or ''='`],
      ],
      malformed,
    ),
    nonAsciiKind(
      what,
      ['\u00e9', asBytes('\u043a\u0459\u0443\u0447'), `${token}\u00e9`, `\u00e9${token}`].map(write),
      rest,
    ),
    guessed('forged-token', 'with a JWT that is not signed with the right key', forgedJwts),
    guessed(
      'encoded-token',
      `with the ${what} in another encoding`,
      [placeholder('basic'), placeholder('hex'), placeholder('percent'), placeholder('reversed')],
      malformed,
    ),
    guessed(
      'quoted-token',
      `with the ${what} in quotes or brackets`,
      [`"${token}"`, `'${token}'`, `<${token}>`, `[${token}]`, `(${token})`],
      malformed,
    ),
    guessed(
      'named-token',
      `with a name before the ${what}`,
      [
        `token=${token}`,
        `token="${token}"`,
        `token:${token}`,
        `access_token=${token}`,
        `realm="x", token="${token}"`,
      ],
      malformed,
    ),
    guessed(
      'token-in-text',
      `with other text around the ${what}`,
      [
        `${token}.x`,
        `x.${token}`,
        `${token}/x`,
        `${token};x`,
        `${token}:x`,
        `x:${token}`,
        `${token}#x`,
        `x${token}x`,
      ],
      malformed,
    ),
    guessed('token-length', `with a very short or very long ${what}`, [
      'x',
      'x'.repeat(4000),
      `${token}${'x'.repeat(4000)}`,
      'x'.repeat(500),
      'x'.repeat(2000),
      // Servers read lines of 8,000 bytes (RFC 9112 3).
      'x'.repeat(7000),
    ]),
  ]
}

/**
 * Many servers cannot compare, decode or log such a secret, and fail. The first is no UTF-8 in a header, which they read as bytes or as Latin-1.
 * `what`: what the scheme calls it.
 */
export const nonAsciiKind = (
  what: string,
  values: readonly string[],
  rest: Partial<CredentialKind> = {},
): CredentialKind =>
  kind(
    'non-ascii-token',
    `with letters beyond ASCII in the ${what}`,
    values.map(value => [value]),
    { ...known, ...malformed, ...rest },
  )

/** The token at another place than the declared one, or something else that some servers trust. */
export const elsewhereKinds: readonly CredentialKind[] = [
  kind('query-token', 'with the token in the query instead of its place', [none], {
    ...malformed,
    extra: extraVariants('query-token'),
    rfc: 'RFC 6750 2.3',
  }),
  kind('other-header', 'with the token in an undeclared header', [none], {
    extra: extraVariants('other-header'),
  }),
  kind('cookie-token', 'with the token in an undeclared cookie', [none], {
    extra: extraVariants('cookie-token'),
  }),
  // The body is not quite the declared one, so a server that looks at it first may say so.
  kind('body-token', 'with the token in the body', [none], {
    ...malformed,
    extra: extraVariants('body-token'),
    rfc: 'RFC 6750 2.2',
  }),
  kind('trusted-header', 'without credentials from a client that claims to be trusted', [none], {
    extra: extraVariants('trusted-header'),
  }),
  kind('trusted-parameter', 'without credentials but with a parameter that claims to waive them', [none], {
    extra: extraVariants('trusted-parameter'),
  }),
  kind('method-override', 'without credentials but with a field that claims another method', [none], {
    extra: extraVariants('method-override'),
  }),
]
