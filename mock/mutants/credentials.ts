import {
  type CredentialKind,
  credentialKinds,
  isVariant,
  type Scheme,
  type Subject,
  testedScheme,
} from '../../spec/index.ts'
import { unnoticedRejection } from './accept.ts'
import {
  isValid,
  type Mutant,
  type MutantInput,
  type MutationContext,
  misjudge,
  type Unbreakable,
} from './mutation.ts'

/** Accepts wrong credentials of one kind, or rejects right ones. */
export const misjudgeCredentials = (
  { operation, tokens }: MutationContext,
  { name, isAccepted }: Extract<Subject, { kind: 'credentials' }>,
): Mutant | Unbreakable => {
  const scheme = testedScheme({ operation })
  const kind = credentialKinds(operation).find(each => each.name === name)
  if (scheme === null || kind === undefined) return { reason: 'credentials of this scheme are not supported' }
  const templates = [...kind.variants.flat(), ...kind.extra.flat().map(({ value }) => value)].filter(text =>
    text.includes('{{'),
  )
  if (tokens === null && (templates.length > 0 || kind.needsToken))
    return { reason: 'any token is right: set one with --token' }
  const isSent = (input: MutantInput): boolean => isSentAs(kind, scheme, tokens ?? [''], input)
  if (isAccepted)
    return (
      unnoticedRejection(operation, 'credentials') ??
      misjudge(input => isValid(input) && isSent(input), 'credentials')
    )
  return misjudge(input => isOfKind(kind, input) && isSent(input), 'accept')
}

const isSentAs = (
  kind: CredentialKind,
  scheme: Scheme,
  tokens: readonly string[],
  input: MutantInput,
): boolean => tokens.some(token => isVariant(kind, scheme, token, input))

/** Whether a request has wrong credentials of the kind of this name. */
export const hasWrongCredentials = (
  { operation, tokens }: MutationContext,
  name: string,
  input: MutantInput,
): boolean => {
  const scheme = testedScheme({ operation })
  const kind = credentialKinds(operation).find(each => each.name === name)
  if (scheme === null || kind === undefined || kind.accepted) return false
  return isOfKind(kind, input) && isSentAs(kind, scheme, tokens ?? [''], input)
}

/** Whether the rest of the request, and the requests before it, are as the kind has them. */
const isOfKind = (
  { invalidBody, afterAccepted, name }: CredentialKind,
  { violations, before }: MutantInput,
): boolean => {
  if (!violations.some(({ part }) => part === 'credentials')) return false
  if (violations.every(({ part }) => part === 'credentials') === invalidBody) return false
  // The second of its connection, after one that was accepted.
  const follows = before.length === 1 && before[0] === true
  const hasTwin = name === 'absent' || name === 'wrong-token'
  return afterAccepted ? follows : !(hasTwin && follows)
}
