import { asNode, type DocumentNode, follow } from '../json/follow-refs.ts'
import { type Pointer, step, valueAt } from '../json/pointer.ts'
import { declaredIn } from '../openapi/check/operations.ts'
import { producesField } from '../openapi/conversion/swagger.ts'
import type { Place, Problem } from '../openapi/diagnostic.ts'
import { minorVersion } from '../openapi/version-check.ts'
import { formatOf, typeInRange } from './form-fields.ts'
import {
  type BodyFormat,
  contentOf,
  type DeclaredResponse,
  headersAt,
  type Media,
  type Method,
  type Operation,
  type Parameter,
  type RequestBody,
} from './operation.ts'
import { securityOf, withoutKeys } from './security.ts'
import { atSameServer, ownServers } from './servers.ts'

/** The operations of a checked document, in its order. */
export const operationsOf = (document: DocumentNode): readonly Operation[] => {
  const minor = minorVersion(document.openapi) ?? 1
  const declared = Object.keys(asNode(document.paths)).flatMap(path => {
    if (path.startsWith('x-')) return []
    const item = follow(document, step('/paths', path))
    return declaredIn(item.node, minor).map(({ method, at }) =>
      operationAt(document, path, method, item.pointer, item.pointer + at),
    )
  })
  const operations = atSameServer(declared)
  // An operationId may be used twice; and without one, `/a-b` and `/a/b` would get the same id.
  const taken = new Set<string>()
  const isFirst = operations.map(operation => {
    const isOwn = isNamed(document)(operation) && !taken.has(operation.id)
    if (isOwn) taken.add(operation.id)
    return isOwn
  })
  return operations.map((operation, index) => {
    if (isFirst[index]) return operation
    const generated = generatedId(operation.method, operation.path)
    let id = generated
    for (let count = 2; taken.has(id); count++) id = `${generated}-${count}`
    taken.add(id)
    return { ...operation, id }
  })
}

const generatedId = (method: string, path: string): string =>
  `${method.toLowerCase()}${path.replace(/[{}]/g, '').replaceAll('/', '-')}`

const isNamed =
  (document: DocumentNode) =>
  ({ pointer }: Operation): boolean =>
    typeof follow(document, pointer).node.operationId === 'string'

/** The operation of a path item, with the id that it or its path gives. */
export const operationAt = (
  document: DocumentNode,
  path: string,
  method: Method,
  item: Pointer,
  pointer: Pointer,
): Operation => {
  const { node } = follow(document, pointer)
  const declared = parametersOf(document, [step(item, 'parameters'), step(pointer, 'parameters')])
  const { parameters, security } = withoutKeys(
    declared.filter(({ name, in: part }) => part !== 'path' || path.includes(`{${name}}`)),
    securityOf(document, node.security ?? document.security),
  )
  return {
    id: typeof node.operationId === 'string' ? node.operationId : generatedId(method, path),
    method,
    path,
    pointer,
    servers: ownServers(document, item, pointer),
    summary: String(node.summary ?? node.description ?? ''),
    parameters,
    body: node.requestBody === undefined ? null : bodyOf(document, step(pointer, 'requestBody')),
    responses: Object.keys(asNode(node.responses))
      .filter(status => !status.startsWith('x-'))
      .map(status => responseOf(document, status, step(step(pointer, 'responses'), status))),
    security,
    ...(Array.isArray(node[producesField]) ? { produces: node[producesField].map(String) } : {}),
  }
}

const parametersOf = (document: DocumentNode, lists: readonly Pointer[]): readonly Parameter[] => {
  const found = new Map<string, Parameter>()
  for (const list of lists) {
    const items = valueAt(document, list)
    for (const index of Array.isArray(items) ? items.keys() : []) {
      // An optional parameter that cannot be used was taken out, and a reference may lead nowhere.
      if (follow(document, step(list, index)).node.in === undefined) continue
      const parameter = parameterAt(document, step(list, index))
      if (parameter.in !== 'header' || !isIgnoredHeader(parameter.name))
        found.set(`${parameter.in} ${parameter.name}`, parameter)
    }
  }
  return [...found.values()]
}

const parameterAt = (document: DocumentNode, at: Pointer): Parameter => {
  const { node, pointer } = follow(document, at)
  const part = node.in as Parameter['in']
  const style =
    typeof node.style === 'string' ? node.style : part === 'query' || part === 'cookie' ? 'form' : 'simple'
  return {
    name: String(node.name),
    in: part,
    required: node.required === true,
    style,
    explode: typeof node.explode === 'boolean' ? node.explode : style === 'form' || style === 'cookie',
    // For queries alone (OpenAPI 3.0 and 3.1, Parameter Object).
    allowEmpty: part === 'query' && typeof node.allowEmptyValue === 'boolean' ? node.allowEmptyValue : null,
    ...contentOf(document, pointer),
    pointer,
  }
}

const mediaOf = (document: DocumentNode, pointer: Pointer): readonly Media[] =>
  Object.keys(asNode(valueAt(document, pointer)))
    .filter(type => !type.startsWith('x-'))
    .map(type => {
      const { node, pointer: at } = follow(document, step(pointer, type))
      const schema = node.schema === undefined ? null : step(at, 'schema')
      const sentAs = schema !== null && type.includes('*') ? typeInRange(document, at, type) : null
      const media = mediaAt(document, type, schema, at)
      return sentAs === null ? media : Object.assign(media, { sentAs: mediaAt(document, sentAs, schema, at) })
    })

const mediaAt = (document: DocumentNode, type: string, schema: Pointer | null, pointer: Pointer): Media => {
  let format: BodyFormat | null = null
  return {
    type,
    schema,
    pointer,
    get format() {
      format ??= formatOf(document, pointer, type)
      return format
    },
  }
}

const bodyOf = (document: DocumentNode, at: Pointer): RequestBody => {
  const { node, pointer } = follow(document, at)
  return { required: node.required === true, media: mediaOf(document, step(pointer, 'content')), pointer }
}

/** Responses with these statuses have no content, whatever the document declares (RFC 9110, 15.3.5, 15.3.6 and 15.4.5). */
const withoutContent = /^(?:204|205|304)$/

const responseOf = (document: DocumentNode, status: string, at: Pointer): DeclaredResponse => {
  const { pointer } = follow(document, at)
  return {
    status: status.toUpperCase() === 'DEFAULT' ? 'default' : status.toUpperCase(),
    media: withoutContent.test(status) ? [] : mediaOf(document, step(pointer, 'content')),
    headers: headersAt(document, step(pointer, 'headers')),
    pointer,
  }
}

/** Headers that HTTP sets for each message, whatever a document says of them. */
const headersOfHttp = /^(content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect)$/i

/** OpenAPI ignores parameters with these names, as other parts of the document describe them. */
const describedElsewhere = /^(accept|content-type|authorization)$/i

const isIgnoredHeader = (name: string): boolean => describedElsewhere.test(name) || headersOfHttp.test(name)

/** The header parameters that no request is made with, as HTTP sets them: one problem for each name. */
export const untestedHeaders = (
  operations: readonly Operation[],
  document: DocumentNode,
  place: (pointer: Pointer) => Place,
): readonly Problem[] => {
  const found = new Map<string, Pointer>()
  for (const { pointer } of operations)
    for (const owner of [pointer, pointer.slice(0, pointer.lastIndexOf('/'))]) {
      const list = step(owner, 'parameters')
      const items = valueAt(document, list)
      for (const index of Array.isArray(items) ? items.keys() : []) {
        const at = step(list, index)
        const { in: part, name } = asNode(follow(document, at).node)
        if (part === 'header' && headersOfHttp.test(String(name)) && !found.has(String(name)))
          found.set(String(name), at)
      }
    }
  return [...found].map(([name, at]) => ({
    message: `the header parameter ${name} is not tested: HTTP sets it`,
    place: place(at),
  }))
}
