import { authorization, authorizations, bearerToken, schemeAndToken } from '../store/credentials.ts'
import {
  bodyText,
  crash,
  crashPage,
  type Fault,
  hang,
  hangUp,
  on,
  reset,
  when,
  withJson,
  withText,
} from '../store/faults.ts'
import type { BrokenServer } from '../store/model.ts'
import { hangs, rowsOf } from '../store/row.ts'
import { inTurn, jsonHeaders, plant, raw } from '../store/sent.ts'

const row = rowsOf('auth')

const rejecting = (fault: Fault) => on('credentials', fault)
const credentials = /^createPlant\/(auth\/|response\/)/

const error =
  (value: unknown): Fault =>
  response =>
    withJson(response, 400, value)
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Fault =>
  response => ({
    ...response,
    status: code,
    headers: { ...response.headers, ...headers },
  })

const isAbsent = (exchange: Parameters<typeof authorizations>[0]) => authorizations(exchange).length === 0

/** Stores that reject wrong credentials, but not as the contract declares. */
export const credentialRejectionServers: readonly BrokenServer[] = [
  row(
    'rejects-credentials-with-401',
    'Wrong credentials get an undeclared 401.',
    credentials,
    rejecting(status(401)),
  ),
  row(
    'rejects-credentials-with-401-and-challenge',
    'Wrong credentials get an undeclared 401, with a challenge.',
    credentials,
    rejecting(status(401, { 'www-authenticate': 'Bearer realm="plants"' })),
  ),
  row(
    'rejects-credentials-with-403',
    'Wrong credentials get an undeclared 403.',
    credentials,
    rejecting(status(403)),
  ),
  row(
    'rejects-credentials-with-404',
    'Wrong credentials get an undeclared 404.',
    credentials,
    rejecting(status(404)),
  ),
  row(
    'rejects-credentials-with-422',
    'Wrong credentials get an undeclared 422.',
    credentials,
    rejecting(status(422)),
  ),
  row('rejects-credentials-with-500', 'Wrong credentials get a 500.', credentials, rejecting(crash)),
  row(
    'sends-to-login',
    'Wrong credentials are redirected to a login page.',
    credentials,
    rejecting(response => ({ ...withText(response, 302, ''), headers: { location: '/login' } })),
  ),
  row(
    'shows-login-page',
    'Wrong credentials get a login page with status 200.',
    credentials,
    rejecting(response => withText(response, 200, '<!doctype html><title>Log in</title>', 'text/html')),
  ),
  row(
    'rejects-credentials-with-200',
    'The rejection of wrong credentials has status 200.',
    credentials,
    rejecting(status(200)),
  ),
  row(
    'rejects-credentials-with-empty-plant',
    'Wrong credentials get a Plant without a name.',
    credentials,
    rejecting(response => withJson(response, 200, { name: '' })),
  ),
  row(
    'rejects-credentials-in-text',
    'The rejection of wrong credentials is plain text.',
    credentials,
    rejecting(response => withText(response, 400, 'Unauthorized')),
  ),
  row(
    'rejects-credentials-in-html',
    'The rejection of wrong credentials is an HTML page.',
    credentials,
    rejecting(response => withText(response, 400, '<h1>Unauthorized</h1>', 'text/html')),
  ),
  row(
    'rejects-credentials-as-problem',
    'The rejection of wrong credentials is a problem document.',
    credentials,
    rejecting(response => ({
      ...withJson(response, 400, { error: 1, message: 'no' }),
      headers: { 'content-type': 'application/problem+json' },
    })),
  ),
  row(
    'rejects-credentials-without-body',
    'The rejection of wrong credentials has no body.',
    credentials,
    rejecting(response => ({ ...response, headers: {}, body: '' })),
  ),
  row(
    'rejects-credentials-with-empty-json',
    'The rejection of wrong credentials is JSON with an empty body.',
    credentials,
    rejecting(response => ({ ...response, body: '' })),
  ),
  row(
    'rejects-credentials-without-message',
    'The rejection of wrong credentials has no message.',
    credentials,
    rejecting(error({ error: 1 })),
  ),
  row(
    'rejects-credentials-without-error',
    'The rejection of wrong credentials has no error.',
    credentials,
    rejecting(error({ message: 'no' })),
  ),
  row(
    'rejects-credentials-with-string-error',
    'The rejection of wrong credentials has a string as its error.',
    credentials,
    rejecting(error({ error: 'unauthorized', message: 'no' })),
  ),
  row(
    'rejects-credentials-in-an-envelope',
    'The rejection of wrong credentials is nested.',
    credentials,
    rejecting(error({ error: { error: 1, message: 'no' } })),
  ),
  row(
    'rejects-credentials-with-a-string',
    'The rejection of wrong credentials is a JSON string.',
    credentials,
    rejecting(error('unauthorized')),
  ),
  row(
    'crashes-without-authorization',
    'A request without credentials gets a 500.',
    credentials,
    when(isAbsent, crash),
  ),
  row(
    'crashes-without-authorization-page',
    'A request without credentials gets an error page.',
    credentials,
    when(isAbsent, crashPage),
  ),
  row(
    'crashes-on-scheme-alone',
    'A scheme without a token gets a 500.',
    credentials,
    when(exchange => bearerToken(exchange) === '', crash),
  ),
  row(
    'crashes-on-other-schemes',
    'Other schemes get a 500.',
    credentials,
    when(exchange => !isAbsent(exchange) && schemeAndToken(authorization(exchange))[0] !== 'bearer', crash),
  ),
  row(
    'crashes-on-two-tokens',
    'Two words after the scheme get a 500.',
    credentials,
    when(exchange => / .* /.test(authorization(exchange) ?? ''), crash),
  ),
  row(
    'crashes-on-letters-in-token',
    'Letters beyond ASCII in the token get a 500.',
    /^createPlant\/(auth\/non-ascii-token|response\/)/,
    when(exchange => /[^\0-\x7f]/.test(bearerToken(exchange) ?? ''), crash),
    { witness: inTurn(plant({}, { ...jsonHeaders, authorization: 'Bearer \u00e9' })) },
  ),
  row(
    'hangs-without-authorization',
    'A request without credentials gets no response.',
    credentials,
    when(isAbsent, hang),
    hangs,
  ),
  row(
    'hangs-on-wrong-token',
    'A wrong token gets no response.',
    credentials,
    when((exchange, { cause }) => cause === 'credentials' && Boolean(bearerToken(exchange)), hang),
    hangs,
  ),
  row(
    'hangs-up-without-authorization',
    'A request without credentials ends the connection.',
    credentials,
    when(isAbsent, hangUp),
  ),
  row(
    'resets-on-wrong-token',
    'A wrong token resets the connection.',
    credentials,
    when((exchange, { cause }) => cause === 'credentials' && Boolean(bearerToken(exchange)), reset),
  ),
  row(
    'resets-on-other-schemes',
    'Other schemes reset the connection.',
    credentials,
    when(
      (exchange, { cause }) =>
        cause === 'credentials' &&
        / /.test(authorization(exchange) ?? '') &&
        bearerToken(exchange) === undefined,
      reset,
    ),
  ),
  row(
    'crashes-on-invalid-body-without-credentials',
    'Malformed JSON without credentials gets a 500.',
    credentials,
    when(
      (exchange, { cause }) => cause === 'credentials' && !bodyText(exchange).trimEnd().endsWith('}'),
      crash,
    ),
    { witness: inTurn(raw('{"id":', { 'content-type': 'application/json' })) },
  ),
]
