import { asNode, type Contract, type DocumentNode, type Operation, valueAt } from '../../spec/index.ts'

/** The scopes that a token lacks for an operation, in the alternative of which it lacks the fewest; empty: none. */
export const lackingScopes = (
  { document }: Contract,
  { pointer }: Operation,
  scopes: readonly string[],
): readonly string[] => {
  const lacks = requirementsOf(document, asNode(valueAt(document, pointer)).security).map(requirement =>
    Object.values(asNode(requirement))
      .flatMap(names => (Array.isArray(names) ? (names as readonly string[]) : []))
      .filter(name => !scopes.includes(name)),
  )
  return lacks.toSorted((left, right) => left.length - right.length)[0] ?? []
}

const requirementsOf = (document: DocumentNode, own: unknown): readonly unknown[] =>
  Array.isArray(own) ? own : Array.isArray(document.security) ? document.security : []

/** All scopes that the document declares for its tokens. */
export const scopesOf = ({ document }: Contract): readonly string[] => {
  const schemes = Object.values(asNode(asNode(document.components).securitySchemes))
  const flows = schemes.flatMap(scheme => Object.values(asNode(asNode(scheme).flows)))
  return [...new Set(flows.flatMap(flow => Object.keys(asNode(asNode(flow).scopes))))]
}
