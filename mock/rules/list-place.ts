import {
  isSameName,
  itemPlace,
  listNames,
  type Operation,
  parameterKind,
  type SchemaPlace,
  step,
  steps,
  summaryKind,
} from '../../spec/index.ts'
import type { ListPlace } from './rule.ts'

/** Where a response has its list; null: it is none. `isCollection`: whether the path says that it is a list of resources. */
export const listPlaceOf = (
  operation: Operation,
  root: SchemaPlace,
  isCollection: boolean,
): ListPlace | null => {
  if (operation.method !== 'GET') return null
  if (isArrayPlace(root)) return placed(root, [], root)
  const segment = operation.path.split('/').findLast(part => part !== '') ?? ''
  if (segment.startsWith('{')) return null
  const found = listIn(root, segment) ?? inner(root, segment)
  if (found === null) return null
  const name = found.path.at(-1) ?? ''
  const isNamed = listNames.includes(name.toLowerCase()) || isSameName(name, segment)
  const isPaged =
    operation.parameters.some(
      parameter => parameter.in === 'query' && parameterKind(parameter.name) !== null,
    ) || root.properties.some(property => summaryKind(property) === 'total')
  return isCollection || isNamed || isPaged ? found : null
}

const placed = (root: SchemaPlace, path: readonly string[], list: SchemaPlace): ListPlace => ({
  root,
  path,
  list,
  item: itemPlace(list),
})

const isArrayPlace = ({ types }: SchemaPlace): boolean =>
  types?.includes('array') === true && types.every(type => type === 'array' || type === 'null')

const listIn = (root: SchemaPlace, segment: string, above: readonly string[] = []): ListPlace | null => {
  const lists = root.children.filter(child => isArrayPlace(child) && !child.pattern.endsWith('/*'))
  const names = [...listNames, segment]
  const [first] =
    lists.length === 1
      ? lists
      : names.flatMap(name => lists.filter(({ pattern }) => isSameName(lastOf(pattern), name)))
  return first === undefined ? null : { ...placed(root, [...above, lastOf(first.pattern)], first) }
}

/** A list in the one object of a body: `{"data": {"items": []}}`. */
const inner = (root: SchemaPlace, segment: string): ListPlace | null => {
  const objects = root.children.filter(
    ({ types, properties, pattern }) =>
      types?.includes('object') === true && properties.length > 0 && pattern !== step(root.pattern, '*'),
  )
  for (const object of objects) {
    const found = listIn(object, segment, [lastOf(object.pattern)])
    if (found !== null) return { ...found, root }
  }
  return null
}

export const lastOf = (pattern: string): string => steps(pattern).at(-1) ?? ''
