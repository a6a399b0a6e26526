import { DocumentError } from '../../errors.ts'
import { asNode } from '../../json/follow-refs.ts'
import { type Pointer, step } from '../../json/pointer.ts'
import { loadPrism, type Prism } from '../../prism.ts'
import { isTable, type MutableNode } from '../walk-references.ts'
import { type Converted, createMoves } from './parameters.ts'
import { shapeOf } from './shape-of-values.ts'

type Operation = Awaited<ReturnType<Prism['getHttpOperationsFromSpec']>>[number]
type Part = {
  readonly name: string
  readonly required?: boolean
  readonly description?: string
  readonly schema?: object
  readonly examples?: readonly object[]
}
type Media = NonNullable<Operation['responses'][number]['contents']>[number]

const methods: ReadonlySet<string> = new Set('get put post delete options head patch trace'.split(' '))

/** Whether a document is a Postman collection (v2), by itself or as Postman's API wraps it. */
export const isCollection = (root: unknown): boolean => {
  const { item, info } = asNode(isWrapped(root) ? root.collection : root)
  return Array.isArray(item) && asNode(info).name !== undefined
}

const isWrapped = (root: unknown): root is { readonly collection: MutableNode } =>
  isTable(root) && isTable(root.collection)

/**
 * Converts a Postman collection to OpenAPI 3.2, as Prism reads it: an operation for each method and path, with the parameters of its saved
 * requests, and the responses that were saved for them. What they had is an example, and gives the schema. Null if Prism is not there. Throws
 * DocumentError.
 */
export const convertCollection = async (root: MutableNode): Promise<Converted | null> => {
  const prism = await loadPrism()
  if (prism === null) return null
  const [collection, place] = isWrapped(root) ? [root.collection, '/collection'] : [root, '']
  const texts = new Set<unknown>()
  const item = identified(collection.item, `${place}/item`, texts)
  const operations = await prism
    .getHttpOperationsFromSpec(withoutReferences({ ...collection, item }) as MutableNode)
    .catch((error: unknown) => {
      const message = `the Postman collection cannot be read: ${(error as Error).message}`
      throw new DocumentError([{ message, place: null }])
    })
  const moves = createMoves()
  const paths: Record<string, MutableNode> = {}
  const schemes: Record<string, unknown> = {}
  for (const operation of operations) {
    const path = pathOf(operation.path)
    paths[path] ??= {}
    const ofPath = paths[path]
    const isUsual = methods.has(operation.method)
    const key = isUsual ? operation.method : operation.method.toUpperCase()
    const at = [path, ...(isUsual ? [] : ['additionalOperations']), key].reduce(step, '/paths')
    const converted = operationOf(operation, namesIn(path), texts)
    if (isUsual) ofPath[key] = converted
    else ofPath.additionalOperations = { ...asNode(ofPath.additionalOperations), [key]: converted }
    moves.add(at, `${operation.iid}/request`)
    moves.add(`${at}/responses`, `${operation.iid}/response`)
    for (const { key, ...scheme } of (operation.security ?? []).flat()) schemes[key] = schemeOf(scheme)
  }
  moves.add('/components/securitySchemes', `${place}/auth`)
  moves.add('/info', `${place}/info`)
  const { name, version, description } = asNode(collection.info)
  const urls = new Set(operations.flatMap(({ servers = [] }) => servers.map(({ url }) => url)))
  const document: MutableNode = {
    openapi: '3.2.0',
    info: {
      title: String(name),
      version: typeof version === 'string' ? version : '1.0.0',
      ...(typeof description === 'string' ? { description } : {}),
    },
    ...(urls.size === 0 ? {} : { servers: [...urls].map(url => ({ url })) }),
    paths,
    components: { securitySchemes: schemes },
  }
  return { document, before: moves.before }
}

/** Prism would read the files that are referred to, whichever they are. */
const withoutReferences = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutReferences)
  if (!isTable(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      key === '$ref' ? [] : [[key, withoutReferences(member)]],
    ),
  )
}

/** The items with their places as ids, which stay when Prism joins requests of one operation. Adds the bodies that were saved to `texts`. */
const identified = (items: unknown, at: Pointer, texts: Set<unknown>): readonly unknown[] =>
  (Array.isArray(items) ? items : []).map((item, index) => {
    const here = step(at, String(index))
    if (!isTable(item)) return item
    if (Array.isArray(item.item)) return { ...item, item: identified(item.item, `${here}/item`, texts) }
    texts.add(asNode(asNode(item.request).body).raw)
    for (const response of Array.isArray(item.response) ? item.response : []) texts.add(asNode(response).body)
    return { ...item, id: here }
  })

/** A variable that has no value is a parameter: `/{{version}}/todos` is `/{version}/todos`. */
const pathOf = (path: string): string => path.replace(/\{\{([^{}]+)\}\}/g, '{$1}')

const namesIn = (path: string): readonly string[] =>
  [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)

const operationOf = (
  { summary, description, request, responses, security = [] }: Operation,
  names: readonly string[],
  texts: ReadonlySet<unknown>,
): MutableNode => {
  const { path = [], query = [], headers = [], cookie = [], body } = request ?? {}
  const all = [
    ...names.map(name =>
      parameterOf('path', { name, ...path.find(part => part.name === name), required: true }),
    ),
    ...query.map(part => parameterOf('query', part)),
    ...headers.filter(isOfContract).map(part => parameterOf('header', part)),
    ...cookie.map(part => parameterOf('cookie', part)),
  ]
  // A saved request may have a name several times.
  const parameters = all.filter(
    (each, index) => all.findIndex(other => other.in === each.in && other.name === each.name) === index,
  )
  const content = contentOf(body?.contents, texts)
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    parameters,
    ...(content === null ? {} : { requestBody: { content } }),
    // Nothing says what other responses there are.
    responses:
      responses.length === 0
        ? { default: { description: 'no response was saved' } }
        : Object.fromEntries(responses.map(response => [response.code, responseOf(response, texts)])),
    security: security.map(schemes => Object.fromEntries(schemes.map(({ key }) => [key, []]))),
  }
}

const parameterOf = (
  place: string,
  { name, required, description, schema, examples }: Part,
): MutableNode => ({
  name,
  in: place,
  ...(required === true ? { required } : {}),
  ...(description === undefined ? {} : { description }),
  schema: schemaOf(schema ?? { type: 'string' }),
  ...examplesOf(valuesOf(examples)),
})

const responseOf = (
  { description, headers = [], contents }: Operation['responses'][number],
  texts: ReadonlySet<unknown>,
): MutableNode => {
  const content = contentOf(contents, texts)
  const kept = headers.filter(isOfContract)
  return {
    description: description ?? '',
    ...(kept.length === 0
      ? {}
      : {
          headers: Object.fromEntries(
            kept.map(({ name, schema, examples }) => [
              name,
              { schema: schemaOf(schema ?? { type: 'string' }), ...examplesOf(valuesOf(examples)) },
            ]),
          ),
        }),
    ...(content === null ? {} : { content }),
  }
}

const contentOf = (
  contents: readonly Media[] | undefined,
  texts: ReadonlySet<unknown>,
): MutableNode | null =>
  contents === undefined || contents.length === 0
    ? null
    : Object.fromEntries(
        contents.map(({ mediaType, schema, examples }) => {
          const values = valuesOf(examples).map(value => (isJson(mediaType) ? parsed(value, texts) : value))
          // Prism's own schema of a body may not allow it: of a list it has the type of one item.
          const shape = values.length > 0 ? shapeOf(values) : schema === undefined ? null : schemaOf(schema)
          return [mediaType, { ...(shape === null ? {} : { schema: shape }), ...examplesOf(values) }]
        }),
      )

const isJson = (mediaType: string): boolean => /[/+]json(?:;|$)/i.test(mediaType)

/** A body for which Prism finds no schema stays a text. */
const parsed = (value: unknown, texts: ReadonlySet<unknown>): unknown => {
  if (typeof value !== 'string' || !texts.has(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const schemaOf = (schema: object): MutableNode => {
  const { $schema: _, ...rest } = schema as MutableNode
  return rest
}

const valuesOf = (examples: readonly object[] | undefined): readonly unknown[] =>
  (examples ?? []).flatMap(each => ('value' in each ? [each.value] : []))

/** Saved requests of one operation have examples of one name. */
const examplesOf = (values: readonly unknown[]): { readonly examples?: object } =>
  values.length === 0
    ? {}
    : { examples: Object.fromEntries(values.map((value, index) => [`saved-${index + 1}`, { value }])) }

const schemeOf = ({ id: _, extensions: __, ...scheme }: MutableNode): MutableNode => scheme

/** Headers that clients, servers and proxies set by themselves, and those that OpenAPI has at other places. */
const ofTransport =
  /^(?:accept|accept-encoding|authorization|cache-control|connection|content-(?:encoding|length|type)|cookie|date|host|keep-alive|postman-token|server|set-cookie|transfer-encoding|user-agent|vary)$/i

const isOfContract = ({ name }: { readonly name: string }): boolean => !ofTransport.test(name)
