/** The authentication file that fuzzers of web APIs share (Web Fuzzing Commons, auth.yaml): its fields of today, and those of earlier versions. */
import { isObject, type Json, safeText } from '../../../spec/index.ts'
import { readYamlFile } from '../../config/yaml-file.ts'
import { expand } from '../../options/environment.ts'
import { UsageError } from '../../process/exit.ts'

type Header = { readonly name: string; readonly value: string }

/** Where the token is in the answer to a login, and the form in which it is sent, as `--auth` says it. */
export type TokenOfLogin =
  | { readonly from: 'cookies' }
  | { readonly from: 'body' | 'header'; readonly selector: string; readonly auth: string }

export type Login = {
  /** A path on the server under test, or the URL of another. */
  readonly endpoint: string
  readonly method: string
  readonly headers: readonly Header[]
  readonly contentType: string | null
  readonly body: string | null
  readonly token: TokenOfLogin
}

/** The first user of a file: by headers that stay the same, or by a login. */
export type WfcUser = { readonly headers: readonly Header[] } | { readonly login: Login }

type Fields = { readonly [name: string]: Json | undefined }

/** Reads a file, or what a configuration holds in its place. `wanted`: the name of its user; default: the first. Throws UsageError. */
export const readWfcUser = (given: unknown, wanted?: string): WfcUser => {
  const name = typeof given === 'string' ? `--auth-wfc ${given}` : 'authWfc'
  const value = typeof given === 'string' ? readYamlFile(given, '--auth-wfc').value : given
  const problem = (reason: string): UsageError => new UsageError(`${name}: ${reason}`)
  const file = expanded(value as Json, problem)
  const users = isObject(file) && Array.isArray(file.auth) ? file.auth.filter(isObject) : []
  const [first] = users
  if (!isObject(file) || first === undefined) throw problem('it has no list "auth" of users')
  const found = wanted === undefined ? first : users.find(each => each.name === wanted)
  if (found === undefined)
    throw problem(
      `it has no user ${safeText(String(wanted))}: ${users.map(({ name: each }) => each).join(', ')}`,
    )
  const user = merged(isObject(file.authTemplate) ? file.authTemplate : {}, found)
  if (isObject(user.loginEndpointAuth)) return { login: loginOf(user.loginEndpointAuth, problem) }
  const headers = headersIn(user.fixedHeaders)
  if (headers.length > 0) return { headers }
  throw problem(
    `its ${wanted === undefined ? 'first user' : `user ${safeText(wanted)}`} has neither fixedHeaders nor loginEndpointAuth`,
  )
}

/** All texts with the variables that they name, such as `${PASSWORD}`: no password has to stand in a file. */
const expanded = (value: Json, problem: (reason: string) => UsageError): Json => {
  if (typeof value === 'string')
    try {
      return expand(value).text
    } catch (error) {
      throw problem((error as Error).message)
    }
  if (Array.isArray(value)) return value.map(item => expanded(item, problem))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, expanded(member as Json, problem)]),
  )
}

/** What the template has and the user has not. */
const merged = (template: Fields, user: Fields): Fields => ({
  ...template,
  ...Object.fromEntries(
    Object.entries(user).map(([key, value]) => {
      const other = template[key]
      return [key, isObject(value) && isObject(other) ? (merged(other, value) as Json) : value]
    }),
  ),
})

const headersIn = (value: Json | undefined): readonly Header[] =>
  (Array.isArray(value) ? value : []).flatMap(each =>
    isObject(each) && typeof each.name === 'string' ? [{ name: each.name, value: String(each.value) }] : [],
  )

const loginOf = (login: Fields, problem: (reason: string) => UsageError): Login => {
  const endpoint = login.endpoint ?? login.externalEndpointURL
  if (typeof endpoint !== 'string')
    throw problem('loginEndpointAuth needs an endpoint or an externalEndpointURL')
  const contentType = typeof login.contentType === 'string' ? login.contentType : null
  const { payloadRaw, payloadUserPwd } = login
  return {
    endpoint,
    method: String(login.verb ?? 'POST').toUpperCase(),
    headers: headersIn(login.headers),
    contentType,
    body:
      typeof payloadRaw === 'string'
        ? payloadRaw
        : isObject(payloadUserPwd)
          ? payloadOf(payloadUserPwd, contentType)
          : null,
    token: login.expectCookies === true ? { from: 'cookies' } : tokenIn(login.token, problem),
  }
}

const payloadOf = (
  { username, usernameField, password, passwordField }: Fields,
  contentType: string | null,
): string => {
  const fields = { [String(usernameField)]: String(username), [String(passwordField)]: String(password) }
  return contentType?.startsWith('application/x-www-form-urlencoded') === true
    ? new URLSearchParams(fields).toString()
    : JSON.stringify(fields)
}

const tokenIn = (token: Json | undefined, problem: (reason: string) => UsageError): TokenOfLogin => {
  if (!isObject(token)) throw problem('loginEndpointAuth needs a token, or expectCookies: true')
  const isInHeader = token.extractFrom === 'header' || token.extractFromHeader !== undefined
  const selector = token.extractSelector ?? token.extractFromHeader ?? token.extractFromField
  if (typeof selector !== 'string') throw problem('the token of loginEndpointAuth needs an extractSelector')
  const template =
    typeof token.sendTemplate === 'string'
      ? token.sendTemplate
      : `${token.headerPrefix ?? ''}{token}${token.headerPostfix ?? ''}`
  const name = String(token.sendName ?? token.httpHeaderName ?? 'Authorization')
  return {
    from: isInHeader ? 'header' : 'body',
    selector,
    auth: token.sendIn === 'query' ? `query:${name}` : formOf(name, template.replace('{token}', '{}')),
  }
}

/** A header as `--auth` says it. */
export const formOf = (name: string, template: string): string =>
  /^authorization$/i.test(name) && /^bearer +\{\}$/i.test(template) ? 'bearer' : `${name}: ${template}`
