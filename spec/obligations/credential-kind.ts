import { placeholder } from '../token.ts'

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

export const token = placeholder('right')

export const kind = (
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

export const none: readonly string[] = []
export const scheme = { rfc: 'RFC 9110 11.1' }
export const known = { needsToken: true }
export const malformed = { malformed: true }
