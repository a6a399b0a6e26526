import { placeholder } from '../../http/credential-placeholders.ts'
import type { ExtraField } from '../../serialization/request-head.ts'

/** A way of sending credentials, in one or more variants. */
export type CredentialKind = {
  readonly name: string
  /** Completes «a request …»: `without credentials`. */
  readonly input: string
  readonly accepted: boolean
  /** For each variant its Authorization headers, possibly none; for an API key its value. */
  readonly variants: readonly (readonly string[])[]
  /** For each variant, where else the token is; empty: nowhere. */
  readonly extra: readonly (readonly ExtraField[])[]
  /** Whether each of the variants has its own extra fields; absent: they are the same for all. */
  readonly isPaired?: true
  /** Only a server that knows the right token can tell that these credentials are wrong. */
  readonly needsToken: boolean
  readonly level: 'MUST' | 'SHOULD'
  readonly rfc: string
  /** Their syntax is wrong, so a 400 is as good a response as a 401 (RFC 6750 3.1 `invalid_request`, RFC 9110 15.5.1). */
  readonly malformed: boolean
  /** Sent with a body that is invalid as well. */
  readonly invalidBody: boolean
  /** Sent right after an accepted request on the same connection. */
  readonly afterAccepted: boolean
}

export const token = placeholder('right')

export const kind = (
  name: string,
  input: string,
  variants: CredentialKind['variants'],
  rest: Partial<CredentialKind> = {},
): CredentialKind => ({
  name,
  input,
  accepted: false,
  variants,
  extra: [],
  needsToken: false,
  level: 'MUST',
  rfc: 'RFC 6750 2.1',
  malformed: false,
  invalidBody: false,
  afterAccepted: false,
  ...rest,
})

/** How many variants a kind has. */
export const variantsOf = ({ variants, extra }: CredentialKind): number =>
  Math.max(1, variants.length, extra.length)

export const none: readonly string[] = []
export const scheme = { rfc: 'RFC 9110 11.1' }
export const known = { needsToken: true }
export const malformed = { malformed: true }
