import { placeholder } from './credential-placeholders.ts'

/** A scheme of HTTP authentication whose credentials stand in the field `Authorization`. */
type AuthorizationScheme = {
  /** As it is written before the credentials. */
  readonly name: string
  /** What stands for the right credentials. */
  readonly right: string
  /** Whether the credentials are the token itself, in the form of RFC 6750. */
  readonly isToken: boolean
  /** What asks for such credentials, without the realm: RFC 6750 has a place for what is wrong with the token. */
  readonly challenge: (error: string) => string
}

/** The schemes whose credentials are tested and judged, by their names in lower case. */
export const authorizationSchemes = {
  bearer: { name: 'Bearer', right: placeholder('right'), isToken: true, challenge: error => error },
  basic: {
    name: 'Basic',
    right: placeholder('basic'),
    isToken: false,
    challenge: () => ', charset="UTF-8"',
  },
} as const satisfies Readonly<Record<string, AuthorizationScheme>>

export type AuthorizationKind = keyof typeof authorizationSchemes

/** The scheme of this kind; null: its credentials stand elsewhere, or are not known. */
export const authorizationScheme = (kind: string): AuthorizationScheme | null =>
  isAuthorizationKind(kind) ? authorizationSchemes[kind] : null

export const isAuthorizationKind = (kind: string): kind is AuthorizationKind =>
  Object.hasOwn(authorizationSchemes, kind)
