import { asNode } from '../../json/follow-refs.ts'
import { localReference, type Pointer, step, valueAt } from '../../json/pointer.ts'
import { isTable, type MutableNode, walkReferences } from '../walk-references.ts'
import {
  bodyOf,
  type Converted,
  convertParameter,
  createMoves,
  divided,
  type Given,
  type Moves,
} from './parameters.ts'

/** Where a converted operation keeps its own `produces`: OpenAPI has media types only where a response has content. */
export const producesField = 'x-swagger-produces'

/** Those of a path item in Swagger 2.0, and in OpenAPI the usual ones. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch']

const usual = ['application/json']

/** Media types that hold for a whole document, unless an operation has its own. */
type Media = { readonly consumes: readonly string[]; readonly produces: readonly string[] }

/** Converts a bundled document of Swagger 2.0 to OpenAPI 3.0. What is wrong in it stays wrong, and fields that Swagger does not have stay as they are, for the checks. */
export const convertSwagger = (swagger: MutableNode): Converted => {
  const moves = createMoves()
  const { swagger: _, host, basePath, schemes, consumes, produces, ...others } = swagger
  const { definitions, parameters, responses, securityDefinitions, paths, ...rest } = others
  const media = mediaOf({ consumes, produces }, { consumes: usual, produces: usual })
  const shared = Object.entries(asNode(parameters)).filter(([, node]) => !isOfBody(asNode(node)))
  moves.add('/components/schemas', '/definitions')
  moves.add('/components/securitySchemes', '/securityDefinitions')
  const document: MutableNode = {
    openapi: '3.0.4',
    ...rest,
    ...serversOf(host, basePath, schemes),
    paths: mapOf(paths, '/paths', '/paths', (item, at, from) =>
      convertPath(swagger, item, at, from, media, moves),
    ),
    components: {
      ...(definitions === undefined ? {} : { schemas: definitions }),
      parameters: Object.fromEntries(
        shared.map(([name, node]) => {
          const at = step('/components/parameters', name)
          return [name, convertIfTable(node, at, step('/parameters', name), moves)]
        }),
      ),
      responses: mapOf(responses, '/components/responses', '/responses', (node, at, from) =>
        convertResponse(node, at, from, media.produces, moves),
      ),
      ...(securityDefinitions === undefined ? {} : { securitySchemes: convertSecurity(securityDefinitions) }),
    },
  }
  walkReferences(document, '', ({ node }) => {
    const target = localReference(node.$ref)
    if (target !== null) (node as MutableNode).$ref = `#${encodeURI(moves.after(target))}`
  })
  return { document, before: moves.before }
}

type Convert = (node: MutableNode, at: Pointer, from: Pointer) => MutableNode

const mapOf = (map: unknown, at: Pointer, from: Pointer, convert: Convert): unknown => {
  if (!isTable(map)) return map ?? {}
  return Object.fromEntries(
    Object.entries(map).map(([name, node]) => [
      name,
      isTable(node) && !name.startsWith('x-') && typeof node.$ref !== 'string'
        ? convert(node, step(at, name), step(from, name))
        : node,
    ]),
  )
}

const mediaOf = (
  { consumes, produces }: { readonly consumes?: unknown; readonly produces?: unknown },
  before: Media,
): Media => {
  const list = (value: unknown, otherwise: readonly string[]): readonly string[] =>
    Array.isArray(value) && value.length > 0 ? value.map(String) : otherwise
  return { consumes: list(consumes, before.consumes), produces: list(produces, before.produces) }
}

const serversOf = (host: unknown, basePath: unknown, schemes: unknown): MutableNode => {
  if (host === undefined && basePath === undefined) return {}
  const path = String(basePath ?? '/')
  const names = Array.isArray(schemes) && schemes.length > 0 ? schemes : ['https']
  return {
    servers: host === undefined ? [{ url: path }] : names.map(name => ({ url: `${name}://${host}${path}` })),
  }
}

const isOfBody = ({ in: part }: Readonly<MutableNode>): boolean => part === 'body' || part === 'formData'

const convertIfTable = (node: unknown, at: Pointer, from: Pointer, moves: Moves): unknown =>
  isTable(node) && typeof node.$ref !== 'string' ? convertParameter({ node, from }, at, moves) : node

const convertPath = (
  swagger: MutableNode,
  item: MutableNode,
  at: Pointer,
  from: Pointer,
  media: Media,
  moves: Moves,
): MutableNode => {
  const converted: MutableNode = { ...item }
  const ofPath = divide(swagger, item.parameters, step(at, 'parameters'), step(from, 'parameters'), moves)
  if (item.parameters !== undefined) converted.parameters = ofPath.parameters
  for (const method of methods) {
    const operation = item[method]
    if (!isTable(operation)) continue
    const [here, there] = [step(at, method), step(from, method)]
    const { consumes, produces, schemes: _, parameters, responses, ...rest } = operation
    const own = mediaOf({ consumes, produces }, media)
    const ofOperation = divide(
      swagger,
      parameters,
      step(here, 'parameters'),
      step(there, 'parameters'),
      moves,
    )
    const bodies = [...ofPath.bodies, ...ofOperation.bodies]
    const requestBody = bodyOf(bodies, own.consumes, step(here, 'requestBody'), moves)
    converted[method] = {
      ...rest,
      ...(parameters === undefined ? {} : { parameters: ofOperation.parameters }),
      ...(requestBody === null ? {} : { requestBody }),
      ...(own.produces === usual ? {} : { [producesField]: own.produces }),
      ...(responses === undefined
        ? {}
        : {
            responses: mapOf(responses, step(here, 'responses'), step(there, 'responses'), (node, to, old) =>
              convertResponse(node, to, old, own.produces, moves),
            ),
          }),
    }
  }
  return converted
}

/** The parameters that stay parameters, and those that describe the body. */
const divide = (
  swagger: MutableNode,
  list: unknown,
  at: Pointer,
  from: Pointer,
  moves: Moves,
): { readonly parameters: unknown; readonly bodies: readonly Given[] } => {
  if (!Array.isArray(list)) return { parameters: list, bodies: [] }
  const bodies: Given[] = []
  const parameters: unknown[] = []
  for (const [index, item] of list.entries()) {
    const target = isTable(item) && typeof item.$ref === 'string' ? localReference(item.$ref) : null
    const node = target === null ? item : valueAt(swagger, target)
    if (isTable(node) && isOfBody(node)) bodies.push({ node, from: target ?? step(from, index) })
    else {
      const here = step(at, parameters.length)
      moves.add(here, step(from, index))
      parameters.push(convertIfTable(item, here, step(from, index), moves))
    }
  }
  return { parameters, bodies }
}

const convertResponse = (
  node: MutableNode,
  at: Pointer,
  from: Pointer,
  produces: readonly string[],
  moves: Moves,
): MutableNode => {
  const { schema, examples, headers, ...rest } = node
  moves.add(at, from)
  const isFile = asNode(schema).type === 'file'
  // Examples say what the body is if no schema does.
  const exemplified = isTable(examples) ? Object.keys(examples) : []
  const types = schema === undefined ? exemplified : produces
  const content = types.map(type => {
    const example = asNode(examples)[type]
    const media = step(step(at, 'content'), type)
    moves.add(step(media, 'schema'), step(from, 'schema'))
    if (example !== undefined) moves.add(step(media, 'example'), step(step(from, 'examples'), type))
    return [
      type,
      {
        ...(isFile || schema === undefined ? {} : { schema }),
        ...(example === undefined ? {} : { example }),
      },
    ]
  })
  return {
    ...rest,
    ...(headers === undefined
      ? {}
      : {
          headers: mapOf(headers, step(at, 'headers'), step(from, 'headers'), (header, to, old) => {
            const { rest, schema } = divided(header)
            moves.add(step(to, 'schema'), old)
            return { ...rest, schema }
          }),
        }),
    ...(content.length === 0 ? {} : { content: Object.fromEntries(content) }),
  }
}

const flowNames: Readonly<Record<string, string>> = {
  accessCode: 'authorizationCode',
  application: 'clientCredentials',
  implicit: 'implicit',
  password: 'password',
}

/** The security definitions of Swagger 2.0 as security schemes. */
const convertSecurity = (definitions: unknown): unknown =>
  isTable(definitions)
    ? Object.fromEntries(
        Object.entries(definitions).map(([name, scheme]) => [
          name,
          isTable(scheme) ? convert(scheme) : scheme,
        ]),
      )
    : definitions

const convert = (scheme: MutableNode): MutableNode => {
  if (scheme.type === 'basic') return { ...scheme, type: 'http', scheme: 'basic' }
  if (scheme.type !== 'oauth2') return scheme
  const { flow, authorizationUrl, tokenUrl, scopes = {}, ...rest } = scheme
  const urls = {
    ...(authorizationUrl === undefined ? {} : { authorizationUrl }),
    ...(tokenUrl === undefined ? {} : { tokenUrl }),
  }
  return { ...rest, flows: { [flowNames[String(flow)] ?? String(flow)]: { ...urls, scopes } } }
}
