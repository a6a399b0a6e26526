import { authorization, authorizations, bearerToken, schemeAndToken } from './credentials.ts'
import {
  bodyText,
  crash,
  crashPage,
  type Failing,
  hang,
  hangUp,
  on,
  reset,
  when,
  withJson,
  withText,
} from './faults.ts'
import type { Broken } from './model.ts'
import { rowsOf } from './row.ts'
import { inTurn, raw } from './sent.ts'

const row = rowsOf('bearer')

const refusal = (failing: Failing) => on('credentials', failing)
const answered = /^createPlant\/(auth\/|response\/)/

const error =
  (value: unknown): Failing =>
  answer =>
    withJson(answer, 400, value)
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Failing =>
  answer => ({
    ...answer,
    status: code,
    headers: { ...answer.headers, ...headers },
  })

const isAbsent = (asked: Parameters<typeof authorizations>[0]) => authorizations(asked).length === 0

/** Stores that see wrong credentials, and refuse them in a way that the contract does not have. */
export const credentialRefusalServers: readonly Broken[] = [
  row(
    'refuses-credentials-with-401',
    'Wrong credentials get an undeclared 401.',
    answered,
    refusal(status(401)),
  ),
  row(
    'refuses-credentials-with-401-and-challenge',
    'Wrong credentials get an undeclared 401, with a challenge.',
    answered,
    refusal(status(401, { 'www-authenticate': 'Bearer realm="plants"' })),
  ),
  row(
    'refuses-credentials-with-403',
    'Wrong credentials get an undeclared 403.',
    answered,
    refusal(status(403)),
  ),
  row(
    'refuses-credentials-with-404',
    'Wrong credentials get an undeclared 404.',
    answered,
    refusal(status(404)),
  ),
  row(
    'refuses-credentials-with-422',
    'Wrong credentials get an undeclared 422.',
    answered,
    refusal(status(422)),
  ),
  row('refuses-credentials-with-500', 'Wrong credentials get a 500.', answered, refusal(crash)),
  row(
    'sends-to-login',
    'Wrong credentials are redirected to a login page.',
    answered,
    refusal(answer => ({ ...withText(answer, 302, ''), headers: { location: '/login' } })),
  ),
  row(
    'shows-login-page',
    'Wrong credentials get a page with status 200.',
    answered,
    refusal(answer => withText(answer, 200, '<!doctype html><title>Log in</title>', 'text/html')),
  ),
  row(
    'refuses-credentials-with-200',
    'The refusal of wrong credentials has status 200.',
    answered,
    refusal(status(200)),
  ),
  row(
    'refuses-credentials-with-empty-plant',
    'Wrong credentials get a Plant without a name.',
    answered,
    refusal(answer => withJson(answer, 200, { name: '' })),
  ),
  row(
    'refuses-credentials-in-text',
    'The refusal of wrong credentials is plain text.',
    answered,
    refusal(answer => withText(answer, 400, 'Unauthorized')),
  ),
  row(
    'refuses-credentials-in-html',
    'The refusal of wrong credentials is a page.',
    answered,
    refusal(answer => withText(answer, 400, '<h1>Unauthorized</h1>', 'text/html')),
  ),
  row(
    'refuses-credentials-as-problem',
    'The refusal of wrong credentials is a problem document.',
    answered,
    refusal(answer => ({
      ...withJson(answer, 400, { error: 1, message: 'no' }),
      headers: { 'content-type': 'application/problem+json' },
    })),
  ),
  row(
    'refuses-credentials-without-body',
    'The refusal of wrong credentials has no body.',
    answered,
    refusal(answer => ({ ...answer, headers: {}, body: '' })),
  ),
  row(
    'refuses-credentials-with-empty-json',
    'The refusal of wrong credentials is JSON without content.',
    answered,
    refusal(answer => ({ ...answer, body: '' })),
  ),
  row(
    'refuses-credentials-without-message',
    'The refusal of wrong credentials has no message.',
    answered,
    refusal(error({ error: 1 })),
  ),
  row(
    'refuses-credentials-without-error',
    'The refusal of wrong credentials has no error.',
    answered,
    refusal(error({ message: 'no' })),
  ),
  row(
    'refuses-credentials-with-error-text',
    'The refusal of wrong credentials has a text as its error.',
    answered,
    refusal(error({ error: 'unauthorized', message: 'no' })),
  ),
  row(
    'refuses-credentials-in-an-envelope',
    'The refusal of wrong credentials is nested.',
    answered,
    refusal(error({ error: { error: 1, message: 'no' } })),
  ),
  row(
    'refuses-credentials-with-a-string',
    'The refusal of wrong credentials is a JSON string.',
    answered,
    refusal(error('unauthorized')),
  ),
  row(
    'crashes-without-authorization',
    'A request without credentials gets a 500.',
    answered,
    when(isAbsent, crash),
  ),
  row(
    'crashes-without-authorization-page',
    'A request without credentials gets an error page.',
    answered,
    when(isAbsent, crashPage),
  ),
  row(
    'crashes-on-scheme-alone',
    'A scheme without a token gets a 500.',
    answered,
    when(asked => bearerToken(asked) === '', crash),
  ),
  row(
    'crashes-on-other-schemes',
    'Other schemes get a 500.',
    answered,
    when(asked => !isAbsent(asked) && schemeAndToken(authorization(asked))[0] !== 'bearer', crash),
  ),
  row(
    'crashes-on-two-tokens',
    'Two words after the scheme get a 500.',
    answered,
    when(asked => / .* /.test(authorization(asked) ?? ''), crash),
  ),
  row(
    'hangs-without-authorization',
    'A request without credentials gets no answer.',
    answered,
    when(isAbsent, hang),
  ),
  row(
    'hangs-on-wrong-token',
    'A wrong token gets no answer.',
    answered,
    when((asked, { cause }) => cause === 'credentials' && Boolean(bearerToken(asked)), hang),
  ),
  row(
    'hangs-up-without-authorization',
    'A request without credentials ends the connection.',
    answered,
    when(isAbsent, hangUp),
  ),
  row(
    'resets-on-wrong-token',
    'A wrong token resets the connection.',
    answered,
    when((asked, { cause }) => cause === 'credentials' && Boolean(bearerToken(asked)), reset),
  ),
  row(
    'resets-on-other-schemes',
    'Other schemes reset the connection.',
    answered,
    when(
      (asked, { cause }) =>
        cause === 'credentials' && / /.test(authorization(asked) ?? '') && bearerToken(asked) === undefined,
      reset,
    ),
  ),
  row(
    'crashes-on-invalid-body-without-credentials',
    'Without credentials a body that is not JSON gets a 500.',
    answered,
    when((asked, { cause }) => cause === 'credentials' && !bodyText(asked).trimEnd().endsWith('}'), crash),
    { witness: inTurn(raw('{"id":', { 'content-type': 'application/json' })) },
  ),
]
