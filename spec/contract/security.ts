import { isAuthorizationKind } from '../http/authorization-schemes.ts'
import { asNode, type DocumentNode, follow } from '../json/follow-refs.ts'
import { type Pointer, step, valueAt } from '../json/pointer.ts'
import { keyField } from '../openapi/check/key-field.ts'
import type { Place, Problem } from '../openapi/diagnostic.ts'
import type { Operation, Parameter, Scheme } from './operation.ts'

/** The alternatives of a Security Requirement, those first that a client without a browser can meet; none if no credentials are needed. */
export const securityOf = (document: DocumentNode, security: unknown): readonly (readonly Scheme[])[] => {
  if (!Array.isArray(security)) return []
  const alternatives = security.map(requirement =>
    Object.keys(asNode(requirement)).map(name => schemeOf(document, name)),
  )
  // An empty alternative makes the others optional.
  if (alternatives.some(schemes => schemes.length === 0)) return []
  return alternatives
    .flatMap(withOneAuthorization)
    .toSorted((left, right) => difficulty(left) - difficulty(right))
}

/**
 * Documents list the key of a security scheme among the parameters as well: it is a credential then, and no value of its own. Where the
 * parameter is required, every alternative needs it.
 */
export const withoutKeys = (
  parameters: readonly Parameter[],
  security: Operation['security'],
): Pick<Operation, 'parameters' | 'security'> => {
  const keys = security.flat().filter(({ kind }) => kind === 'apiKey')
  const isKey = ({ in: part, name }: Parameter, scheme: Scheme): boolean =>
    scheme.kind === 'apiKey' &&
    scheme.in === part &&
    (part === 'header' ? scheme.key.toLowerCase() === name.toLowerCase() : scheme.key === name)
  const doubled = parameters.filter(parameter => keys.some(scheme => isKey(parameter, scheme)))
  if (doubled.length === 0) return { parameters, security }
  const needed = keys.filter(scheme =>
    doubled.some(parameter => parameter.required && isKey(parameter, scheme)),
  )
  const alternatives = new Map<string, readonly Scheme[]>()
  for (const schemes of security) {
    const all = [...new Map([...schemes, ...needed].map(scheme => [scheme.name, scheme])).values()]
    const names = all.map(({ name }) => name).toSorted()
    if (!alternatives.has(names.join(' '))) alternatives.set(names.join(' '), all)
  }
  return {
    parameters: parameters.filter(parameter => !doubled.includes(parameter)),
    security: [...alternatives.values()],
  }
}

/** A session in a cookie is for browsers, and what is in a URL is written into logs. */
const difficulty = (schemes: readonly Scheme[]): number => Math.max(0, ...schemes.map(difficultyOf))

const difficultyOf = (scheme: Scheme): number => {
  if (scheme.kind === 'other') return 3
  if (scheme.kind !== 'apiKey' || scheme.in === 'header') return 0
  return scheme.in === 'cookie' ? 2 : 1
}

/** A request has one Authorization header: two schemes for bearer tokens are met by one token, and of different ones only one can be. */
const withOneAuthorization = (schemes: readonly Scheme[]): readonly (readonly Scheme[])[] => {
  const inHeader = schemes.filter(isInAuthorization)
  const kinds = inHeader.filter(
    ({ kind }, index) => index === inHeader.findIndex(other => other.kind === kind),
  )
  const others = schemes.filter(scheme => !isInAuthorization(scheme))
  return kinds.length === 0 ? [others] : kinds.map(scheme => [scheme, ...others])
}

const isInAuthorization = (scheme: Scheme): boolean =>
  scheme.kind === 'apiKey'
    ? scheme.in === 'header' && scheme.key.toLowerCase() === 'authorization'
    : scheme.kind !== 'other' || httpScheme(scheme) !== null

/** The name of a scheme of HTTP that is not tested, such as `digest`; null: it is no scheme of HTTP. */
export const httpScheme = (scheme: Scheme): string | null =>
  scheme.kind === 'other' ? (/^http ([\w!#$%&'*+.^`|~-]+)$/.exec(scheme.type)?.[1] ?? null) : null

const schemeOf = (document: DocumentNode, name: string): Scheme => {
  const { node, pointer } = follow(document, step('/components/securitySchemes', name))
  const scheme = String(node.scheme ?? '').toLowerCase()
  if (node.type === 'http' && isAuthorizationKind(scheme)) return { kind: scheme, name, pointer }
  // These tokens are sent as bearer tokens (RFC 6750).
  if (node.type === 'oauth2' || node.type === 'openIdConnect') return { kind: 'bearer', name, pointer }
  const field = node.type === 'apiKey' ? keyField(String(node.name), String(node.in)) : null
  if (field !== null) return { kind: 'apiKey', name, in: node.in as 'query', ...field, pointer }
  return {
    kind: 'other',
    name,
    type: node.type === 'http' ? `http ${scheme}` : String(node.type ?? 'undeclared'),
    pointer,
  }
}

/** The security schemes that requests do not use, or not to the full: one problem for each reason, at the scheme. */
export const untestedSecurity = (
  operations: readonly Operation[],
  document: DocumentNode,
  place: (pointer: string) => Place,
): readonly Problem[] => {
  const found = new Map<string, { readonly text: string; readonly scheme: Scheme; count: number }>()
  const add = (scheme: Scheme, text: string): void => {
    const known = found.get(text)
    if (known === undefined) found.set(text, { text, scheme, count: 1 })
    else known.count += 1
  }
  for (const operation of operations) {
    const [first = [], ...others] = operation.security
    const names = first.map(({ name }) => name)
    for (const scheme of first)
      if (scheme.kind === 'other')
        add(
          scheme,
          httpScheme(scheme) === null
            ? `the security scheme "${scheme.name}" (${scheme.type}) is not supported: requests are sent without it`
            : `the security scheme "${scheme.name}" (${scheme.type}) is not tested: requests are sent with the token as its credentials`,
        )
    for (const scheme of others.flat())
      if (!names.includes(scheme.name))
        add(
          scheme,
          `the security scheme "${scheme.name}" is ${isMadeUp(scheme, first) ? 'only tested with made-up credentials, as' : 'not tested, as'} "${names.join('" and "')}" will do`,
        )
    const scopes = scopesOf(document, operation)
    for (const scheme of first)
      if (scopes.has(scheme.name)) add(scheme, `the scopes of "${scheme.name}" are not tested`)
  }
  return [...found.values()].map(({ text, scheme, count }) => ({
    message: count === 1 ? text : `${text} (${count} operations)`,
    place: place(scheme.pointer),
  }))
}

/** Whether an operation gets made-up credentials of this scheme: what is sent as the tested credentials are would be tested twice. */
const isMadeUp = (scheme: Scheme, [tested]: readonly Scheme[]): boolean =>
  scheme.kind === 'apiKey' || (scheme.kind !== 'other' && scheme.kind !== tested?.kind)

/** The names of the schemes whose scopes an operation asks for. */
const scopesOf = (document: DocumentNode, operation: Operation): ReadonlySet<string> =>
  new Set(
    requiredScopes(document, operation).alternatives.flatMap(alternative =>
      [...alternative].flatMap(([name, scopes]) => (scopes.length > 0 ? [name] : [])),
    ),
  )

/** The alternatives of what an operation requires: scopes by the name of the security scheme. */
type RequiredScopes = {
  readonly pointer: Pointer
  readonly alternatives: readonly ReadonlyMap<string, readonly string[]>[]
}

export const requiredScopes = (
  document: DocumentNode,
  { pointer }: Pick<Operation, 'pointer'>,
): RequiredScopes => {
  const own = asNode(valueAt(document, pointer)).security
  const all = Array.isArray(own) ? own : Array.isArray(document.security) ? document.security : []
  return {
    pointer: Array.isArray(own) ? `${pointer}/security` : '/security',
    alternatives: all.map(
      each =>
        new Map(
          Object.entries(asNode(each)).map(([name, scopes]) => [
            name,
            Array.isArray(scopes) ? scopes.filter(scope => typeof scope === 'string') : [],
          ]),
        ),
    ),
  }
}
