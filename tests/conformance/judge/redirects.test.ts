/** A redirect to a login keeps out who has no right credentials: it accepts nobody. */
import { expect, test } from 'vitest'
import { type Answer, type Asked, failedOf, shown, verifyAnswering } from './answering.ts'

const schema = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } }
const token = 'right-token'

const documentOf = (responses: object) => ({
  paths: { '/things': { get: { operationId: 'list', responses: { 200: shown(schema), ...responses } } } },
  rest: {
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  },
})

const served =
  (closed: Answer) =>
  ({ url, method, headers }: Asked): Answer => {
    if (url.pathname !== '/things') return { status: 404 }
    if (headers['x-key'] !== token) return closed
    return method === 'GET' ? { status: 200, body: { a: 1 } } : { status: 405, headers: { Allow: 'GET' } }
  }

const to = (location: string, status = 302): Answer => ({ status, headers: { Location: location } })
const login = '/accounts/login/?next=/things'
const unauthorized = { 401: { description: 'no' } }

test.each([
  ['nothing is declared', {}, to(login)],
  ['nothing is declared, 303', {}, to(login, 303)],
  ['nothing is declared, 307 to somewhere', {}, to('https://id.example/welcome', 307)],
  ['302 is declared', { 302: { description: 'to the login' } }, to(login)],
  ['302 and 401 are declared', { 302: { description: 'to the login' }, ...unauthorized }, to('/login')],
  [
    'default is declared',
    { default: { description: 'anything else' } },
    to('https://host.example/sso/Login.aspx'),
  ],
])('%s: it is right', async (_name, responses, closed) => {
  const ledger = await verifyAnswering(documentOf(responses), served(closed), { token })
  expect([failedOf(ledger, 'MUST'), failedOf(ledger, 'SHOULD')]).toEqual([[], []])
  expect(ledger.entries.find(({ obligation }) => obligation.id === 'list/auth/absent')?.verdict.kind).toBe(
    'passed',
  )
})

test.each([302, 303, 307])('401 is declared: %d is undeclared, and accepts nobody', async status => {
  const ledger = await verifyAnswering(documentOf(unauthorized), served(to(login, status)), { token })
  expect(ledger.findings).toMatchObject([
    {
      title: expect.stringMatching(
        new RegExp(`^redirected a request .* to /accounts/login/ \\(${status}\\), an undeclared status$`),
      ),
      obligation: 'list/response/declared',
      hint: expect.stringContaining('Programs cannot log in there'),
    },
  ])
})

test('a declared redirect to what was asked for accepts everybody', async () => {
  const found = to('https://files.example/1.pdf')
  const ledger = await verifyAnswering(
    {
      ...documentOf({}),
      paths: {
        '/things': {
          get: { operationId: 'list', responses: { 302: { description: 'to the file' }, ...unauthorized } },
        },
      },
    },
    ({ url }) => (url.pathname === '/things' ? found : { status: 404 }),
    { token },
  )
  expect(failedOf(ledger, 'MUST')).toContain('list/auth/absent')
})

test.each([
  [undefined, 'no token was given, and the server redirects to a login (302 to /accounts/login/)'],
  ['another', 'the server redirects to a login (302 to /accounts/login/): is the token right?'],
])('with the token %s nothing is accused', async (given, reason) => {
  const { end, findings } = await verifyAnswering(
    documentOf(unauthorized),
    served(to(login)),
    given === undefined ? {} : { token: given },
  )
  expect(findings).toEqual([])
  expect(end).toMatchObject({ stopped: 'access', reason: expect.stringContaining(reason) })
})
