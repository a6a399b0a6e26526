import type { AccessOptions, IssuedToken, TokenSource } from '../../../conformance/index.ts'
import { isObject, readJson, safeText, valueAt } from '../../../spec/index.ts'
import { UsageError } from '../../process/exit.ts'
import { endpointFetch } from '../endpoint.ts'
import { oneToken } from './one-token.ts'
import { formOf, type Login, readWfcUser } from './wfc-file.ts'

const seconds = 30

/** What a file says of the credentials of a run. */
export type WfcCredentials = {
  readonly token: string | TokenSource
  /** How the token is sent. */
  readonly auth: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** The credentials of the first user of a file, or of the one of this name; a login is sent to the server under test, or where the file says. Throws UsageError. */
export const wfcCredentials = (
  given: unknown,
  server: URL,
  access: AccessOptions,
  userName?: string,
): WfcCredentials => {
  const user = readWfcUser(given, userName)
  if ('login' in user) {
    const { token } = user.login
    const auth = token.from === 'cookies' ? 'Cookie: {}' : token.auth
    return { token: loginSource(user.login, server, access), auth, headers: [] }
  }
  const [first, ...others] = user.headers.map(({ name, value }) => [name, value] as const)
  const [name = '', value = ''] = first ?? []
  const [, bearer] = /^bearer +(\S+)$/i.exec(value) ?? []
  const auth = formOf(name, bearer === undefined ? '{}' : 'Bearer {}')
  return { token: auth === 'bearer' && bearer !== undefined ? bearer : value, auth, headers: others }
}

/** Logs in for each token. Throws UsageError, with nothing of what was sent or answered. */
const loginSource = (login: Login, server: URL, access: AccessOptions): TokenSource => {
  const { endpoint, method, headers, contentType, body } = login
  const url = new URL(endpoint, server.origin)
  const fetch = endpointFetch(url, access)
  const named = `the login ${method} ${safeText(url.origin + url.pathname)}`
  return async () => {
    let response: Response
    try {
      response = await fetch(url.href, {
        method,
        headers: {
          Accept: 'application/json, */*',
          ...Object.fromEntries(headers.map(({ name, value }) => [name, value])),
          ...(contentType === null || body === null ? {} : { 'Content-Type': contentType }),
        },
        body: body === null ? null : Buffer.from(body),
        signal: AbortSignal.timeout(seconds * 1000),
      })
    } catch (error) {
      throw new UsageError(`${named} got no answer: ${safeText((error as Error).message)}`)
    }
    if (response.status >= 400)
      throw new UsageError(`${named} answered ${response.status}: are user and password right (--auth-wfc)?`)
    return tokenOf(login, response, named)
  }
}

const tokenOf = async ({ token }: Login, response: Response, named: string): Promise<IssuedToken> => {
  if (token.from === 'cookies') return cookiesOf(response, named)
  if (token.from === 'header') {
    const value = response.headers.get(token.selector)
    if (value === null) throw new UsageError(`${named} answered without a header ${safeText(token.selector)}`)
    return { token: oneToken(named, value) }
  }
  const text = await response.text()
  const reading = readJson(Buffer.from(text))
  const json = reading.ok ? reading.value : undefined
  const value = token.selector === '' ? text : valueAt(json, pointerOf(token.selector))
  if (typeof value !== 'string')
    throw new UsageError(`${named} answered ${response.status} without a text at ${safeText(token.selector)}`)
  const lifetime = json !== undefined && isObject(json) ? json.expires_in : undefined
  return { token: oneToken(named, value), expiresIn: typeof lifetime === 'number' ? lifetime : undefined }
}

const cookiesOf = (response: Response, named: string): IssuedToken => {
  const cookies = response.headers.getSetCookie().map(cookie => cookie.split(';').map(part => part.trim()))
  const pairs = cookies.map(([pair = '']) => pair)
  if (pairs.length === 0) throw new UsageError(`${named} answered ${response.status} without a cookie`)
  const lives = cookies.flatMap(parts => parts.flatMap(part => /^max-age=(\d+)$/i.exec(part)?.[1] ?? []))
  const shortest = Math.min(...lives.map(Number).filter(life => life > 0))
  return { token: pairs.join('; '), expiresIn: Number.isFinite(shortest) ? shortest : undefined }
}

const pointerOf = (selector: string): string => (selector.startsWith('/') ? selector : `/${selector}`)
