import {
  type CredentialKind,
  credentialKinds,
  type Scheme,
  type Subject,
  testedScheme,
} from '../../spec/index.ts'
import { unrefusable } from './accept.ts'
import { type Asked, type Breaker, isValid, type Scene, turning, type Unbreakable } from './breaker.ts'
import { isVariant } from './variant.ts'

/** Takes wrong credentials of one kind for right ones, or right ones for wrong. */
export const confusing = (
  scene: Scene,
  { name, accepted }: Extract<Subject, { kind: 'credentials' }>,
): Breaker | Unbreakable => {
  const { operation, tokens } = scene
  const scheme = testedScheme({ operation })
  const kind = scheme === null ? undefined : credentialKinds(scheme).find(own => own.name === name)
  if (scheme === null || kind === undefined)
    return { because: 'credentials of this scheme are not supported' }
  const forms = [...kind.variants.flat(), kind.query ?? ''].filter(text => text.includes('{{'))
  if (tokens === null && (forms.length > 0 || kind.needsToken))
    return { because: 'any token is right: give the mock one with --token' }
  const isGiven = (asked: Asked): boolean => isGivenAs(kind, scheme, tokens ?? [''], asked)
  if (accepted)
    return (
      unrefusable(operation, 'credentials') ??
      turning(asked => isValid(asked) && isGiven(asked), 'credentials')
    )
  return turning(asked => isOfKind(kind, asked) && isGiven(asked), 'accept')
}

const isGivenAs = (kind: CredentialKind, scheme: Scheme, tokens: readonly string[], asked: Asked): boolean =>
  tokens.some(token => isVariant(kind, scheme, token, asked))

/** Whether a request gives wrong credentials in the way of this name. */
export const isWronglyGiven = ({ operation, tokens }: Scene, name: string, asked: Asked): boolean => {
  const scheme = testedScheme({ operation })
  const kind = scheme === null ? undefined : credentialKinds(scheme).find(own => own.name === name)
  if (scheme === null || kind === undefined || kind.accepted) return false
  return isOfKind(kind, asked) && isGivenAs(kind, scheme, tokens ?? [''], asked)
}

/** Whether the rest of the request, and what came before it, are as the kind asks for. */
const isOfKind = (
  { invalidBody, afterAccepted, name }: CredentialKind,
  { breaches, before }: Asked,
): boolean => {
  if (!breaches.some(({ cause }) => cause === 'credentials')) return false
  if (breaches.every(({ cause }) => cause === 'credentials') === invalidBody) return false
  // The second of its connection, after one that was accepted.
  const follows = before.length === 1 && before[0] === true
  const hasTwin = name === 'absent' || name === 'wrong-token'
  return afterAccepted ? follows : !(hasTwin && follows)
}
