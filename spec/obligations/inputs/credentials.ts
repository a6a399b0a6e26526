import type { Operation, Scheme } from '../../contract/contract.ts'
import type { AuthorizationKind } from '../../http/authorization-schemes.ts'
import { apiKeyKinds } from './api-key.ts'
import { basicKinds } from './basic.ts'
import { bearerKinds } from './bearer.ts'
import type { CredentialKind } from './credential-kind.ts'

export const credentialKinds = (scheme: Scheme): readonly CredentialKind[] => {
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
