import { asNode, type DocumentNode } from '../json/follow-refs.ts'
import { type Pointer, valueAt } from '../json/pointer.ts'
import type { Operation } from './operation.ts'

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
