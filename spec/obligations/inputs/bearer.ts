import { placeholder, type TokenForm } from '../../http/credential-placeholders.ts'
import { type CredentialKind, kind, known, malformed, none, scheme, token } from './credential-kind.ts'
import { elsewhereKinds, guessedTokenKinds } from './guessed-tokens.ts'

const form = (name: TokenForm): readonly string[] => [`Bearer ${placeholder(name)}`]
const right = `Bearer ${token}`
const wrong = `Bearer ${placeholder('other')}`

export const bearerKinds: readonly CredentialKind[] = [
  kind('absent', 'without credentials', [none]),
  kind('empty', 'with an empty Authorization header', [['']], malformed),
  // Trailing spaces do not belong to the value of a header (RFC 9110 5.5): these two are the same.
  kind('scheme-alone', 'with `Bearer` and no token', [['Bearer'], ['Bearer   ']], malformed),
  kind('wrong-scheme', 'with the token under the scheme `Basic`', [[`Basic ${token}`]], scheme),
  kind(
    'wrong-scheme-basic',
    'with the token in base64 under the scheme `Basic`',
    [[`Basic ${placeholder('basic')}`], [`Basic ${placeholder('basic-user')}`], ['Basic YWRtaW46YWRtaW4=']],
    scheme,
  ),
  kind(
    'wrong-scheme-digest',
    'with the token under the scheme `Digest`',
    [[`Digest ${token}`], [`Digest username="a", realm="b", nonce="c", uri="/", response="${token}"`]],
    scheme,
  ),
  kind(
    'wrong-scheme-token',
    'with the token under the scheme `Token`',
    ['Token', 'JWT', 'Negotiate', 'NTLM', 'ApiKey', 'AWS4-HMAC-SHA256', 'OAuth'].map(name => [
      `${name} ${token}`,
    ]),
    scheme,
  ),
  kind(
    'wrong-scheme-prefix',
    'with a scheme that begins or ends like `Bearer`',
    [[`BearerX ${token}`], [`Bear ${token}`], [`XBearer ${token}`], [`Bearers ${token}`], [`B ${token}`]],
    scheme,
  ),
  kind(
    'two-schemes',
    'with another word before `Bearer`',
    [[`Bearer Bearer ${token}`], [`Basic Bearer ${token}`], [`x Bearer ${token}`], [`, Bearer ${token}`]],
    malformed,
  ),
  kind(
    'joined',
    'without a space between scheme and token',
    [':', '=', ',', ';', '/', '-', '_', '.', '', '\t'].map(separator => [`Bearer${separator}${token}`]),
    malformed,
  ),
  kind('bare-token', 'with the token but no scheme', [[token]], malformed),
  kind(
    'malformed',
    'with a token that has forbidden characters',
    [['Bearer "a, b"'], ['Bearer {a}'], ['Bearer a\tb'], [`Bearer ${token}\tb`]],
    malformed,
  ),
  kind('wrong-token', 'with another token of the same form', [form('other')], known),
  kind(
    'token-changed',
    'with one character of the token changed',
    [form('last-changed'), form('first-changed'), form('middle-changed')],
    known,
  ),
  kind('token-cut', 'with a part of the token', [form('cut'), form('cut-front'), form('half')], known),
  kind(
    'token-lengthened',
    'with an additional character in the token',
    [form('lengthened'), form('lengthened-front'), form('doubled')],
    known,
  ),
  kind(
    'token-letter-case',
    'with the token in another letter case',
    [form('swapped-case'), form('upper-case'), form('lower-case')],
    known,
  ),
  kind(
    'two-tokens',
    'with two tokens in one header',
    [
      [`${right} ${placeholder('other')}`],
      [`${wrong} ${token}`],
      [`${right}, ${wrong}`],
      [`${wrong}, ${right}`],
      [`${right},${placeholder('other')}`],
    ],
    malformed,
  ),
  ...guessedTokenKinds(text => `Bearer ${text}`, 'token'),
  ...elsewhereKinds,
  kind('absent-invalid-body', 'without credentials and with an invalid body', [none], {
    invalidBody: true,
  }),
  kind('wrong-token-invalid-body', 'with another token and an invalid body', [form('other')], {
    ...known,
    invalidBody: true,
  }),
  kind(
    'sticky-connection',
    'without credentials right after an accepted one on the same connection',
    [none],
    {
      afterAccepted: true,
    },
  ),
  kind(
    'sticky-connection-token',
    'with another token right after an accepted one on the same connection',
    [form('other')],
    { ...known, afterAccepted: true },
  ),
  kind('lower-case-scheme', 'with the scheme in lower case (`bearer`)', [[`bearer ${token}`]], {
    accepted: true,
    ...scheme,
  }),
  kind('upper-case-scheme', 'with the scheme in upper case (`BEARER`)', [[`BEARER ${token}`]], {
    accepted: true,
    ...scheme,
  }),
  kind('two-spaces', 'with two spaces before the token', [[`Bearer  ${token}`]], {
    accepted: true,
    level: 'SHOULD',
    rfc: 'RFC 9110 11.4',
  }),
]
