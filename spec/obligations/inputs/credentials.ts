import type { Operation, Scheme } from '../../contract/contract.ts'
import type { AuthorizationKind } from '../../http/authorization-schemes.ts'
import { apiKeyKinds } from './api-key.ts'
import { basicKinds } from './basic.ts'
import { bearerKinds } from './bearer.ts'
import type { CredentialKind } from './credential-kind.ts'
import { otherSchemeKind } from './other-schemes.ts'

/** The ways of sending credentials that are tested with an operation; empty if it asks for none. */
export const credentialKinds = (operation: Operation): readonly CredentialKind[] => {
  const scheme = testedScheme({ operation })
  const other = scheme === null || scheme.kind === 'other' ? null : otherSchemeKind(operation)
  return [...(scheme === null ? [] : kindsOf(scheme)), ...(other === null ? [] : [other])]
}

const kindsOf = (scheme: Scheme): readonly CredentialKind[] => {
  switch (scheme.kind) {
    case 'apiKey':
      return apiKeyKinds
    case 'other':
      return []
    default:
      return kindsInAuthorization[scheme.kind]
  }
}

const kindsInAuthorization: Readonly<Record<AuthorizationKind, readonly CredentialKind[]>> = {
  bearer: bearerKinds,
  basic: basicKinds,
}

/** The scheme that the credentials of an operation are tested with: the first one of its first alternative. */
export const testedScheme = ({ operation }: { readonly operation: Operation }): Scheme | null =>
  operation.security[0]?.[0] ?? null

/** Whether the requests of an operation have the token, declared or not. */
export const sendsSecret = (context: { readonly operation: Operation }): boolean =>
  testedScheme(context) !== null || context.operation.undeclared !== undefined
