import { type Contract, localReference, type Operation, valueAt } from '../../spec/index.ts'

const maxNames = 8

/** How the operations of two versions of a document differ: `added listPlants; changed createPlant`. */
export const changesOf = (before: Contract, after: Contract): string => {
  const [old, now] = [textsOf(before), textsOf(after)]
  const parts = [
    listed(
      'added',
      [...now.keys()].filter(id => !old.has(id)),
    ),
    listed(
      'removed',
      [...old.keys()].filter(id => !now.has(id)),
    ),
    listed(
      'changed',
      [...now.keys()].filter(id => old.has(id) && old.get(id) !== now.get(id)),
    ),
  ].filter(part => part !== null)
  return parts.length === 0 ? 'no operation changed' : parts.join('; ')
}

const listed = (verb: string, ids: readonly string[]): string | null => {
  if (ids.length === 0) return null
  const rest = ids.length - maxNames
  return `${verb} ${ids.slice(0, maxNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

const textsOf = (contract: Contract): ReadonlyMap<string, string> =>
  new Map(contract.operations.map(operation => [operation.id, textOf(contract, operation)]))

/** All that the document says of an operation, and of everything that the operation refers to. */
const textOf = ({ document }: Contract, operation: Operation): string => {
  const seen = new Map<string, string>()
  const roots: unknown[] = [
    ...operation.parameters.map(({ pointer }) => valueAt(document, pointer)),
    ...operation.security.flat().map(({ pointer }) => valueAt(document, pointer)),
    valueAt(document, operation.pointer),
  ]
  const texts = roots.map(value => JSON.stringify(value))
  const follow = (text: string): void => {
    for (const [, reference = '""'] of text.matchAll(/"\$ref":("(?:[^"\\]|\\.)*")/g)) {
      const pointer = localReference(JSON.parse(reference) as string)
      if (pointer === null || seen.has(pointer)) continue
      const target = JSON.stringify(valueAt(document, pointer)) ?? ''
      seen.set(pointer, target)
      follow(target)
    }
  }
  for (const text of texts) follow(text)
  const security = JSON.stringify(operation.security)
  return [operation.method, operation.path, security, ...texts, ...[...seen].sort().flat()].join('\n')
}
