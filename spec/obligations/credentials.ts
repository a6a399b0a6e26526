import type { Scheme } from '../contract.ts'
import { placeholder, type TokenForm } from '../token.ts'
import type { Context, Draft } from './context.ts'

/** A way of giving credentials, in one or more variants. */
export type CredentialKind = {
  readonly name: string
  readonly about: string
  readonly accepted: boolean
  /** Of each variant the Authorization headers (none: no such header); of an API key its value. */
  readonly variants: readonly (readonly string[])[]
  /** Query to add, such as `access_token=…`. */
  readonly query: string | null
  /** It can be told from a right one only where the right token is known. */
  readonly needsToken: boolean
  readonly level: 'MUST' | 'SHOULD'
  readonly rfc: string
  /** It is no right syntax: a 400 says so as well as a 401 (RFC 6750 3.1 `invalid_request`, RFC 9110 15.5.1). */
  readonly malformed: boolean
  /** Sent with a body that is refused anyway. */
  readonly invalidBody: boolean
  /** Sent right after an accepted request on the same connection. */
  readonly afterAccepted: boolean
}

const token = placeholder('right')

const kind = (
  name: string,
  about: string,
  variants: CredentialKind['variants'],
  rest: Partial<CredentialKind> = {},
): CredentialKind => ({
  name,
  about,
  accepted: false,
  variants,
  query: null,
  needsToken: false,
  level: 'MUST',
  rfc: 'RFC 6750 2.1',
  malformed: false,
  invalidBody: false,
  afterAccepted: false,
  ...rest,
})

const form = (name: TokenForm): readonly string[] => [`Bearer ${placeholder(name)}`]
const none: readonly string[] = []
const scheme = { rfc: 'RFC 9110 11.1' }
const known = { needsToken: true }
const malformed = { malformed: true }
const right = `Bearer ${token}`
const wrong = `Bearer ${placeholder('other')}`

export const bearerKinds: readonly CredentialKind[] = [
  kind('absent', 'no credentials', [none]),
  kind('empty', 'an empty Authorization header', [['']], malformed),
  kind('scheme-alone', '`Bearer` without a token', [['Bearer']], malformed),
  kind('spaces', '`Bearer` and spaces', [['Bearer   ']], malformed),
  kind('wrong-scheme', '`Basic` with the token', [[`Basic ${token}`]], scheme),
  kind(
    'wrong-scheme-basic',
    '`Basic` with the token in base64',
    [[`Basic ${placeholder('basic')}`], [`Basic ${placeholder('basic-user')}`]],
    scheme,
  ),
  kind('wrong-scheme-digest', '`Digest` with the token', [[`Digest ${token}`]], scheme),
  kind('wrong-scheme-token', '`Token` with the token', [[`Token ${token}`], [`JWT ${token}`]], scheme),
  kind(
    'wrong-scheme-prefix',
    'a scheme that begins or ends like `Bearer`',
    [[`BearerX ${token}`], [`Bear ${token}`], [`XBearer ${token}`]],
    scheme,
  ),
  kind(
    'joined',
    'scheme and token without a space',
    [[`Bearer${token}`], [`Bearer:${token}`], [`Bearer=${token}`]],
    malformed,
  ),
  kind('bare-token', 'the token without a scheme', [[token]], malformed),
  kind(
    'malformed',
    'a token with characters that no token has',
    [['Bearer "a, b"'], ['Bearer \u00e9\u00e9'], ['Bearer {a}']],
    malformed,
  ),
  kind(
    'placeholder-token',
    'a word that stands for no token',
    [['Bearer undefined'], ['Bearer null'], ['Bearer 0'], ['Bearer true']],
    known,
  ),
  kind('wrong-token', 'another token of the same form', [form('other')], known),
  kind(
    'token-changed',
    'the token with one character changed',
    [form('last-changed'), form('first-changed'), form('middle-changed')],
    known,
  ),
  kind('token-cut', 'a part of the token', [form('cut'), form('cut-front'), form('half')], known),
  kind(
    'token-lengthened',
    'the token with a character more',
    [form('lengthened'), form('lengthened-front'), form('doubled')],
    known,
  ),
  kind(
    'token-letter-case',
    'the token in other letter case',
    [form('swapped-case'), form('upper-case'), form('lower-case')],
    known,
  ),
  kind(
    'two-tokens',
    'two tokens in one header',
    [
      [`${right} ${placeholder('other')}`],
      [`${wrong} ${token}`],
      [`${right}, ${wrong}`],
      [`${wrong}, ${right}`],
      [`${right},${placeholder('other')}`],
    ],
    malformed,
  ),
  kind('two-headers', 'another token in a first header, the right one in a second', [[wrong, right]], {
    ...known,
    ...malformed,
    rfc: 'RFC 9110 5.3',
  }),
  // Which of two headers counts, HTTP does not say; many servers read the first.
  kind(
    'two-headers-right-first',
    'the right token in a first header, another one in a second',
    [[right, wrong]],
    { ...known, ...malformed, level: 'SHOULD', rfc: 'RFC 9110 5.3' },
  ),
  kind('query-token', 'the token in the query instead', [none], {
    ...malformed,
    query: `access_token=${token}`,
    rfc: 'RFC 6750 2.3',
  }),
  kind('absent-invalid-body', 'no credentials and a body that breaks the contract', [none], {
    invalidBody: true,
  }),
  kind('wrong-token-invalid-body', 'another token and a body that breaks the contract', [form('other')], {
    ...known,
    invalidBody: true,
  }),
  kind('sticky-connection', 'no credentials, after an accepted request on the same connection', [none], {
    afterAccepted: true,
  }),
  kind(
    'sticky-connection-token',
    'another token, after an accepted request on the same connection',
    [form('other')],
    { ...known, afterAccepted: true },
  ),
  kind('lower-case-scheme', '`bearer` in lower case', [[`bearer ${token}`]], { accepted: true, ...scheme }),
  kind('upper-case-scheme', '`BEARER` in upper case', [[`BEARER ${token}`]], { accepted: true, ...scheme }),
]

const basic = { rfc: 'RFC 7617 2' }

export const basicKinds: readonly CredentialKind[] = [
  ...bearerKinds.filter(({ name }) =>
    ['absent', 'empty', 'sticky-connection', 'absent-invalid-body'].includes(name),
  ),
  kind('scheme-alone', '`Basic` without credentials', [['Basic']], { ...basic, ...malformed }),
  kind('wrong-scheme', '`Bearer` with the credentials', [[`Bearer ${placeholder('basic')}`]], scheme),
  kind('malformed', 'credentials that are no base64', [['Basic %%%']], { ...basic, ...malformed }),
  kind('lower-case-scheme', '`basic` in lower case', [[`basic ${placeholder('basic')}`]], {
    accepted: true,
    ...scheme,
  }),
]

const key = { rfc: 'OpenAPI 4.8.27' }

/** API keys stand in their own header, cookie or query. */
export const apiKeyKinds: readonly CredentialKind[] = [
  kind('absent', 'no key', [none], key),
  kind('empty', 'an empty key', [['']], { ...key, ...malformed }),
  kind('wrong-token', 'another key of the same form', [[placeholder('other')]], { ...known, ...key }),
  kind('token-cut', 'a part of the key', [[placeholder('cut')], [placeholder('cut-front')]], {
    ...known,
    ...key,
  }),
  kind('token-lengthened', 'the key with a character more', [[placeholder('lengthened')]], {
    ...known,
    ...key,
  }),
  kind('absent-invalid-body', 'no key and a body that breaks the contract', [none], {
    invalidBody: true,
    ...key,
  }),
]

export const credentialKinds = (scheme: Scheme): readonly CredentialKind[] => {
  switch (scheme.kind) {
    case 'bearer':
      return bearerKinds
    case 'basic':
      return basicKinds
    case 'apiKey':
      return apiKeyKinds
    case 'other':
      return []
  }
}

/** The scheme that an operation's credentials are tested by: the first of its first alternative. */
export const testedScheme = (context: Pick<Context, 'operation'>): Scheme | null =>
  context.operation.security[0]?.[0] ?? null

/** Requests without the right credentials are refused; the right ones are accepted however they are spelled. */
export const credentialObligations = (context: Context): readonly Draft[] => {
  const scheme = testedScheme(context)
  if (scheme === null) return []
  return credentialKinds(scheme)
    .filter(({ invalidBody }) => !invalidBody || context.body !== null)
    .map(({ name, about, accepted, rfc, level }) => ({
      path: `auth/${name}`,
      family: 'bearer',
      level,
      promise: accepted
        ? `${about} is accepted: schemes have no letter case`
        : `a request with ${about} is refused with a declared failure`.replace('with no ', 'without '),
      pointer: scheme.pointer,
      rfc,
      subject: { kind: 'credentials', name, scheme: scheme.name, accepted },
    }))
}
