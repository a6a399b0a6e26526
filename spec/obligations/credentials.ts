import type { Scheme } from '../contract.ts'
import { placeholder } from '../token.ts'
import type { Context, Draft } from './context.ts'

/** A way of giving credentials: the Authorization values (none: no header) or query that stand for it. */
export type CredentialKind = {
  readonly name: string
  readonly about: string
  readonly accepted: boolean
  readonly authorization: readonly string[]
  /** Query to add, such as `access_token=…`. */
  readonly query: string | null
  /** It can be told from a right one only where the right token is known. */
  readonly needsToken: boolean
  readonly rfc: string
  /** Sent with a body that is refused anyway. */
  readonly invalidBody: boolean
  /** Sent right after an accepted request on the same connection. */
  readonly afterAccepted: boolean
}

const token = placeholder('right')

const kind = (
  name: string,
  about: string,
  rest: Partial<CredentialKind> & { authorization: readonly string[] },
): CredentialKind => ({
  name,
  about,
  accepted: false,
  query: null,
  needsToken: false,
  rfc: 'RFC 6750 2.1',
  invalidBody: false,
  afterAccepted: false,
  ...rest,
})

export const bearerKinds: readonly CredentialKind[] = [
  kind('absent', 'no credentials', { authorization: [] }),
  kind('empty', 'an empty Authorization header', { authorization: [''] }),
  kind('scheme-alone', '`Bearer` without a token', { authorization: ['Bearer'] }),
  kind('spaces', '`Bearer` and spaces', { authorization: ['Bearer   '] }),
  kind('wrong-scheme', '`Basic` with the token', { authorization: [`Basic ${token}`], rfc: 'RFC 9110 11.1' }),
  kind('wrong-scheme-basic', '`Basic` with the token in base64', {
    authorization: [`Basic ${placeholder('basic')}`],
    rfc: 'RFC 9110 11.1',
  }),
  kind('wrong-scheme-digest', '`Digest` with the token', {
    authorization: [`Digest ${token}`],
    rfc: 'RFC 9110 11.1',
  }),
  kind('wrong-scheme-token', '`Token` with the token', {
    authorization: [`Token ${token}`],
    rfc: 'RFC 9110 11.1',
  }),
  kind('wrong-scheme-prefix', '`BearerX` with the token', {
    authorization: [`BearerX ${token}`],
    rfc: 'RFC 9110 11.1',
  }),
  kind('joined', 'scheme and token without a space', { authorization: [`Bearer${token}`] }),
  kind('bare-token', 'the token without a scheme', { authorization: [token] }),
  kind('malformed', 'a token with characters that no token has', {
    authorization: ['Bearer "a, b"', 'Bearer \u00e9\u00e9'],
  }),
  kind('wrong-token', 'another token of the same form', {
    authorization: [`Bearer ${placeholder('other')}`],
    needsToken: true,
  }),
  kind('token-changed', 'the token with one character changed', {
    authorization: [`Bearer ${placeholder('last-changed')}`, `Bearer ${placeholder('first-changed')}`],
    needsToken: true,
  }),
  kind('token-cut', 'the token without its last character', {
    authorization: [`Bearer ${placeholder('cut')}`],
    needsToken: true,
  }),
  kind('token-lengthened', 'the token with a character more', {
    authorization: [`Bearer ${placeholder('lengthened')}`],
    needsToken: true,
  }),
  kind('token-letter-case', 'the token in other letter case', {
    authorization: [`Bearer ${placeholder('swapped-case')}`],
    needsToken: true,
  }),
  kind('two-tokens', 'two tokens', {
    authorization: [`Bearer ${token} ${placeholder('other')}`, `Bearer ${placeholder('other')} ${token}`],
  }),
  kind('query-token', 'the token in the query instead', {
    authorization: [],
    query: `access_token=${token}`,
    rfc: 'RFC 6750 2.3',
  }),
  kind('absent-invalid-body', 'no credentials and a body that breaks the contract', {
    authorization: [],
    invalidBody: true,
  }),
  kind('wrong-token-invalid-body', 'another token and a body that breaks the contract', {
    authorization: [`Bearer ${placeholder('other')}`],
    needsToken: true,
    invalidBody: true,
  }),
  kind('sticky-connection', 'no credentials, after an accepted request on the same connection', {
    authorization: [],
    afterAccepted: true,
  }),
  kind('sticky-connection-token', 'another token, after an accepted request on the same connection', {
    authorization: [`Bearer ${placeholder('other')}`],
    needsToken: true,
    afterAccepted: true,
  }),
  kind('lower-case-scheme', '`bearer` in lower case', {
    authorization: [`bearer ${token}`],
    accepted: true,
    rfc: 'RFC 9110 11.1',
  }),
  kind('upper-case-scheme', '`BEARER` in upper case', {
    authorization: [`BEARER ${token}`],
    accepted: true,
    rfc: 'RFC 9110 11.1',
  }),
]

export const basicKinds: readonly CredentialKind[] = [
  ...bearerKinds.filter(({ name }) =>
    ['absent', 'empty', 'sticky-connection', 'absent-invalid-body'].includes(name),
  ),
  kind('scheme-alone', '`Basic` without credentials', { authorization: ['Basic'], rfc: 'RFC 7617 2' }),
  kind('wrong-scheme', '`Bearer` with the credentials', {
    authorization: [`Bearer ${placeholder('basic')}`],
    rfc: 'RFC 9110 11.1',
  }),
  kind('malformed', 'credentials that are no base64', { authorization: ['Basic %%%'], rfc: 'RFC 7617 2' }),
  kind('lower-case-scheme', '`basic` in lower case', {
    authorization: [`basic ${placeholder('basic')}`],
    accepted: true,
    rfc: 'RFC 9110 11.1',
  }),
]

/** API keys stand in their own header, cookie or query; `authorization` holds the key's value here. */
export const apiKeyKinds: readonly CredentialKind[] = [
  kind('absent', 'no key', { authorization: [], rfc: 'OpenAPI 4.8.27' }),
  kind('empty', 'an empty key', { authorization: [''], rfc: 'OpenAPI 4.8.27' }),
  kind('wrong-token', 'another key of the same form', {
    authorization: [placeholder('other')],
    needsToken: true,
    rfc: 'OpenAPI 4.8.27',
  }),
  kind('token-cut', 'the key without its last character', {
    authorization: [placeholder('cut')],
    needsToken: true,
    rfc: 'OpenAPI 4.8.27',
  }),
  kind('token-lengthened', 'the key with a character more', {
    authorization: [placeholder('lengthened')],
    needsToken: true,
    rfc: 'OpenAPI 4.8.27',
  }),
  kind('absent-invalid-body', 'no key and a body that breaks the contract', {
    authorization: [],
    invalidBody: true,
    rfc: 'OpenAPI 4.8.27',
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
    .map(({ name, about, accepted, rfc }) => ({
      path: `auth/${name}`,
      family: 'bearer',
      level: 'MUST',
      promise: accepted
        ? `${about} is accepted: schemes have no letter case`
        : `a request with ${about} is refused with a declared failure`.replace('with no ', 'without '),
      pointer: scheme.pointer,
      rfc,
      subject: { kind: 'credentials', name, scheme: scheme.name, accepted },
    }))
}
