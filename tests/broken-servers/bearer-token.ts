import { also, authentic, authorization, authorizations, bearerToken, schemeAndToken } from './credentials.ts'
import type { Asked, Broken, Parts } from './model.ts'
import { rowsOf } from './row.ts'

const row = rowsOf('bearer')

/** Looks at the token alone, where there is a Bearer header. */
const token = (takes: (given: string, right: string) => boolean): Partial<Parts> =>
  authentic(asked => takes(bearerToken(asked) ?? '', asked.token) && bearerToken(asked) !== undefined)

const scheme = (name: string) => (asked: Asked) => {
  const [given, rest] = schemeAndToken(authorization(asked))
  return given === name && rest === asked.token
}

const any = /^createPlant\/auth\//
const ofToken = /^createPlant\/auth\/.*(token|wrong|changed|cut|lengthened|case|two|prefix|suffix)/
const lacking = /^createPlant\/auth\/.*(absent|missing|empty|scheme-alone|spaces|blank)/

export const tokenServers: readonly Broken[] = [
  row(
    'checks-no-credentials',
    'Credentials are not looked at.',
    any,
    authentic(() => true),
  ),
  row(
    'takes-any-token',
    'Any token but an empty one will do.',
    ofToken,
    token(given => given !== ''),
  ),
  row(
    'takes-any-token-and-none',
    'The scheme is checked and nothing after it.',
    any,
    token(() => true),
  ),
  row(
    'takes-any-authorization',
    'An Authorization header has to be there, whatever it says.',
    any,
    authentic(asked => authorizations(asked).length > 0),
  ),
  row(
    'takes-text-that-begins-with-bearer',
    'Whatever begins with the letters of the scheme is taken.',
    any,
    authentic(asked => /^bearer/i.test(authorization(asked) ?? '')),
  ),
  row(
    'takes-basic-for-bearer',
    'The right token is taken under Basic too.',
    /auth\/.*(scheme|basic)/,
    also(scheme('basic')),
  ),
  row(
    'takes-basic-password',
    'The right token is taken as the password of Basic.',
    /auth\/.*(scheme|basic)/,
    also(asked => {
      const [given, rest] = schemeAndToken(authorization(asked))
      return given === 'basic' && Buffer.from(rest, 'base64').toString().split(':').includes(asked.token)
    }),
  ),
  row(
    'takes-digest-for-bearer',
    'The right token is taken under Digest too.',
    /auth\/.*(scheme|digest)/,
    also(scheme('digest')),
  ),
  row(
    'takes-token-for-bearer',
    'The right token is taken under the scheme Token too.',
    /auth\/.*(scheme|token)/,
    also(scheme('token')),
  ),
  row(
    'takes-any-scheme',
    'The right token is taken under every scheme.',
    /auth\/.*(scheme|basic|digest)/,
    authentic(asked => schemeAndToken(authorization(asked))[1] === asked.token),
  ),
  row(
    'takes-bare-token',
    'The right token is taken without a scheme.',
    /auth\/.*(bare|no-scheme|without-scheme)/,
    also(asked => authorization(asked) === asked.token),
  ),
  row(
    'takes-last-word',
    'The last word of the header is taken for the token.',
    /auth\/.*(bare|scheme|basic|digest|two)/,
    authentic(asked => authorization(asked)?.split(' ').at(-1) === asked.token),
  ),
  row(
    'takes-missing-header',
    'Without a header there is no check.',
    /auth\/.*(absent|missing|query|header|cookie)/,
    also(asked => authorizations(asked).length === 0),
  ),
  row(
    'takes-empty-header',
    'An empty header passes.',
    lacking,
    also(asked => authorization(asked) === ''),
  ),
  row(
    'takes-empty-token',
    'An empty token passes.',
    lacking,
    also(asked => bearerToken(asked) === ''),
  ),
  row(
    'takes-token-beginning',
    'The beginning of the right token is enough, if it is not empty.',
    /auth\/.*(cut|prefix|shortened)/,
    token((given, right) => given !== '' && right.startsWith(given)),
  ),
  row(
    'takes-token-beginning-or-none',
    'The beginning of the right token is enough, even an empty one.',
    /auth\/.*(cut|prefix|shortened|empty|scheme-alone|spaces)/,
    token((given, right) => right.startsWith(given)),
  ),
  row(
    'takes-token-ending',
    'The end of the right token is enough.',
    /auth\/.*(cut|suffix|shortened)/,
    token((given, right) => given !== '' && right.endsWith(given)),
  ),
  row(
    'takes-part-of-token',
    'Any part of the right token is enough.',
    /auth\/.*(cut|prefix|suffix|part|shortened)/,
    token((given, right) => given !== '' && right.includes(given)),
  ),
  row(
    'takes-lengthened-token',
    'What follows the right token is not looked at.',
    /auth\/.*(lengthened|two|suffix)/,
    token((given, right) => given.startsWith(right)),
  ),
  row(
    'takes-token-anywhere',
    'The header has to contain the right token somewhere.',
    /auth\/.*(scheme|basic|digest|bare|lengthened|two|token)/,
    authentic(asked => authorization(asked)?.includes(asked.token) ?? false),
  ),
  row(
    'compares-token-length',
    'Tokens of the right length are taken.',
    ofToken,
    token((given, right) => given.length === right.length),
  ),
  row(
    'compares-token-without-case',
    'Letter case in the token is not looked at.',
    /auth\/.*case/,
    token((given, right) => given.toLowerCase() === right.toLowerCase()),
  ),
  row(
    'compares-first-half',
    'Only the first half of the token is compared.',
    ofToken,
    token((given, right) => given.startsWith(right.slice(0, right.length >> 1))),
  ),
  row(
    'compares-second-half',
    'Only the second half of the token is compared.',
    ofToken,
    token((given, right) => given.endsWith(right.slice(right.length >> 1))),
  ),
  row(
    'compares-all-but-last-character',
    'The last character of the token is not compared.',
    ofToken,
    token((given, right) => given.length === right.length && given.slice(0, -1) === right.slice(0, -1)),
  ),
  row(
    'compares-all-but-first-character',
    'The first character of the token is not compared.',
    ofToken,
    token((given, right) => given.length === right.length && given.slice(1) === right.slice(1)),
  ),
  row(
    'takes-first-of-two-words',
    'Of two words after the scheme the first is compared.',
    /auth\/.*(two|lengthened)/,
    token((given, right) => given.split(' ')[0] === right),
  ),
  row(
    'takes-first-of-a-list',
    'Of a list with commas the first entry is compared.',
    /auth\/.*(two|lengthened|list)/,
    token((given, right) => given.split(',')[0] === right),
  ),
  row(
    'takes-first-of-two-headers',
    'Of two headers the first is compared.',
    /auth\/.*two/,
    authentic(asked => {
      const [given, rest] = schemeAndToken(authorizations(asked)[0])
      return given === 'bearer' && rest === asked.token
    }),
    // Which of two headers counts, HTTP does not say.
    { level: 'SHOULD' },
  ),
  row(
    'takes-either-of-two-headers',
    'Of two headers one has to be right.',
    /auth\/.*two/,
    authentic(asked =>
      authorizations(asked).some(header => {
        const [given, rest] = schemeAndToken(header)
        return given === 'bearer' && rest === asked.token
      }),
    ),
  ),
]
