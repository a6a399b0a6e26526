import { placeholder, type TokenForm } from '../token.ts'
import { type CredentialKind, kind, known, malformed, none, scheme, token } from './credential-kind.ts'

const form = (name: TokenForm): readonly string[] => [`Bearer ${placeholder(name)}`]
const right = `Bearer ${token}`
const wrong = `Bearer ${placeholder('other')}`

export const bearerKinds: readonly CredentialKind[] = [
  kind('absent', 'no credentials', [none]),
  kind('empty', 'an empty Authorization header', [['']], malformed),
  // Spaces at the end are no part of a header's value (RFC 9110 5.5): these two are one.
  kind('scheme-alone', '`Bearer` without a token', [['Bearer'], ['Bearer   ']], malformed),
  kind('wrong-scheme', '`Basic` with the token', [[`Basic ${token}`]], scheme),
  kind(
    'wrong-scheme-basic',
    '`Basic` with the token in base64',
    [[`Basic ${placeholder('basic')}`], [`Basic ${placeholder('basic-user')}`]],
    scheme,
  ),
  kind('wrong-scheme-digest', '`Digest` with the token', [[`Digest ${token}`]], scheme),
  kind('wrong-scheme-token', '`Token` with the token', [[`Token ${token}`], [`JWT ${token}`]], scheme),
  kind(
    'wrong-scheme-prefix',
    'a scheme that begins or ends like `Bearer`',
    [[`BearerX ${token}`], [`Bear ${token}`], [`XBearer ${token}`]],
    scheme,
  ),
  kind(
    'joined',
    'scheme and token without a space',
    [[`Bearer${token}`], [`Bearer:${token}`], [`Bearer=${token}`]],
    malformed,
  ),
  kind('bare-token', 'the token without a scheme', [[token]], malformed),
  kind(
    'malformed',
    'a token with characters that no token has',
    [['Bearer "a, b"'], ['Bearer \u00e9\u00e9'], ['Bearer {a}']],
    malformed,
  ),
  kind(
    'placeholder-token',
    'a word that stands for no token',
    [['Bearer undefined'], ['Bearer null'], ['Bearer 0'], ['Bearer true']],
    known,
  ),
  kind('wrong-token', 'another token of the same form', [form('other')], known),
  kind(
    'token-changed',
    'the token with one character changed',
    [form('last-changed'), form('first-changed'), form('middle-changed')],
    known,
  ),
  kind('token-cut', 'a part of the token', [form('cut'), form('cut-front'), form('half')], known),
  kind(
    'token-lengthened',
    'the token with a character more',
    [form('lengthened'), form('lengthened-front'), form('doubled')],
    known,
  ),
  kind(
    'token-letter-case',
    'the token in other letter case',
    [form('swapped-case'), form('upper-case'), form('lower-case')],
    known,
  ),
  kind(
    'two-tokens',
    'two tokens in one header',
    [
      [`${right} ${placeholder('other')}`],
      [`${wrong} ${token}`],
      [`${right}, ${wrong}`],
      [`${wrong}, ${right}`],
      [`${right},${placeholder('other')}`],
    ],
    malformed,
  ),
  kind('two-headers', 'another token in a first header, the right one in a second', [[wrong, right]], {
    ...known,
    ...malformed,
    rfc: 'RFC 9110 5.3',
  }),
  // Which of two headers counts, HTTP does not say; many servers read the first.
  kind(
    'two-headers-right-first',
    'the right token in a first header, another one in a second',
    [[right, wrong]],
    { ...known, ...malformed, level: 'SHOULD', rfc: 'RFC 9110 5.3' },
  ),
  kind('query-token', 'the token in the query instead', [none], {
    ...malformed,
    query: `access_token=${token}`,
    rfc: 'RFC 6750 2.3',
  }),
  kind('absent-invalid-body', 'no credentials and a body that breaks the contract', [none], {
    invalidBody: true,
  }),
  kind('wrong-token-invalid-body', 'another token and a body that breaks the contract', [form('other')], {
    ...known,
    invalidBody: true,
  }),
  kind('sticky-connection', 'no credentials, after an accepted request on the same connection', [none], {
    afterAccepted: true,
  }),
  kind(
    'sticky-connection-token',
    'another token, after an accepted request on the same connection',
    [form('other')],
    { ...known, afterAccepted: true },
  ),
  kind('lower-case-scheme', '`bearer` in lower case', [[`bearer ${token}`]], { accepted: true, ...scheme }),
  kind('upper-case-scheme', '`BEARER` in upper case', [[`BEARER ${token}`]], { accepted: true, ...scheme }),
]
