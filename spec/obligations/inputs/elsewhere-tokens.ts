import type { ElsewhereToken } from '../../serialization/request-head.ts'
import { token } from './credential-kind.ts'

const at =
  (place: ElsewhereToken['in']) =>
  (name: string, value = token): ElsewhereToken => ({ in: place, name, value })

/** Places where frameworks and gateways look for a token although the contract names the Authorization header alone. */
export const elsewhereTokens: Readonly<Record<ElsewhereToken['in'], readonly ElsewhereToken[]>> = {
  // The first one is RFC 6750's.
  query: ['access_token', 'token', 'api_key', 'auth', 'apikey', 'key', 'jwt', 'bearer', 'authorization'].map(
    name => at('query')(name),
  ),
  header: [
    ...['X-Api-Key', 'X-Access-Token', 'X-Auth-Token', 'X-Token', 'Token', 'Access-Token', 'Api-Key'].map(
      name => at('header')(name),
    ),
    ...['Proxy-Authorization', 'X-Authorization', 'X-Forwarded-Authorization', 'Authentication'].map(name =>
      at('header')(name, `Bearer ${token}`),
    ),
  ],
  cookie: ['access_token', 'token', 'session', 'jwt', 'auth', 'authorization', 'bearer', 'api_key'].map(
    name => at('cookie')(name),
  ),
}

/** All at once, so that one request shows any of them, and then each alone. */
export const elsewhereVariants = (place: ElsewhereToken['in']): readonly (readonly ElsewhereToken[])[] => {
  const all = elsewhereTokens[place]
  return [all, ...all.map(each => [each])]
}
