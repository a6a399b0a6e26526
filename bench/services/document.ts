import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { asObject, at, type Json, selfContained } from './schema.ts'

export type Operation = {
  /** Method and path as the document has them. */
  readonly name: string
  readonly declares: (status: number) => boolean
  /** What a value breaks, as place and keyword; null if nothing is declared for such a body, or its schema cannot be read. */
  readonly validatorOf: (status: number, type: string) => ((value: unknown) => readonly string[]) | null
}

/**
 * A document as the judge reads it. It shares no code with what is measured: it looks up paths by pattern, and has Ajv judge bodies.
 */
export type Service = {
  readonly operations: readonly Operation[]
  /** The operation that a method and a path belong to. A path without parameters goes before one that has them. */
  readonly find: (method: string, path: string) => Operation | undefined
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** `base` is the path under which the service has the paths of the document. */
export const readService = (text: string, base: string): Service => {
  const document: Json = text.trimStart().startsWith('{') ? JSON.parse(text) : parse(text)
  const resolve = (value: unknown): Json => {
    const node = asObject(value)
    return typeof node.$ref === 'string' ? resolve(at(document, node.$ref)) : node
  }
  const routes = Object.entries(asObject(document.paths))
    .filter(([path]) => path.startsWith('/'))
    .flatMap(([path, item]) =>
      Object.entries(resolve(item))
        .filter(([method]) => methods.includes(method))
        .map(([method, operation]) => ({
          method: method.toUpperCase(),
          parameters: path.split('{').length,
          pattern: patternOf(base.replace(/\/$/, '') + path, [
            ...parametersIn(operation, resolve),
            ...parametersIn(resolve(item), resolve),
          ]),
          operation: readOperation(`${method.toUpperCase()} ${path}`, asObject(operation), document, resolve),
        })),
    )
    .sort((left, right) => left.parameters - right.parameters)
  return {
    operations: routes.map(({ operation }) => operation),
    find: (method, path) =>
      routes.find(route => route.method === method && route.pattern.test(path))?.operation,
  }
}

const parametersIn = (node: unknown, resolve: (value: unknown) => Json): readonly Json[] => {
  const { parameters } = asObject(node)
  return Array.isArray(parameters) ? parameters.map(resolve) : []
}

/** A parameter whose pattern has a slash stands for several segments, as in documents that are made from gRPC services. */
const patternOf = (path: string, parameters: readonly Json[]): RegExp =>
  new RegExp(
    `^${path
      .split(/\{([^}]+)\}/)
      .map((part, index) => {
        if (index % 2 === 0) return RegExp.escape(part)
        const found = parameters.find(({ name, in: place }) => name === part && place === 'path')
        const pattern = found?.pattern ?? asObject(found?.schema).pattern
        return typeof pattern === 'string' && pattern.replaceAll('[^/]', '').includes('/')
          ? pattern.replace(/^\^/, '').replace(/\$$/, '')
          : '[^/]+'
      })
      .join('')}$`,
  )

const readOperation = (
  name: string,
  operation: Json,
  document: Json,
  resolve: (value: unknown) => Json,
): Operation => {
  const responses = asObject(operation.responses)
  const declared = (status: number): unknown =>
    responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses.default
  const validators = new Map<unknown, ReturnType<Operation['validatorOf']>>()
  return {
    name,
    declares: status => declared(status) !== undefined,
    validatorOf: (status, type) => {
      const response = resolve(declared(status))
      const schema =
        document.swagger === undefined ? schemaFor(asObject(response.content), type) : response.schema
      if (!validators.has(schema)) validators.set(schema, compile(schema, document))
      return validators.get(schema) ?? null
    },
  }
}

const schemaFor = (content: Json, type: string): unknown => {
  const essence = (type.split(';')[0] ?? '').trim().toLowerCase()
  const ranges = [essence, `${essence.split('/')[0]}/*`, '*/*']
  const entries = Object.entries(content).map(([name, media]) => [
    (name.split(';')[0] ?? '').toLowerCase(),
    media,
  ])
  return ranges
    .map(range => entries.find(([name]) => name === range)?.[1])
    .filter(media => media !== undefined)
    .map(media => asObject(media).schema)[0]
}

const compile = (schema: unknown, document: Json): ReturnType<Operation['validatorOf']> => {
  if (schema === undefined) return null
  const ajv = new Ajv2020({
    ...{ strict: false, validateFormats: false, allErrors: true, unicodeRegExp: false, logger: false },
  })
  try {
    const validate = ajv.compile(selfContained(schema, document))
    return value => {
      if (validate(value)) return []
      return (validate.errors ?? []).map(
        ({ instancePath, keyword }) => `${instancePath.replace(/\/\d+(?=\/|$)/g, '/*')} ${keyword}`,
      )
    }
  } catch {
    return null
  }
}
