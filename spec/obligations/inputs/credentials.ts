import type { Operation, Scheme } from '../../contract/contract.ts'
import { type AuthorizationKind, authorizationScheme } from '../../http/authorization-schemes.ts'
import { placeholder, type TokenForm } from '../../http/credential-placeholders.ts'
import type { ExtraField } from '../../serialization/request-head.ts'
import { asBytes } from '../../text/latin1.ts'
import { basicKinds } from './basic.ts'
import { bearerKinds } from './bearer.ts'
import { type CredentialKind, kind, known, malformed, none } from './credential-kind.ts'
import { keyOf } from './extra-fields.ts'
import { elsewhereKinds, guessedTokenKinds } from './guessed-tokens.ts'

const key = { rfc: 'OpenAPI 4.8.27' }
const badKey = { ...known, ...key }
const keyForm = (...forms: readonly TokenForm[]): CredentialKind['variants'] =>
  forms.map(name => [placeholder(name)])

/** An API key has a header, a cookie or a query parameter of its own. */
const apiKeyKinds: readonly CredentialKind[] = [
  kind('absent', 'without an API key', [none], key),
  kind('empty', 'with an empty API key', [['']], { ...key, ...malformed }),
  kind('wrong-token', 'with another API key of the same form', keyForm('other'), badKey),
  kind(
    'token-changed',
    'with one character of the API key changed',
    keyForm('last-changed', 'first-changed', 'middle-changed'),
    badKey,
  ),
  kind('token-cut', 'with a part of the API key', keyForm('cut', 'cut-front', 'half'), badKey),
  kind(
    'token-lengthened',
    'with an additional character in the API key',
    keyForm('lengthened', 'lengthened-front', 'doubled'),
    badKey,
  ),
  kind(
    'token-letter-case',
    'with the API key in another letter case',
    keyForm('swapped-case', 'upper-case', 'lower-case'),
    badKey,
  ),
  ...guessedTokenKinds(text => text, 'API key', key),
  ...elsewhereKinds,
  kind('absent-invalid-body', 'without an API key and with an invalid body', [none], {
    invalidBody: true,
    ...key,
  }),
  kind('wrong-token-invalid-body', 'with another API key and an invalid body', keyForm('other'), {
    ...badKey,
    invalidBody: true,
  }),
  kind('sticky-connection', 'without an API key right after an accepted one on the same connection', [none], {
    ...key,
    afterAccepted: true,
  }),
  kind(
    'sticky-connection-token',
    'with another API key right after an accepted one on the same connection',
    keyForm('other'),
    { ...badKey, afterAccepted: true },
  ),
]

/** The request of a client that goes by a document which asks for no credentials. */
const withoutUndeclared = kind('undeclared', 'without the undeclared credentials', [none], {
  accepted: true,
  level: 'SHOULD',
  rfc: 'OpenAPI 4.8.10',
})

/** The ways of sending credentials that are tested with an operation; empty if it gets none. */
export const credentialKinds = (operation: Operation): readonly CredentialKind[] => {
  const found = kindsByOperation.get(operation) ?? allKinds(operation)
  kindsByOperation.set(operation, found)
  return found
}

const kindsByOperation = new WeakMap<Operation, readonly CredentialKind[]>()

const allKinds = (operation: Operation): readonly CredentialKind[] => {
  if (operation.undeclared !== undefined) return [withoutUndeclared]
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

/** Secrets that nobody has: of usual forms, and such as a server may fail to read. */
const madeUp = ['кључ é', 'made-up', '0123456789abcdef', "'", '00', 'x'.repeat(2000)]

/** One way to send made-up credentials: what is in the place of the tested scheme, and what is elsewhere. */
type Sent = { readonly values: readonly string[]; readonly fields: readonly ExtraField[] }

/**
 * Credentials that nobody has, under the other schemes by which the document lets requests in, as in `security: [{bearer: []}, {key: []}]`. Null: there
 * are none.
 */
const otherSchemeKind = ({ security }: Operation): CredentialKind | null => {
  const [[tested] = [], ...alternatives] = security
  if (tested === undefined) return null
  const bySecret = madeUp.map(secret =>
    alternatives.flatMap(schemes => {
      const each = schemes.map(scheme => sentAs(scheme, tested, secret))
      return each.length === 0 || each.includes(null) ? [] : [joined(each as Sent[])]
    }),
  )
  // All keys at once, so that one request shows any of them, and then each alone. A server that cannot read an Authorization header reads no key.
  const isKey = ({ values, fields }: Sent): boolean =>
    values.length === 0 && fields.every(({ name }) => name !== 'Authorization')
  const keys = bySecret.map(all => all.filter(isKey))
  const sent = [...keys.filter(({ length }) => length > 1).map(allOf), ...bySecret.flat()]
  if (sent.length === 0) return null
  return kind(
    'other-scheme',
    'with made-up credentials of another declared scheme',
    sent.map(({ values }) => values),
    {
      ...known,
      extra: sent.map(({ fields }) => fields),
      isPaired: true,
      // A server may say that it cannot read them.
      malformed: true,
      rfc: 'OpenAPI 4.8.30',
    },
  )
}

/** Of several alternatives at once; two of them may use the same key. */
const allOf = (alternatives: readonly Sent[]): Sent => {
  const { values, fields } = joined(alternatives)
  return { values, fields: [...new Map(fields.map(field => [keyOf(field), field])).values()] }
}

const joined = (all: readonly Sent[]): Sent => ({
  values: all.flatMap(({ values }) => values),
  fields: all.flatMap(({ fields }) => fields),
})

/** Null: nobody knows how such credentials are sent, or they are sent as the tested ones are. */
const sentAs = (scheme: Scheme, tested: Scheme, secret: string): Sent | null => {
  if (scheme.kind === 'other' || (scheme.kind === tested.kind && scheme.kind !== 'apiKey')) return null
  if (scheme.kind !== 'apiKey') {
    const name = authorizationScheme(scheme.kind)?.name
    if (name === undefined) return null
    const value = `${name} ${scheme.kind === 'basic' ? btoa(asBytes(`user:${secret}`)) : asBytes(secret)}`
    return tested.kind === 'apiKey'
      ? { values: none, fields: [{ in: 'header', name: 'Authorization', value }] }
      : { values: [value], fields: [] }
  }
  const value = scheme.in === 'header' ? asBytes(secret) : secret
  const field = { in: scheme.in, name: scheme.key, value }
  const isSame = tested.kind === 'apiKey' && keyOf({ in: tested.in, name: tested.key }) === keyOf(field)
  return isSame ? null : { values: none, fields: [field] }
}
