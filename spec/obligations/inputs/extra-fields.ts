import type { Scheme } from '../../contract/contract.ts'
import type { ExtraField } from '../../serialization/request-head.ts'
import { token } from './credential-kind.ts'

/** A field at this place for each name, with its value. */
export const fieldsIn = (
  place: ExtraField['in'],
  values: Readonly<Record<string, string>>,
): readonly ExtraField[] => Object.entries(values).map(([name, value]) => ({ in: place, name, value }))

const withToken = (place: ExtraField['in'], value: string, names: readonly string[]): readonly ExtraField[] =>
  fieldsIn(place, Object.fromEntries(names.map(name => [name, value])))

/** What a request may have instead of its credentials: the token at an undeclared place, or what some servers trust without one. */
export const extraFields = {
  // The first one is RFC 6750's.
  'query-token': withToken('query', token, [
    'access_token',
    'token',
    'api_key',
    'auth',
    'apikey',
    'key',
    'jwt',
    'bearer',
    'authorization',
  ]),
  'other-header': [
    ...withToken('header', token, [
      'X-Api-Key',
      'X-Access-Token',
      'X-Auth-Token',
      'X-Token',
      'Token',
      'Access-Token',
      'Api-Key',
    ]),
    ...withToken('header', `Bearer ${token}`, [
      'Proxy-Authorization',
      'X-Authorization',
      'X-Forwarded-Authorization',
      'Authentication',
    ]),
  ],
  'cookie-token': withToken('cookie', token, [
    'access_token',
    'token',
    'session',
    'jwt',
    'auth',
    'authorization',
    'bearer',
    'api_key',
  ]),
  // The first one is RFC 6750's, which has it in forms only.
  'body-token': withToken('body', token, ['access_token', 'token', 'auth', 'api_key']),
  'trusted-header': fieldsIn('header', {
    'X-Forwarded-For': '127.0.0.1',
    'X-Real-IP': '127.0.0.1',
    'X-Forwarded-Host': 'localhost',
    Forwarded: 'for=127.0.0.1;host=localhost',
    Origin: 'http://localhost',
    Referer: 'http://localhost/',
    'User-Agent': 'kube-probe/1.30',
    'X-Forwarded-User': 'admin',
    'X-Remote-User': 'admin',
    'X-Auth-Request-User': 'admin',
    'X-User-Id': '1',
    'X-Authenticated': 'true',
    'X-Internal': 'true',
    'X-Debug': 'true',
    'X-SSL-Client-Verify': 'SUCCESS',
  }),
  'trusted-parameter': fieldsIn('query', {
    debug: 'true',
    admin: 'true',
    internal: 'true',
    test: '1',
    noauth: '1',
    role: 'admin',
  }),
  // Some servers check credentials by the method that the request line has, or skip it for preflight requests.
  'method-override': [
    ...fieldsIn('header', {
      'X-HTTP-Method-Override': 'OPTIONS',
      'X-HTTP-Method': 'GET',
      'X-Method-Override': 'HEAD',
    }),
    ...fieldsIn('query', { _method: 'OPTIONS' }),
  ],
} as const satisfies Readonly<Record<string, readonly ExtraField[]>>

/** Equal for fields that a server takes for the same. */
export const keyOf = ({ in: place, name }: Pick<ExtraField, 'in' | 'name'>): string =>
  `${place} ${name.toLowerCase()}`

/** Whether this is the place of the API key itself. */
export const isKey = (scheme: Scheme, field: ExtraField): boolean =>
  scheme.kind === 'apiKey' && keyOf({ in: scheme.in, name: scheme.key }) === keyOf(field)

/** All at once, so that one request shows any of them, and then each alone. */
export const extraVariants = (name: keyof typeof extraFields): readonly (readonly ExtraField[])[] => {
  const all = extraFields[name]
  return [all, ...all.map(field => [field])]
}
