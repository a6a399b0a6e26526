import type { Scheme } from '../contract.ts'
import { apiKeyKinds } from './api-key.ts'
import { basicKinds } from './basic.ts'
import { bearerKinds } from './bearer.ts'
import type { Context, Draft } from './context.ts'
import type { CredentialKind } from './credential-kind.ts'

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
