import {
  type Contract,
  type DeclaredResponse,
  isSameName,
  itemPlace,
  listNames,
  type Operation,
  type ParameterKind,
  parameterKind,
  type Resource,
  type SchemaPlace,
  step,
  steps,
  summaryKind,
} from '../../spec/index.ts'

/** What a query parameter does to a list. */
export type ListRule =
  | {
      readonly kind: 'size' | 'page' | 'offset' | 'cursor' | 'sort' | 'direction'
      readonly parameter: string
    }
  | { readonly kind: 'filter'; readonly parameter: string; readonly property: string }

/** A parameter of the path that is a property of what the response gives. */
export type PathRule = { readonly parameter: string; readonly property: string; readonly isIdentity: boolean }

/** Where a response has its list. */
export type ListPlace = {
  readonly root: SchemaPlace
  /** The names of the properties on the way to the list; empty: it is the whole body. */
  readonly path: readonly string[]
  readonly list: SchemaPlace
  readonly item: SchemaPlace | null
}

/** How the responses of an operation fit their requests. */
export type OperationRules = {
  readonly contract: Contract
  readonly operation: Operation
  readonly declared: DeclaredResponse
  /** The body; null: the response has none in JSON. */
  readonly root: SchemaPlace | null
  /** The resource in it, or an item of its list. */
  readonly instance: SchemaPlace | null
  /** The kind of resource that the operation gives, lists, creates or changes; null: none that has a name. */
  readonly resource: Resource | null
  readonly list: ListPlace | null
  /** The property of an item or resource that tells it apart; null: there is none. */
  readonly identity: string | null
  readonly identityPlace: SchemaPlace | null
  readonly path: readonly PathRule[]
  readonly query: readonly ListRule[]
  readonly location: string | null
  /** One sentence for each rule. */
  readonly sentences: readonly string[]
}

/** The rules of a declared response of an operation; the same object each time. */
export type RulesFor = (operation: Operation, declared: DeclaredResponse) => OperationRules

/**
 * What a user says of the rules, by operation and parameter: `listPlants.n: size`, `*.q: off`. `filter:NAME` names the property that a
 * parameter selects by.
 */
export type RuleSettings = Readonly<Record<string, string>>

export const ruleKinds: readonly (ParameterKind | 'filter' | 'off')[] = [
  'size',
  'page',
  'offset',
  'cursor',
  'sort',
  'direction',
  'filter',
  'off',
]

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

/** One sentence for each rule, for the console and the log. */
export const sentencesOf = ({
  list,
  path,
  query,
  identity,
  resource,
  location,
  operation,
}: Omit<OperationRules, 'sentences'>): readonly string[] => {
  const name = list === null ? '' : list.path.length === 0 ? 'the list' : `\`${list.path.join('.')}\``
  return [
    ...path.map(({ parameter, property, isIdentity }) =>
      isIdentity
        ? `\`${parameter}\` is the \`${property}\` of what is given`
        : `\`${parameter}\` is the \`${property}\` of ${list === null ? 'what is given' : `each of ${name}`}`,
    ),
    ...query.map(rule => listSentence(rule, name)),
    ...(list === null ? [] : summarySentences(list.root.properties, name)),
    ...(list !== null && identity !== null && resource?.read != null
      ? [`${resource.read.id} gives the same resource for the \`${identity}\` of an item of ${name}`]
      : []),
    ...(location === null ? [] : [`\`Location\` is the path of what ${operation.id} gives: ${location}`]),
  ]
}

const listSentence = (rule: ListRule, name: string): string => {
  const parameter = `\`${rule.parameter}\``
  switch (rule.kind) {
    case 'size':
      return `${parameter} sets the length of ${name}`
    case 'page':
      return `${parameter} is the number of the page that ${name} gives`
    case 'offset':
      return `${parameter} is how many items ${name} leaves out at the start`
    case 'cursor':
      return `${parameter} is where ${name} goes on`
    case 'sort':
      return `${parameter} names the property by which ${name} is sorted`
    case 'direction':
      return `${parameter} is the direction in which ${name} is sorted`
    case 'filter':
      return `${parameter} selects the items of ${name} by \`${rule.property}\``
  }
}

const summarySentences = (properties: readonly string[], name: string): readonly string[] =>
  properties
    .filter(property => summaryKind(property) === 'total')
    .map(property => `\`${property}\` is the number of all items of ${name}`)
