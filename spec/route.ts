import type { Contract, Operation } from './contract.ts'

export type Route =
  | {
      readonly kind: 'operation'
      readonly operation: Operation
      readonly path: Readonly<Record<string, string>>
    }
  | { readonly kind: 'no-method'; readonly allow: readonly string[]; readonly operation: Operation }
  | { readonly kind: 'no-path' }

export type Router = (method: string, path: string) => Route

/** Finds the operation of a request; literal segments win over templated ones. Path values stay percent-encoded. */
export const createRouter = (contract: Contract): Router => {
  const templates = new Map<string, Operation[]>()
  for (const operation of contract.operations)
    templates.set(operation.path, [...(templates.get(operation.path) ?? []), operation])
  const literal = new Map([...templates].filter(([path]) => !path.includes('{')))
  const patterns = [...templates]
    .filter(([path]) => path.includes('{'))
    .map(([path, operations]) => ({ path, operations, ...compile(path) }))
    .sort(
      (left, right) =>
        left.names.length - right.names.length ||
        right.literal - left.literal ||
        (left.path < right.path ? -1 : 1),
    )
  return (method, path) => {
    const exact = literal.get(path)
    if (exact !== undefined) return pick(exact, method, {})
    for (const { pattern, names, operations } of patterns) {
      const match = pattern.exec(path)
      if (match !== null)
        return pick(
          operations,
          method,
          Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? ''])),
        )
    }
    return { kind: 'no-path' }
  }
}

const compile = (path: string) => {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
  const literal = path.split(/\{[^}]+\}/).map(part => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
  return {
    pattern: new RegExp(`^${literal.join('([^/]+)')}$`),
    names,
    /** How much of it is written out. */
    literal: literal.join('').length,
  }
}

const pick = (
  operations: readonly Operation[],
  method: string,
  path: Readonly<Record<string, string>>,
): Route => {
  const operation = operations.find(candidate => candidate.method === method)
  if (operation !== undefined) return { kind: 'operation', operation, path }
  return {
    kind: 'no-method',
    allow: operations.map(candidate => candidate.method),
    operation: operations[0] as Operation,
  }
}
