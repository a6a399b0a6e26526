import {
  type Contract,
  type DeclaredResponse,
  endsInName,
  identityNames,
  identityOf,
  isDirection,
  isSameName,
  jsonMedia,
  type Operation,
  operationContext,
  type ParameterKind,
  parameterKind,
  placesOf,
  plainName,
  propertyPlace,
  type Resource,
  resourcesOf,
  type SchemaPlace,
  step,
} from '../../spec/index.ts'
import {
  type ListPlace,
  type ListRule,
  lastOf,
  listPlaceOf,
  type OperationRules,
  type PathRule,
  type RuleSettings,
  sentencesOf,
} from './list-rule.ts'

/** How a successful response of an operation fits its requests. */
export const rulesOf = (
  contract: Contract,
  operation: Operation,
  declared: DeclaredResponse,
  settings: RuleSettings,
): OperationRules => {
  const media = jsonMedia(declared.media)
  const resource = resourceOf(contract, operation)
  const hasLocation = declared.headers.some(({ name }) => /^location$/i.test(name))
  const root = media?.schema == null ? null : placesOf(contract.responses.document, media.schema)
  const isCollection = resource !== null && resource.list === operation
  const list = root === null ? null : listPlaceOf(operation, root, isCollection)
  const instance = list !== null ? list.item : root === null ? null : instancePlace(contract, root, resource)
  const identityPlace = identityIn(contract, instance, resource)
  const identity = identityPlace === null ? null : lastOf(identityPlace.pattern)
  const rules = {
    contract,
    operation,
    declared,
    root,
    instance,
    resource,
    list,
    identity,
    identityPlace,
    path: pathRules(contract, operation, instance, identity, settings),
    query: list === null ? [] : queryRules(operation, list, settings),
    location: hasLocation && resource !== null && operation.method !== 'GET' ? resource.path : null,
  }
  return { ...rules, sentences: sentencesOf(rules) }
}

/** The kind of resource that an operation gives, lists or creates. */
const resourceOf = (contract: Contract, operation: Operation): Resource | null => {
  const { resources, namesIn } = resourcesOf(contract)
  const own = resources.find(({ create, list }) => create === operation || list === operation)
  return own ?? (endsInName(operation.path) ? (namesIn(operation).at(-1)?.resource ?? null) : null)
}

/** The resource in a body: the body itself, or the one object in it that has a name. */
const instancePlace = (contract: Contract, root: SchemaPlace, resource: Resource | null): SchemaPlace => {
  if (identityIn(contract, root, resource) !== null) return root
  const inner = root.children.filter(({ types }) => types?.includes('object') === true)
  const [only] = inner
  return inner.length === 1 && only !== undefined && identityIn(contract, only, resource) !== null
    ? only
    : root
}

/** The property that holds what a path calls a resource, as `namingProperty` finds it in a value; null: there is none. */
const identityIn = (
  { responses: { document } }: Contract,
  instance: SchemaPlace | null,
  resource: Resource | null,
): SchemaPlace | null => {
  const names =
    resource === null
      ? identityNames()
      : [...linkedNames(resource), ...resource.names, ...restOfName(resource)]
  for (const name of names) {
    const found = propertiesOf(document, instance).find(
      ({ pattern, readAs }) =>
        isSameName(lastOf(pattern), name) &&
        readAs?.some(type => type === 'string' || type === 'integer' || type === 'number') === true,
    )
    if (found !== undefined) return found
  }
  return null
}

/** `symbol` for `factions/{factionSymbol}`. */
const restOfName = ({ path, names: [parameter = ''] }: Resource): readonly string[] => {
  const [, kind, rest] = /^(.+?)[_-]?([A-Z]?(?<=^.|[^a-z])[a-z]+)$/.exec(parameter) ?? []
  const segment = path.split('/').findLast(part => part !== '' && !part.startsWith('{')) ?? ''
  return kind !== undefined && rest !== undefined && plainName(segment).startsWith(plainName(kind))
    ? [rest]
    : []
}

/** The properties that links of the document name in what creates a resource. */
const linkedNames = ({ links, create }: Resource): readonly string[] =>
  (create === null ? [] : (links.get(create.id) ?? [])).flatMap(({ expression }) => {
    const [, name] = /^\{?\$response\.body#\/([^/}]+)\}?$/.exec(expression) ?? []
    return name === undefined ? [] : [name]
  })

/** Those of a resource that is one of several kinds are those of its kinds. */
const propertiesOf = (
  document: Contract['document'],
  instance: SchemaPlace | null,
): readonly SchemaPlace[] => {
  if (instance === null || instance.children.length > 0) return instance?.children ?? []
  return instance.keywords.flatMap(({ keyword, value, pointer }) =>
    (keyword === 'oneOf' || keyword === 'anyOf') && Array.isArray(value)
      ? value.flatMap((_, index) => placesOf(document, step(pointer, index)).children)
      : [],
  )
}

const pathRules = (
  contract: Contract,
  operation: Operation,
  instance: SchemaPlace | null,
  identity: string | null,
  settings: RuleSettings,
): readonly PathRule[] => {
  const isItem = endsInName(operation.path)
  const last = resourcesOf(contract).namesIn(operation).at(-1)
  return operation.parameters.flatMap((parameter): readonly PathRule[] => {
    const { name } = parameter
    if (parameter.in !== 'path' || settingFor(settings, operation, name) === 'off') return []
    if (isItem && last?.parameter === name && identity !== null)
      return [{ parameter: name, property: identity, isIdentity: true }]
    const property = instance?.properties.find(candidate => isSameName(candidate, name))
    return property === undefined || property === identity
      ? []
      : [{ parameter: name, property, isIdentity: false }]
  })
}

const queryRules = (
  operation: Operation,
  { item }: ListPlace,
  settings: RuleSettings,
): readonly ListRule[] => {
  const query = operation.parameters.filter(parameter => parameter.in === 'query')
  const taken = new Set<ParameterKind>()
  return query.flatMap((parameter): readonly ListRule[] => {
    const { name } = parameter
    const setting = settingFor(settings, operation, name)
    if (setting === 'off') return []
    const [kind, given] = setting?.split(':') ?? [parameterKind(name)]
    const property = item?.properties.find(candidate => isSameName(candidate, given ?? name))
    if (kind === 'filter' || setting === undefined) {
      const value = item == null || property === undefined ? null : propertyPlace(item, property)
      if (property !== undefined && value !== null && (setting !== undefined || isListed(value)))
        return [{ kind: 'filter', parameter: name, property }]
    }
    if (kind === null || kind === undefined || kind === 'filter') return []
    // Of `sort` and `order`, the second is the direction.
    const isSecond = taken.has('sort') && isDirection(name)
    const isFirstOfTwo =
      kind === 'sort' &&
      isDirection(name) &&
      query.some(other => other !== parameter && parameterKind(other.name) === 'sort')
    const due = (isSecond || isFirstOfTwo ? 'direction' : kind) as ParameterKind
    if (taken.has(due)) return []
    taken.add(due)
    return [{ kind: due, parameter: name }]
  })
}

const settingFor = (settings: RuleSettings, { id }: Operation, name: string): string | undefined =>
  settings[`${id}.${name}`] ?? settings[`*.${name}`] ?? settings[`${id}.*`] ?? settings['*.*']

/** Whether an operation has no rules at all. */
export const isOff = (settings: RuleSettings, { id }: Operation): boolean =>
  (settings[`${id}.*`] ?? settings['*.*']) === 'off'

/** Whether a property has one of a few values, so that selecting by it leaves something. */
const isListed = ({ keywords, types, children }: SchemaPlace): boolean =>
  types?.join() === 'boolean' ||
  keywords.some(({ keyword }) => keyword === 'enum' || keyword === 'const') ||
  (types?.includes('array') === true && children.some(isListed))

/** The property of the body that tells one created resource from another; undefined: there is none. */
export const identityNameOf = ({
  contract,
  operation,
}: {
  readonly contract: Contract
  readonly operation: Operation
}): string | undefined => {
  const { root } = operationContext(contract, operation).body ?? {}
  return root === undefined ? undefined : identityOf(operation, root)?.name
}
