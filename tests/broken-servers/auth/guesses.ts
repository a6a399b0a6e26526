import { alsoTaking, authorization, bearerToken } from '../store/credentials.ts'
import { bodyText } from '../store/faults.ts'
import type { BrokenServer, Exchange } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { inTurn, plant, raw, storeToken, underAuthorization } from '../store/sent.ts'

const row = rowsOf('auth')

/** Also accepts what a check of the Bearer token lets through that this Authorization shows. */
const lenient = (
  name: string,
  about: string,
  breaks: RegExp,
  shown: string,
  takes: (sent: string, right: string) => boolean,
): BrokenServer =>
  row(
    name,
    about,
    breaks,
    alsoTaking(exchange => takes(bearerToken(exchange) ?? '', exchange.token)),
    { witness: inTurn(underAuthorization(shown)) },
  )

/** Also accepts requests without right credentials that have these headers. */
const trusting = (name: string, header: string, value: string): BrokenServer =>
  row(
    name,
    `Requests with ${header}: ${value} need no credentials.`,
    /auth\/trusted-header/,
    alsoTaking(({ request }) => request.headers[header] === value),
    { witness: inTurn(plant({}, { 'content-type': 'application/json', [header]: value })) },
  )

/** Also accepts requests without right credentials if the body, or how it is sent, is special. */
const skipping = (
  name: string,
  about: string,
  breaks: RegExp,
  takes: (exchange: Exchange) => boolean,
  shown: ReturnType<typeof plant>,
): BrokenServer => row(name, about, breaks, alsoTaking(takes), { witness: inTurn(shown) })

const query = (exchange: Exchange): URLSearchParams =>
  new URL(exchange.request.url ?? '', 'http://store').searchParams

const unauthenticated = { 'content-type': 'application/json' }
const half = storeToken.slice(0, storeToken.length / 2)

/** Whether a pattern with `any` for any text matches. */
const matches = (pattern: string, any: string, text: string): boolean =>
  pattern.includes(any) && new RegExp(`^${pattern.split(any).map(RegExp.escape).join('.*')}$`).test(text)

const matchesRegex = (pattern: string, text: string): boolean => {
  try {
    return pattern !== '' && new RegExp(`^(?:${pattern})$`).test(text)
  } catch {
    return false
  }
}

const isJwt = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)
const jwtPart = (text: string, index: number): string =>
  Buffer.from(text.split('.')[index] ?? '', 'base64url').toString()

const forged = ['{"alg":"none"}', '{"sub":"1"}', '']
  .map(part => Buffer.from(part).toString('base64url'))
  .join('.')

/** Stores that accept what somebody without the right token may guess, and readings of the right one that are too kind. */
export const guessServers: readonly BrokenServer[] = [
  lenient(
    'takes-test-token',
    'The token test is accepted.',
    /auth\/placeholder/,
    'Bearer test',
    sent => sent === 'test',
  ),
  lenient(
    'takes-admin-token',
    'The token admin is accepted.',
    /auth\/placeholder/,
    'Bearer admin',
    sent => sent === 'admin',
  ),
  lenient(
    'takes-nil-token',
    'The words of languages for nothing are tokens.',
    /auth\/placeholder/,
    'Bearer None',
    sent => ['none', 'nil', 'null', 'nan'].includes(sent.toLowerCase()),
  ),
  lenient(
    'takes-globs',
    'The token is a pattern with asterisks.',
    /auth\/pattern/,
    'Bearer *',
    (sent, right) => matches(sent, '*', right),
  ),
  lenient(
    'takes-like-patterns',
    'The token is a pattern of LIKE.',
    /auth\/pattern/,
    'Bearer %',
    (sent, right) => matches(sent, '%', right),
  ),
  lenient(
    'takes-regular-expressions',
    'The token is a regular expression.',
    /auth\/pattern/,
    'Bearer .*',
    (sent, right) => matchesRegex(sent, right),
  ),
  lenient(
    'takes-half-and-wildcard',
    'A prefix and an asterisk are a token.',
    /auth\/pattern/,
    `Bearer ${half}*`,
    (sent, right) => sent.length > 1 && sent.endsWith('*') && right.startsWith(sent.slice(0, -1)),
  ),
  lenient(
    'takes-sql-injection',
    'The token is a part of a query.',
    /auth\/injection/,
    `Bearer ' OR '1'='1`,
    sent => /'\s*or\s+(1|'1?')\s*=/i.test(sent),
  ),
  lenient(
    'takes-operator-injection',
    'The token is an object of a document store.',
    /auth\/injection/,
    'Bearer {"$ne":null}',
    sent => sent.includes('$ne'),
  ),
  lenient(
    'takes-unsigned-jwt',
    'A JWT without a signature is accepted.',
    /auth\/forged/,
    `Bearer ${forged}`,
    sent => isJwt(sent) && jwtPart(sent, 0).includes('none'),
  ),
  lenient(
    'takes-any-jwt',
    'The signature of a JWT is not checked.',
    /auth\/forged/,
    `Bearer ${forged}`,
    sent => isJwt(sent) && jwtPart(sent, 1).includes('"sub"'),
  ),
  lenient(
    'takes-base64-token',
    'The token is also accepted in base64.',
    /auth\/encoded/,
    `Bearer ${Buffer.from(storeToken).toString('base64')}`,
    (sent, right) => Buffer.from(sent, 'base64').toString() === right,
  ),
  lenient(
    'takes-hex-token',
    'The token is also accepted in hexadecimal.',
    /auth\/encoded/,
    `Bearer ${Buffer.from(storeToken).toString('hex')}`,
    (sent, right) => Buffer.from(sent, 'hex').toString() === right,
  ),
  lenient(
    'decodes-percent',
    'Percent-encoding in the token is decoded.',
    /auth\/encoded/,
    `Bearer %54${storeToken.slice(1)}`,
    (sent, right) => sent.includes('%') && unescape(sent) === right,
  ),
  lenient(
    'takes-quoted-token',
    'The token may stand in double quotes.',
    /auth\/quoted/,
    `Bearer "${storeToken}"`,
    (sent, right) => sent === `"${right}"`,
  ),
  lenient(
    'strips-punctuation',
    'What is no letter, digit or hyphen around the token is removed.',
    /auth\/(quoted|token-in-text|malformed|pattern|encoded|lengthened)/,
    `Bearer <${storeToken}>`,
    (sent, right) => sent.replace(/^[^\w-]+|[^\w-]+$/g, '') === right,
  ),
  lenient(
    'takes-named-token',
    'The token may be a parameter.',
    /auth\/named/,
    `Bearer token="${storeToken}"`,
    (sent, right) => /\btoken="([^"]*)"/.exec(sent)?.[1] === right,
  ),
  lenient(
    'takes-key-value',
    'What follows an equals sign is the token.',
    /auth\/(named|injection)/,
    `Bearer token=${storeToken}`,
    (sent, right) => sent.includes('=') && sent.split('=').at(-1) === right,
  ),
  lenient(
    'cuts-at-semicolon',
    'The token ends at a semicolon.',
    /auth\/token-in-text/,
    `Bearer ${storeToken};x`,
    (sent, right) => sent.split(';')[0] === right,
  ),
  lenient(
    'cuts-at-dot',
    'The token ends at a full stop.',
    /auth\/token-in-text/,
    `Bearer ${storeToken}.x`,
    (sent, right) => sent.split('.')[0] === right,
  ),
  lenient(
    'cuts-at-colon',
    'A user may stand before the token.',
    /auth\/token-in-text/,
    `Bearer x:${storeToken}`,
    (sent, right) => sent.split(':').at(-1) === right,
  ),
  lenient(
    'cuts-at-slash',
    'The token ends at a slash.',
    /auth\/token-in-text/,
    `Bearer ${storeToken}/x`,
    (sent, right) => sent.split('/')[0] === right,
  ),
  lenient(
    'searches-for-the-token',
    'The token may stand anywhere in the text.',
    /auth\/.*(token|two|named|quoted|lengthened)/,
    `Bearer x${storeToken}x`,
    (sent, right) => sent.includes(right),
  ),
  lenient(
    'takes-long-tokens',
    'Tokens of more than 1,000 characters are not checked.',
    /auth\/token-length/,
    `Bearer ${'x'.repeat(4000)}`,
    sent => sent.length > 1000,
  ),
  lenient(
    'takes-short-tokens',
    'A token of one character is accepted.',
    /auth\/(token-length|placeholder|pattern)/,
    'Bearer x',
    sent => sent.length === 1,
  ),
  lenient(
    'reads-back-to-front',
    'The token may be reversed.',
    /auth\/encoded/,
    `Bearer ${[...storeToken].reverse().join('')}`,
    (sent, right) => [...sent].reverse().join('') === right,
  ),
  skipping(
    'takes-scheme-twice',
    'The scheme may stand twice.',
    /auth\/two-schemes/,
    exchange =>
      /^Bearer Bearer /.test(authorization(exchange) ?? '') &&
      authorization(exchange)?.slice(14) === exchange.token,
    underAuthorization(`Bearer Bearer ${storeToken}`),
  ),
  skipping(
    'searches-for-the-scheme',
    'The scheme may stand anywhere before the token.',
    /auth\/two-(schemes|tokens)/,
    exchange => /\bBearer ([^ ]+)$/.exec(authorization(exchange) ?? '')?.[1] === exchange.token,
    underAuthorization(`Basic Bearer ${storeToken}`),
  ),
  skipping(
    'takes-a-comma-for-a-space',
    'A comma may stand between scheme and token.',
    /auth\/joined/,
    exchange => authorization(exchange) === `Bearer,${exchange.token}`,
    underAuthorization(`Bearer,${storeToken}`),
  ),
  skipping(
    'takes-any-separator',
    'Any separator may stand between scheme and token.',
    /auth\/joined/,
    exchange => /^Bearer[\W_](.*)$/.exec(authorization(exchange) ?? '')?.[1] === exchange.token,
    underAuthorization(`Bearer/${storeToken}`),
  ),
  skipping(
    'takes-short-scheme',
    'The first letter of the scheme is enough.',
    /auth\/wrong-scheme-prefix/,
    exchange => authorization(exchange) === `B ${exchange.token}`,
    underAuthorization(`B ${storeToken}`),
  ),
  trusting('trusts-forwarded-for', 'x-forwarded-for', '127.0.0.1'),
  trusting('trusts-real-ip', 'x-real-ip', '127.0.0.1'),
  trusting('trusts-forwarded-host', 'x-forwarded-host', 'localhost'),
  trusting('trusts-local-origin', 'origin', 'http://localhost'),
  trusting('trusts-local-referer', 'referer', 'http://localhost/'),
  trusting('trusts-forwarded-user', 'x-forwarded-user', 'admin'),
  trusting('trusts-user-id', 'x-user-id', '1'),
  trusting('trusts-internal-mark', 'x-internal', 'true'),
  trusting('trusts-client-certificate-mark', 'x-ssl-client-verify', 'SUCCESS'),
  skipping(
    'trusts-health-checks',
    'Health checks need no credentials.',
    /auth\/trusted-header/,
    ({ request }) => /^kube-probe/.test(request.headers['user-agent'] ?? ''),
    plant({}, { ...unauthenticated, 'user-agent': 'kube-probe/1.30' }),
  ),
  skipping(
    'has-a-debug-mode',
    'With debug=true in the query, credentials are not checked.',
    /auth\/trusted-parameter/,
    exchange => query(exchange).get('debug') === 'true',
    { ...plant({}, unauthenticated), path: '/plants?debug=true' },
  ),
  skipping(
    'has-an-admin-parameter',
    'With admin in the query, credentials are not checked.',
    /auth\/trusted-parameter/,
    exchange => query(exchange).has('admin'),
    { ...plant({}, unauthenticated), path: '/plants?admin=true' },
  ),
  skipping(
    'skips-check-with-a-query',
    'With a query, credentials are not checked.',
    /auth\/(trusted-parameter|query-token)/,
    exchange => (exchange.request.url ?? '').includes('?'),
    { ...plant({}, unauthenticated), path: '/plants?x=1' },
  ),
  skipping(
    'skips-check-for-preflight-override',
    'Who claims a preflight request needs no credentials.',
    /auth\/method-override/,
    ({ request }) => request.headers['x-http-method-override'] === 'OPTIONS',
    plant({}, { ...unauthenticated, 'x-http-method-override': 'OPTIONS' }),
  ),
  skipping(
    'skips-check-for-method-parameter',
    'With _method in the query, credentials are not checked.',
    /auth\/method-override/,
    exchange => query(exchange).has('_method'),
    { ...plant({}, unauthenticated), path: '/plants?_method=OPTIONS' },
  ),
  skipping(
    'takes-body-token',
    'The token may be the property access_token.',
    /auth\/body-token/,
    exchange => bodyText(exchange).includes(`"access_token":"${exchange.token}"`),
    plant({ access_token: storeToken }, unauthenticated),
  ),
  skipping(
    'takes-any-body-token',
    'The token may stand anywhere in the body.',
    /auth\/body-token/,
    exchange => bodyText(exchange).includes(exchange.token),
    plant({ token: storeToken }, unauthenticated),
  ),
  skipping(
    'skips-check-of-chunks',
    'Requests in chunks need no credentials.',
    /auth\/(absent|wrong-token)/,
    ({ request }) => request.headers['transfer-encoding'] !== undefined,
    { ...plant({}, unauthenticated), chunked: true },
  ),
  skipping(
    'skips-check-of-large-bodies',
    'Large bodies need no credentials.',
    /auth\/(absent|wrong-token)/,
    ({ bytes }) => bytes.length > 65_536,
    raw(`{"id":77,"name":"Monstera"}${' '.repeat(70_000)}`, unauthenticated),
  ),
  row(
    'rejects-two-spaces',
    'Exactly one space must stand before the token.',
    /auth\/two-spaces/,
    {
      authenticate: exchange =>
        authorization(exchange) !== undefined &&
        /^bearer [^ ]/i.test(authorization(exchange) ?? '') &&
        bearerToken(exchange) === exchange.token,
    },
    { level: 'SHOULD', witness: inTurn(underAuthorization(`Bearer  ${storeToken}`)) },
  ),
]
