import { asNode, follow } from '../../json/follow-refs.ts'
import { type Pointer, step, valueAt } from '../../json/pointer.ts'
import type { Problem } from '../diagnostic.ts'
import { isTable, type MutableNode } from '../walk-references.ts'
import type { Check, Fault, Warn } from './findings.ts'
import { isUnresolved } from './part-checks.ts'

/** An operation of a path item: its method, and where it is below the item. */
export type Declared = { readonly method: string; readonly at: Pointer }

/** The methods that have a field of a path item, the last one since OpenAPI 3.2. */
const fixedMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** The operations of a path item, those of OpenAPI 3.2 last. */
export const declaredIn = (item: Readonly<MutableNode>, minor: number): readonly Declared[] => [
  ...fixedMethods
    .slice(0, minor >= 2 ? fixedMethods.length : -1)
    .filter(method => Object.hasOwn(item, method))
    .map(method => ({ method: method.toUpperCase(), at: step('', method) })),
  ...(minor >= 2 ? Object.keys(asNode(item.additionalOperations)) : []).map(method => ({
    method,
    at: step('/additionalOperations', method),
  })),
]

/** An operation that cannot be used, and why. */
export type Unusable = { readonly method: string; readonly path: string; readonly faults: readonly Fault[] }

/** The parameters that one segment of a path may have: from the text of a request it must be clear which value each of them has. */
const mostInSegment = 8

type Options = {
  readonly check: Check
  readonly dead: ReadonlyMap<object, Problem>
  readonly minor: number
  readonly isSwagger: boolean
  readonly warn: Warn
}

/** Checks all operations of a document. Returns their number, and those that cannot be used. */
export const checkOperations = (
  document: MutableNode,
  options: Options,
): { readonly count: number; readonly unusable: readonly Unusable[] } => {
  const { check, dead, minor, warn } = options
  const unusable: Unusable[] = []
  const ids = new Set<string>()
  const templates = new Map<string, string>()
  const schemes = asNode(asNode(document.components).securitySchemes)
  let count = 0

  const checkSecurity = (security: unknown, at: Pointer): void => {
    for (const [index, requirement] of Array.isArray(security) ? security.entries() : [])
      for (const [name, scopes] of Object.entries(asNode(requirement))) {
        if (!Array.isArray(scopes) || !scopes.every(scope => typeof scope === 'string'))
          warn(`${name} must be a list of texts`, step(step(at, index), name))
        if (!Object.hasOwn(schemes, name))
          warn(`the security scheme "${name}" is not declared in components.securitySchemes`, step(at, index))
      }
  }

  for (const [path, value] of Object.entries(asNode(document.paths))) {
    const at = step('/paths', path)
    if (path.startsWith('x-')) continue
    const problem = isTable(value) ? dead.get(value) : { message: `${path} must be an object` }
    if (problem !== undefined) {
      const fault = { ...problem, at: isTable(value) ? step(at, '$ref') : at }
      unusable.push({ method: '*', path, faults: [fault] })
      continue
    }
    const item = follow(document, at)
    const node = item.node as MutableNode
    const faults = [...pathFaults(path, at), ...check('pathItem', node, item.pointer, 'request')]
    for (const { method, at: below } of declaredIn(node, minor)) {
      count += 1
      const operation = item.pointer + below
      const content = valueAt(document, operation)
      const own = [
        ...faults,
        ...methodFaults(method, below, operation),
        ...check('operation', content, operation, 'request'),
      ]
      const template = `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`
      const other = templates.get(template)
      if (other !== undefined) own.push({ message: `the path "${path}" is the same as "${other}"`, at })
      const lists = [step(item.pointer, 'parameters'), step(operation, 'parameters')]
      own.push(...checkPathParameters({ document, ...options }, { path, method, lists, at: operation }))
      const { operationId: id, security } = asNode(content)
      if (typeof id === 'string' && ids.has(id))
        warn(
          `the operationId "${id}" is used twice: this operation gets an id of its own`,
          step(operation, 'operationId'),
        )
      if (typeof id === 'string') ids.add(id)
      checkSecurity(security, step(operation, 'security'))
      if (own.length > 0) unusable.push({ method, path, faults: own })
      else templates.set(template, path)
    }
  }
  checkSecurity(document.security, '/security')
  return { count, unusable }
}

/** Takes operations out of a document, so that it describes what is tested and nothing else. */
export const takeOut = (document: MutableNode, unusable: readonly Unusable[]): void => {
  for (const [path, all] of Map.groupBy(unusable, ({ path }) => path)) {
    const paths = document.paths as MutableNode
    if (all.some(({ method }) => method === '*')) {
      delete paths[path]
      continue
    }
    // Other paths may refer to the same path item.
    const { additionalOperations, ...item } = follow(document, step('/paths', path)).node as MutableNode
    for (const { method } of all) delete item[method.toLowerCase()]
    const others = Object.entries(asNode(additionalOperations)).filter(
      ([method]) => !all.some(each => each.method === method),
    )
    paths[path] = others.length === 0 ? item : { ...item, additionalOperations: Object.fromEntries(others) }
  }
}

/** A method of OpenAPI 3.2 that has a field of its own, is none, or cannot be received by an HTTP server of Node. */
const methodFaults = (method: string, below: Pointer, at: Pointer): readonly Fault[] => {
  if (!below.startsWith('/additionalOperations/')) return []
  if (fixedMethods.includes(method.toLowerCase()))
    return [{ message: `${method} must be the field ${method.toLowerCase()} of the path`, at }]
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(method)) return [{ message: `"${method}" is no method of HTTP`, at }]
  return sendable.has(method)
    ? []
    : [{ message: `the method ${method} is not supported`, at, unsupported: true }]
}

const sendable = new Set(
  'ACL BIND COPY LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY PROPFIND PROPPATCH PURGE REBIND REPORT SEARCH SOURCE SUBSCRIBE UNBIND UNLINK UNLOCK UNSUBSCRIBE'.split(
    ' ',
  ),
)

const pathFaults = (path: string, at: Pointer): readonly Fault[] => {
  const most = Math.max(...path.split('/').map(segment => segment.split('{').length - 1))
  return [
    ...(path.startsWith('/') ? [] : [{ message: `the path "${path}" does not begin with a slash`, at }]),
    ...(path.includes('?')
      ? [{ message: `the path "${path}" has a query: declare its parameters with in: query`, at }]
      : []),
    ...(path.includes('#')
      ? [{ message: `the path "${path}" has a fragment, which no request can send`, at }]
      : []),
    ...(most > mostInSegment
      ? [
          {
            message: `a segment of the path has ${most} parameters, and their values cannot be told apart: put a / between them`,
            at,
          },
        ]
      : []),
  ]
}

const checkPathParameters = (
  { document, check, warn, isSwagger }: Options & { readonly document: MutableNode },
  { path, method, lists, at }: Place,
): readonly Fault[] => {
  const declared = new Set<string>()
  const unresolved: Fault[] = []
  for (const list of lists) {
    const ofList = new Set<string>()
    const items = valueAt(document, list)
    for (const [index, item] of Array.isArray(items) ? items.entries() : []) {
      if (!isTable(item)) continue
      if (isUnresolved(document, item)) {
        unresolved.push(...check('parameter', item, step(list, index), 'request'))
        continue
      }
      const { node } = follow(document, step(list, index))
      const key = `${node.in} ${node.name}`
      if (ofList.has(key))
        warn(`the ${node.in} parameter "${node.name}" is declared twice`, step(list, index))
      ofList.add(key)
      declared.add(key)
      if (node.in === 'path' && !path.includes(`{${node.name}}`))
        warn(`the path parameter "${node.name}" is not in the path ${path}`, step(list, index))
    }
  }
  const missing = [...path.matchAll(/\{([^{}]*)\}/g)].flatMap(([, name = '']) =>
    declared.has(`path ${name}`) ? [] : [name],
  )
  if (missing.includes('')) return [{ message: `a parameter in the path ${path} has no name`, at }]
  const node = valueAt(document, at)
  // What the references stand for may be required: the parameter of the path, or the body, which is a parameter in Swagger 2.0.
  const mayBeBody = isSwagger && /^P(?:OST|UT|ATCH)$/.test(method) && asNode(node).requestBody === undefined
  if (unresolved.length > 0 && (missing.length > 0 || mayBeBody)) return unresolved
  for (const name of missing) {
    if (!isTable(node)) continue
    warn(`the path parameter "${name}" of ${path} is not declared: any text is taken for its value`, at)
    const parameter = { name, in: 'path', required: true, schema: { type: 'string' } }
    node.parameters = [...(Array.isArray(node.parameters) ? node.parameters : []), parameter]
  }
  return []
}

/** An operation, its lists of parameters, and where it is. */
type Place = {
  readonly path: string
  readonly method: string
  readonly lists: readonly Pointer[]
  readonly at: Pointer
}
