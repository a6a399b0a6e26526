import type { DocumentNode } from '../json/follow-refs.ts'
import type { Place, Problem } from '../openapi/diagnostic.ts'
import type { Operation, Scheme } from './operation.ts'
import { requiredScopes } from './scopes.ts'
import { httpScheme } from './security.ts'

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
