import { placeholder, type TokenForm } from '../token.ts'
import { type CredentialKind, kind, known, malformed, none } from './credential-kind.ts'

const key = { rfc: 'OpenAPI 4.8.27' }
const badKey = { ...known, ...key }
const keyForm = (...forms: readonly TokenForm[]): CredentialKind['variants'] =>
  forms.map(name => [placeholder(name)])

/** API keys stand in their own header, cookie or query. */
export const apiKeyKinds: readonly CredentialKind[] = [
  kind('absent', 'no key', [none], key),
  kind('empty', 'an empty key', [['']], { ...key, ...malformed }),
  kind(
    'placeholder-token',
    'a word that stands for no key',
    [['undefined'], ['null'], ['0'], ['true']],
    badKey,
  ),
  kind('wrong-token', 'another key of the same form', keyForm('other'), badKey),
  kind(
    'token-changed',
    'the key with one character changed',
    keyForm('last-changed', 'first-changed', 'middle-changed'),
    badKey,
  ),
  kind('token-cut', 'a part of the key', keyForm('cut', 'cut-front', 'half'), badKey),
  kind(
    'token-lengthened',
    'the key with a character more',
    keyForm('lengthened', 'lengthened-front', 'doubled'),
    badKey,
  ),
  kind(
    'token-letter-case',
    'the key in other letter case',
    keyForm('swapped-case', 'upper-case', 'lower-case'),
    badKey,
  ),
  kind('absent-invalid-body', 'no key and a body that breaks the contract', [none], {
    invalidBody: true,
    ...key,
  }),
  kind('wrong-token-invalid-body', 'another key and a body that breaks the contract', keyForm('other'), {
    ...badKey,
    invalidBody: true,
  }),
  kind('sticky-connection', 'no key, after an accepted request on the same connection', [none], {
    ...key,
    afterAccepted: true,
  }),
  kind(
    'sticky-connection-token',
    'another key, after an accepted request on the same connection',
    keyForm('other'),
    { ...badKey, afterAccepted: true },
  ),
]
