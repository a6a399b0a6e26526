import {
  alsoTaking,
  authentic,
  authorization,
  authorizations,
  bearerToken,
  schemeAndToken,
} from '../store/credentials.ts'
import type { BrokenServer, Exchange, Parts } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'

const row = rowsOf('auth')

/** Checks only the token of a Bearer header. */
const token = (takes: (sent: string, right: string) => boolean): Partial<Parts> =>
  authentic(
    exchange => takes(bearerToken(exchange) ?? '', exchange.token) && bearerToken(exchange) !== undefined,
  )

const scheme = (name: string) => (exchange: Exchange) => {
  const [scheme, token] = schemeAndToken(authorization(exchange))
  return scheme === name && token === exchange.token
}

const any = /^createPlant\/auth\//
const ofToken = /^createPlant\/auth\/.*(token|wrong|changed|cut|lengthened|case|two|prefix|suffix)/
const missing = /^createPlant\/auth\/.*(absent|missing|empty|scheme-alone|spaces|blank)/

export const tokenServers: readonly BrokenServer[] = [
  row(
    'checks-no-credentials',
    'Credentials are not checked.',
    any,
    authentic(() => true),
  ),
  row(
    'takes-any-token',
    'Any token that is not empty is accepted.',
    ofToken,
    token(sent => sent !== ''),
  ),
  row(
    'takes-any-token-and-none',
    'The scheme is checked, but not the token.',
    any,
    token(() => true),
  ),
  row(
    'takes-any-authorization',
    'Any Authorization header is accepted.',
    any,
    authentic(exchange => authorizations(exchange).length > 0),
  ),
  row(
    'takes-whatever-begins-with-bearer',
    'Any header that begins with the letters of the scheme is accepted.',
    any,
    authentic(exchange => /^bearer/i.test(authorization(exchange) ?? '')),
  ),
  row(
    'takes-basic-for-bearer',
    'The right token is also accepted under Basic.',
    /auth\/.*(scheme|basic)/,
    alsoTaking(scheme('basic')),
  ),
  row(
    'takes-basic-password',
    'The right token is also accepted as the password of Basic.',
    /auth\/.*(scheme|basic)/,
    alsoTaking(exchange => {
      const [scheme, token] = schemeAndToken(authorization(exchange))
      return scheme === 'basic' && Buffer.from(token, 'base64').toString().split(':').includes(exchange.token)
    }),
  ),
  row(
    'takes-digest-for-bearer',
    'The right token is also accepted under Digest.',
    /auth\/.*(scheme|digest)/,
    alsoTaking(scheme('digest')),
  ),
  row(
    'takes-token-for-bearer',
    'The right token is also accepted under the scheme Token.',
    /auth\/.*(scheme|token)/,
    alsoTaking(scheme('token')),
  ),
  row(
    'takes-any-scheme',
    'The right token is accepted under every scheme.',
    /auth\/.*(scheme|basic|digest)/,
    authentic(exchange => schemeAndToken(authorization(exchange))[1] === exchange.token),
  ),
  row(
    'takes-bare-token',
    'The right token is also accepted without a scheme.',
    /auth\/.*(bare|no-scheme|without-scheme)/,
    alsoTaking(exchange => authorization(exchange) === exchange.token),
  ),
  row(
    'takes-last-word',
    'The last word of the header is used as the token.',
    /auth\/.*(bare|scheme|basic|digest|two)/,
    authentic(exchange => authorization(exchange)?.split(' ').at(-1) === exchange.token),
  ),
  row(
    'takes-missing-header',
    'A request without the header is not checked.',
    /auth\/.*(absent|missing|query|header|cookie)/,
    alsoTaking(exchange => authorizations(exchange).length === 0),
  ),
  row(
    'takes-empty-header',
    'An empty header is accepted.',
    missing,
    alsoTaking(exchange => authorization(exchange) === ''),
  ),
  row(
    'takes-empty-token',
    'An empty token is accepted.',
    missing,
    alsoTaking(exchange => bearerToken(exchange) === ''),
  ),
  row(
    'takes-token-beginning',
    'Any beginning of the right token is accepted, unless it is empty.',
    /auth\/.*(cut|prefix|shortened)/,
    token((sent, right) => sent !== '' && right.startsWith(sent)),
  ),
  row(
    'takes-token-beginning-or-none',
    'Any beginning of the right token is accepted, even an empty one.',
    /auth\/.*(cut|prefix|shortened|empty|scheme-alone|spaces)/,
    token((sent, right) => right.startsWith(sent)),
  ),
  row(
    'takes-token-ending',
    'Any ending of the right token is accepted.',
    /auth\/.*(cut|suffix|shortened)/,
    token((sent, right) => sent !== '' && right.endsWith(sent)),
  ),
  row(
    'takes-part-of-token',
    'Any part of the right token is accepted.',
    /auth\/.*(cut|prefix|suffix|part|shortened)/,
    token((sent, right) => sent !== '' && right.includes(sent)),
  ),
  row(
    'takes-lengthened-token',
    'Whatever follows the right token is ignored.',
    /auth\/.*(lengthened|two|suffix)/,
    token((sent, right) => sent.startsWith(right)),
  ),
  row(
    'takes-token-anywhere',
    'A header is accepted if it contains the right token anywhere.',
    /auth\/.*(scheme|basic|digest|bare|lengthened|two|token)/,
    authentic(exchange => authorization(exchange)?.includes(exchange.token) ?? false),
  ),
  row(
    'compares-token-length',
    'Any token of the right length is accepted.',
    ofToken,
    token((sent, right) => sent.length === right.length),
  ),
  row(
    'compares-token-case-insensitively',
    'The token is compared without letter case.',
    /auth\/.*case/,
    token((sent, right) => sent.toLowerCase() === right.toLowerCase()),
  ),
  row(
    'compares-first-half',
    'Only the first half of the token is compared.',
    ofToken,
    token((sent, right) => sent.startsWith(right.slice(0, right.length >> 1))),
  ),
  row(
    'compares-second-half',
    'Only the second half of the token is compared.',
    ofToken,
    token((sent, right) => sent.endsWith(right.slice(right.length >> 1))),
  ),
  row(
    'compares-all-but-last-character',
    'The last character of the token is not compared.',
    ofToken,
    token((sent, right) => sent.length === right.length && sent.slice(0, -1) === right.slice(0, -1)),
  ),
  row(
    'compares-all-but-first-character',
    'The first character of the token is not compared.',
    ofToken,
    token((sent, right) => sent.length === right.length && sent.slice(1) === right.slice(1)),
  ),
  row(
    'takes-first-of-two-words',
    'Only the first of two words after the scheme is compared.',
    /auth\/.*(two|lengthened)/,
    token((sent, right) => sent.split(' ')[0] === right),
  ),
  row(
    'takes-first-of-a-list',
    'Only the first entry of a list with commas is compared.',
    /auth\/.*(two|lengthened|list)/,
    token((sent, right) => sent.split(',')[0] === right),
  ),
]
