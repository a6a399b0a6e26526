import { placeholder, type TokenForm } from '../token.ts'
import { bearerKinds } from './bearer.ts'
import { type CredentialKind, kind, known, malformed, scheme, token } from './credential-kind.ts'

const basic = { rfc: 'RFC 7617 2' }

const basicForm = (...forms: readonly TokenForm[]): CredentialKind['variants'] =>
  forms.map(name => [`Basic ${placeholder(name)}`])
const bad = { ...basic, ...known }
const inBase64 = placeholder('basic')

export const basicKinds: readonly CredentialKind[] = [
  ...bearerKinds.filter(({ name }) =>
    ['absent', 'empty', 'sticky-connection', 'absent-invalid-body'].includes(name),
  ),
  kind('scheme-alone', '`Basic` without credentials', [['Basic'], ['Basic   ']], { ...basic, ...malformed }),
  kind('wrong-scheme', '`Bearer` with the credentials', [[`Bearer ${inBase64}`]], scheme),
  kind(
    'wrong-scheme-digest',
    '`Digest` or `Token` with the credentials',
    [[`Digest ${inBase64}`], [`Token ${inBase64}`]],
    scheme,
  ),
  kind(
    'wrong-scheme-prefix',
    'a scheme that begins or ends like `Basic`',
    [[`BasicX ${inBase64}`], [`Bas ${inBase64}`], [`XBasic ${inBase64}`]],
    scheme,
  ),
  kind(
    'joined',
    'scheme and credentials without a space',
    [[`Basic${inBase64}`], [`Basic:${inBase64}`]],
    malformed,
  ),
  kind('bare-token', 'the credentials without a scheme', [[inBase64], [token]], malformed),
  kind('malformed', 'credentials that are no base64', [['Basic %%%'], [`Basic ${token}`]], {
    ...basic,
    ...malformed,
  }),
  kind('no-colon', 'user and password without a colon', basicForm('basic-no-colon'), {
    ...bad,
    ...malformed,
  }),
  kind('wrong-token', 'another password', basicForm('basic-other-password'), bad),
  kind('wrong-user', 'another user', basicForm('basic-other-user'), bad),
  kind('no-password', 'an empty password', basicForm('basic-no-password'), bad),
  kind('no-user', 'an empty user', basicForm('basic-no-user'), bad),
  kind('token-changed', 'the password with one character changed', basicForm('basic-changed'), bad),
  kind('token-cut', 'a part of the password', basicForm('basic-cut'), bad),
  kind('token-lengthened', 'the password with a character more', basicForm('basic-lengthened'), bad),
  kind('token-letter-case', 'the password in other letter case', basicForm('basic-swapped-case'), bad),
  kind(
    'wrong-token-invalid-body',
    'another password and a body that breaks the contract',
    basicForm('basic-other-password'),
    {
      ...bad,
      invalidBody: true,
    },
  ),
  kind(
    'sticky-connection-token',
    'another password, after an accepted request on the same connection',
    basicForm('basic-other-password'),
    { ...bad, afterAccepted: true },
  ),
  kind('lower-case-scheme', '`basic` in lower case', [[`basic ${inBase64}`]], { accepted: true, ...scheme }),
  kind('upper-case-scheme', '`BASIC` in upper case', [[`BASIC ${inBase64}`]], { accepted: true, ...scheme }),
]
