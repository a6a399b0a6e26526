import { placeholder, type TokenForm } from '../../http/credential-placeholders.ts'
import { type CredentialKind, kind, known, malformed, none } from './credential-kind.ts'
import { elsewhereKinds, guessedTokenKinds } from './guessed-tokens.ts'

const key = { rfc: 'OpenAPI 4.8.27' }
const badKey = { ...known, ...key }
const keyForm = (...forms: readonly TokenForm[]): CredentialKind['variants'] =>
  forms.map(name => [placeholder(name)])

/** An API key has a header, a cookie or a query parameter of its own. */
export const apiKeyKinds: readonly CredentialKind[] = [
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
