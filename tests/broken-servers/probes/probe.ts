import type { SentRequest } from '../store/model.ts'
import { jsonHeaders, plant, raw, storeToken, underAuthorization, underContentType } from '../store/sent.ts'

export type Probe = {
  /** The obligation that the request is about. */
  readonly id: string
  /** `extreme`: a store may reject it, at the price of a warning; `either`: the contract does not specify it. */
  readonly expectation: 'accept' | 'reject' | 'extreme' | 'either'
  readonly request: SentRequest
}

export const probe = (expectation: Probe['expectation'], id: string, request: SentRequest): Probe => ({
  id: `createPlant/${id}`,
  expectation,
  request,
})

const token = storeToken
const swapCase = (text: string) =>
  text.replace(/[a-z]/gi, letter => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))

const credentials: Readonly<Record<string, string | string[] | undefined>> = {
  absent: undefined,
  empty: '',
  'scheme-alone': 'Bearer',
  spaces: 'Bearer    ',
  'wrong-scheme-basic': `Basic ${token}`,
  'wrong-scheme-basic-pair': `Basic ${Buffer.from(`user:${token}`).toString('base64')}`,
  'wrong-scheme-digest': `Digest ${token}`,
  'wrong-scheme-token': `Token ${token}`,
  'wrong-scheme-bearers': `Bearers ${token}`,
  'bare-token': token,
  'wrong-token': 'Bearer Maple-5d2bE8-Forest',
  'wrong-token-other-length': 'Bearer wrong',
  'token-changed-first': `Bearer X${token.slice(1)}`,
  'token-changed-middle': `Bearer ${token.replace('f3', 'e3')}`,
  'token-changed-last': `Bearer ${token.slice(0, -1)}X`,
  'token-cut': `Bearer ${token.slice(0, -1)}`,
  'token-cut-half': `Bearer ${token.slice(0, 9)}`,
  'token-cut-front': `Bearer ${token.slice(1)}`,
  'token-lengthened': `Bearer ${token}x`,
  'token-lengthened-front': `Bearer x${token}`,
  'token-letter-case': `Bearer ${swapCase(token)}`,
  'token-letter-case-lower': `Bearer ${token.toLowerCase()}`,
  'token-placeholder': 'Bearer undefined',
  'two-tokens-space': `Bearer ${token} ${token}`,
  'two-tokens-space-wrong': `Bearer ${token} wrong`,
  'two-tokens-comma': `Bearer ${token}, Bearer wrong`,
}

const json = { 'content-type': 'application/json' }

export const credentialProbes: readonly Probe[] = [
  probe('accept', 'response/200/status', plant()),
  ...Object.entries(credentials).map(([what, value]) =>
    probe('reject', `auth/${what}`, underAuthorization(value)),
  ),
  probe(
    'reject',
    'auth/wrong-token-without-tag',
    plant({ tag: undefined }, { ...json, authorization: 'Bearer no' }),
  ),
  probe(
    'reject',
    'auth/wrong-token-invalid-body',
    plant({ id: 'one' }, { ...json, authorization: 'Bearer no' }),
  ),
  probe('reject', 'auth/absent-invalid-body', raw('{"id":', json)),
  probe('reject', 'auth/query-token', { ...plant({}, json), path: `/plants?access_token=${token}` }),
  probe('reject', 'auth/query-token-short', { ...plant({}, json), path: `/plants?token=${token}` }),
  probe('reject', 'auth/other-header-api-key', plant({}, { ...json, 'x-api-key': token })),
  probe(
    'reject',
    'auth/other-header-proxy',
    plant({}, { ...json, 'proxy-authorization': `Bearer ${token}` }),
  ),
  probe('reject', 'auth/cookie-token', plant({}, { ...json, cookie: `access_token=${token}` })),
  probe('accept', 'auth/lower-case-scheme', underAuthorization(`bearer ${token}`)),
  probe('accept', 'auth/upper-case-scheme', underAuthorization(`BEARER ${token}`)),
  probe('either', 'unspecified/spaces-before-token', underAuthorization(`Bearer  ${token}`)),
]

const mediaTypes: Readonly<Record<string, string | undefined>> = {
  absent: undefined,
  text: 'text/plain',
  'text-charset': 'text/plain; charset=utf-8',
  html: 'text/html',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data; boundary=x',
  xml: 'application/xml',
  binary: 'application/octet-stream',
  'json-suffix': 'application/vnd.plant+json',
  'json-patch': 'application/json-patch+json',
  'json-lengthened': 'application/jsonl',
  'text-json': 'text/json',
  'json-alone': 'json',
  any: '*/*',
}

export const mediaProbes: readonly Probe[] = [
  ...Object.entries(mediaTypes).map(([what, type]) =>
    probe('reject', `request/content-type/${what}`, underContentType(type)),
  ),
  probe('accept', 'request/content-type/charset', underContentType('application/json; charset=utf-8')),
  probe('accept', 'request/content-type/charset-tight', underContentType('application/json;charset=UTF-8')),
  probe('accept', 'request/content-type/letter-case', underContentType('Application/JSON')),
  probe('accept', 'request/content-type/letter-case-upper', underContentType('APPLICATION/JSON')),
  probe('accept', 'request/framing/chunked', { ...plant(), chunked: true }),
  probe('reject', 'request/body/required/absent', {
    ...raw('', { authorization: jsonHeaders.authorization }),
  }),
  probe('reject', 'request/body/required/empty', raw('')),
  probe('reject', 'request/body/required/empty-chunked', { ...raw(''), chunked: true }),
  probe('reject', 'request/body/required/blank', raw('  \n ')),
]
