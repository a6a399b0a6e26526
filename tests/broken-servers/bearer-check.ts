import { also, authentic, authorization, bearerToken, isAuthentic } from './credentials.ts'
import { bodyText, when } from './faults.ts'
import type { Broken } from './model.ts'
import { rowsOf } from './row.ts'
import { inTurn, plant, times } from './sent.ts'

const row = rowsOf('bearer')

const any = /^createPlant\/auth\//

const wrongToken = (changes: Readonly<Record<string, unknown>> = {}) =>
  plant(changes, { 'content-type': 'application/json', authorization: 'Bearer wrong' })

/** Stores that look elsewhere, or only now and then. */
export const checkServers: readonly Broken[] = [
  row(
    'takes-query-token',
    'The right token is taken from the query.',
    /auth\/.*query/,
    also(
      asked =>
        new URL(asked.request.url ?? '', 'http://store').searchParams.get('access_token') === asked.token,
    ),
  ),
  row(
    'takes-any-query-value',
    'The right token is taken from anywhere in the address.',
    /auth\/.*query/,
    also(asked => asked.request.url?.includes(asked.token) ?? false),
  ),
  row(
    'takes-token-in-any-header',
    'The right token is taken from any header.',
    /auth\/.*(header|api-key|cookie|proxy|bare|scheme|basic|lengthened|two)/,
    authentic(asked => asked.request.rawHeaders.some(text => text.includes(asked.token))),
  ),
  row(
    'takes-placeholder-token',
    'The word undefined is taken for a token.',
    /auth\/.*(token|wrong|placeholder|undefined)/,
    also(asked => /^(undefined|null)$/.test(bearerToken(asked) ?? '')),
  ),
  row(
    'refuses-lower-case-scheme',
    'The scheme has to be written Bearer.',
    /auth\/.*(case|upper|lower).*scheme|auth\/.*scheme.*case/,
    authentic(asked => isAuthentic(asked) && authorization(asked)?.startsWith('Bearer ') === true),
  ),
  row(
    'refuses-upper-case-scheme',
    'The scheme may be written Bearer or bearer, and in no other way.',
    /auth\/.*(case|upper).*scheme|auth\/.*scheme.*case/,
    authentic(asked => isAuthentic(asked) && /^[Bb]earer /.test(authorization(asked) ?? '')),
  ),
  row(
    'checks-first-request-of-a-connection',
    'Only the first request of a connection is checked.',
    any,
    authentic(asked => asked.nthOnSocket > 1 || isAuthentic(asked)),
  ),
  row('remembers-the-connection', 'After a right token everything on the connection passes.', any, () => {
    const known = new WeakSet<object>()
    return authentic(asked => {
      if (isAuthentic(asked)) known.add(asked.request.socket)
      return known.has(asked.request.socket)
    })
  }),
  row('remembers-the-client', 'After a right token everything passes.', any, () => {
    let known = false
    return authentic(asked => {
      known ||= isAuthentic(asked)
      return known
    })
  }),
  row(
    'skips-check-without-tag',
    'Plants without a tag are not checked for a token.',
    any,
    also(asked => !bodyText(asked).includes('"tag"')),
    { witness: inTurn(wrongToken({ tag: undefined })) },
  ),
  row(
    'skips-check-with-tag',
    'Plants with a tag are not checked for a token.',
    any,
    also(asked => bodyText(asked).includes('"tag"')),
  ),
  row(
    'checks-in-turns',
    'Every second request is not checked.',
    /auth\/|load\//,
    also(({ nth }) => nth % 2 === 0),
    {
      witness: inTurn(...times(3, () => wrongToken())),
    },
  ),
  row(
    'skips-every-third-check',
    'Every third request is not checked.',
    /auth\/|load\//,
    also(({ nth }) => nth % 3 === 0),
    {
      witness: inTurn(...times(4, () => wrongToken())),
    },
  ),
  row(
    'skips-every-tenth-check',
    'Every tenth request is not checked.',
    /auth\/|load\//,
    also(({ nth }) => nth % 10 === 0),
    {
      witness: inTurn(...times(11, () => wrongToken())),
    },
  ),
  row(
    'stops-checking',
    'After fifty requests the check is over.',
    /auth\/|load\//,
    also(({ nth }) => nth > 50),
    {
      witness: inTurn(...times(52, () => wrongToken())),
    },
  ),
  row(
    'takes-invalid-plant-without-credentials',
    'Without right credentials a plant with a wrong id is created.',
    any,
    when(
      (asked, { cause }) => cause === 'credentials' && /"id":"/.test(bodyText(asked)),
      answer => ({ ...answer, status: 200, body: '{"name":"Monstera"}' }),
    ),
    { witness: inTurn(wrongToken({ id: 'one' })) },
  ),
]
