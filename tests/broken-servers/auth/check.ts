import { alsoTaking, authentic, authorization, bearerToken, isAuthentic } from '../store/credentials.ts'
import { bodyText, when } from '../store/faults.ts'
import type { BrokenServer } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { inTurn, plant, times } from '../store/sent.ts'

const row = rowsOf('auth')

const any = /^createPlant\/auth\//

const wrongToken = (changes: Readonly<Record<string, unknown>> = {}) =>
  plant(changes, { 'content-type': 'application/json', authorization: 'Bearer wrong' })

/** Stores that check the wrong place, or only some requests. */
export const checkServers: readonly BrokenServer[] = [
  row(
    'takes-query-token',
    'The right token is also accepted in the query.',
    /auth\/.*query/,
    alsoTaking(
      exchange =>
        new URL(exchange.request.url ?? '', 'http://store').searchParams.get('access_token') ===
        exchange.token,
    ),
  ),
  row(
    'takes-any-query-value',
    'The right token is also accepted anywhere in the URL.',
    /auth\/.*query/,
    alsoTaking(exchange => exchange.request.url?.includes(exchange.token) ?? false),
  ),
  row(
    'takes-token-parameter',
    'The right token is also accepted in the parameter token.',
    /auth\/.*query/,
    alsoTaking(
      exchange =>
        new URL(exchange.request.url ?? '', 'http://store').searchParams.get('token') === exchange.token,
    ),
  ),
  row(
    'takes-api-key-header',
    'The right token is also accepted as an API key.',
    /auth\/other-header/,
    alsoTaking(({ request, token }) => request.headers['x-api-key'] === token),
  ),
  row(
    'takes-proxy-authorization',
    'The right credentials are also accepted in Proxy-Authorization.',
    /auth\/other-header/,
    alsoTaking(({ request, token }) => request.headers['proxy-authorization'] === `Bearer ${token}`),
  ),
  row(
    'takes-access-token-cookie',
    'The right token is also accepted in the cookie access_token.',
    /auth\/cookie/,
    alsoTaking(
      ({ request, token }) => /\baccess_token=([^;]*)/.exec(request.headers.cookie ?? '')?.[1] === token,
    ),
  ),
  row(
    'takes-session-cookie',
    'The right token is also accepted in a cookie of any name.',
    /auth\/cookie/,
    alsoTaking(({ request, token }) => request.headers.cookie?.includes(`=${token}`) === true),
  ),
  row(
    'takes-token-in-any-header',
    'The right token is accepted in any header.',
    /auth\/.*(header|api-key|cookie|proxy|bare|scheme|basic|lengthened|two)/,
    authentic(exchange => exchange.request.rawHeaders.some(text => text.includes(exchange.token))),
  ),
  row(
    'takes-placeholder-token',
    'The word undefined is accepted as a token.',
    /auth\/.*(token|wrong|placeholder|undefined)/,
    alsoTaking(exchange => /^(undefined|null)$/.test(bearerToken(exchange) ?? '')),
  ),
  row(
    'rejects-lower-case-scheme',
    'The scheme must be written Bearer.',
    /auth\/.*(case|upper|lower).*scheme|auth\/.*scheme.*case/,
    authentic(exchange => isAuthentic(exchange) && authorization(exchange)?.startsWith('Bearer ') === true),
  ),
  row(
    'rejects-upper-case-scheme',
    'The scheme must be written Bearer or bearer.',
    /auth\/.*(case|upper).*scheme|auth\/.*scheme.*case/,
    authentic(exchange => isAuthentic(exchange) && /^[Bb]earer /.test(authorization(exchange) ?? '')),
  ),
  row(
    'checks-first-request-of-a-connection',
    'Only the first request of a connection is checked.',
    any,
    authentic(exchange => exchange.nthOnSocket > 1 || isAuthentic(exchange)),
  ),
  row(
    'remembers-the-connection',
    'After a right token, every request on the connection is accepted.',
    any,
    () => {
      const known = new WeakSet<object>()
      return authentic(exchange => {
        if (isAuthentic(exchange)) known.add(exchange.request.socket)
        return known.has(exchange.request.socket)
      })
    },
    { witness: inTurn(plant(), wrongToken()) },
  ),
  row(
    'remembers-the-client',
    'After a right token, every request is accepted.',
    any,
    () => {
      let known = false
      return authentic(exchange => {
        known ||= isAuthentic(exchange)
        return known
      })
    },
    { witness: inTurn(plant(), wrongToken()) },
  ),
  row(
    'skips-check-without-tag',
    'The token is not checked for plants without a tag.',
    any,
    alsoTaking(exchange => !bodyText(exchange).includes('"tag"')),
    { witness: inTurn(wrongToken({ tag: undefined })) },
  ),
  row(
    'skips-check-with-tag',
    'The token is not checked for plants with a tag.',
    any,
    alsoTaking(exchange => bodyText(exchange).includes('"tag"')),
  ),
  row(
    'checks-in-turns',
    'Every second request is not checked.',
    /auth\/|stability\//,
    alsoTaking(({ nth }) => nth % 2 === 0),
    {
      witness: inTurn(...times(3, () => wrongToken())),
    },
  ),
  row(
    'skips-every-third-check',
    'Every third request is not checked.',
    /auth\/|stability\//,
    alsoTaking(({ nth }) => nth % 3 === 0),
    {
      witness: inTurn(...times(4, () => wrongToken())),
    },
  ),
  row(
    'skips-every-tenth-check',
    'Every tenth request is not checked.',
    /auth\/|stability\//,
    alsoTaking(({ nth }) => nth % 10 === 0),
    {
      witness: inTurn(...times(11, () => wrongToken())),
    },
  ),
  row(
    'stops-checking',
    'Nothing is checked after fifty requests.',
    /auth\/|stability\//,
    alsoTaking(({ nth }) => nth > 50),
    {
      witness: inTurn(...times(52, () => wrongToken())),
    },
  ),
  row(
    'takes-invalid-plant-without-credentials',
    'A plant with a wrong id is created without right credentials.',
    any,
    when(
      (exchange, { cause }) => cause === 'credentials' && /"id":"/.test(bodyText(exchange)),
      response => ({ ...response, status: 200, body: '{"name":"Monstera"}' }),
    ),
    { witness: inTurn(wrongToken({ id: 'one' })) },
  ),
]
