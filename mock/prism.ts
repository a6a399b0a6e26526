import { type Contract, type Json, type Operation, parseJson, valueAt } from '../spec/index.ts'

/** An answer as Prism makes it up from the document: its examples, or values for its schemas. */
export type Sample = { readonly headers: Readonly<Record<string, string>>; readonly body: Json | undefined }

/** Gives the sample of an operation's response; `status` is a number, of a range or `default` any that falls in it. */
export type Sampler = (operation: Operation, status: number, dynamic: boolean) => Promise<Sample>

type Prism = typeof import('@stoplight/prism-http')
type Operations = Awaited<ReturnType<Prism['getHttpOperationsFromSpec']>>

const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** Loads Prism when the first sample is asked for: it takes half a second and 130 MB. */
export const createSampler = (contract: Contract): Sampler => {
  const operations = new Map<Operation, Promise<Operations>>()
  let loading: Promise<Prism> | null = null
  const load = (): Promise<Prism> => (loading ??= import('@stoplight/prism-http').then(module => module))
  return async (operation, status, dynamic) => {
    const prism = await load()
    const known =
      operations.get(operation) ?? prism.getHttpOperationsFromSpec(documentOf(contract, operation))
    operations.set(operation, known)
    return sample(prism, await known, operation, status, dynamic)
  }
}

// The document with one operation only: Prism compiles every operation that it is given, and sorts them on each request.
const documentOf = ({ document }: Contract, operation: Operation): object => {
  const method = operation.method.toLowerCase()
  const item = valueAt(document, operation.pointer.slice(0, operation.pointer.lastIndexOf('/'))) as Record<
    string,
    unknown
  >
  return structuredClone({
    ...document,
    // Prism checks by draft-07 unless it is told the exact dialect.
    jsonSchemaDialect: dialect,
    paths: {
      [operation.path]: {
        ...(item.parameters === undefined ? {} : { parameters: item.parameters }),
        [method]: item[method],
      },
    },
  })
}

const sample = async (
  prism: Prism,
  operations: Operations,
  operation: Operation,
  status: number,
  dynamic: boolean,
): Promise<Sample> => {
  const config = {
    isProxy: false as const,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    // A fresh object each time: Prism writes the first Accept header into it.
    mock: { dynamic, code: status },
  }
  const instance = prism.createInstance(config, { logger: silent as never })
  const request = {
    method: operation.method.toLowerCase() as 'get',
    url: { path: operation.path.replace(/\{[^}]*\}/g, 'x'), query: {} },
    headers: {},
    body: undefined,
  }
  const result = await instance.request(request, operations, config)()
  if (result._tag === 'Left')
    throw new Error(`Prism has no sample for ${operation.id} ${status}: ${result.left.message}`)
  const { headers = {}, body } = result.right.output
  return { headers: withoutType(headers), body: body === undefined || body === '' ? undefined : jsonOf(body) }
}

const withoutType = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type'))

const jsonOf = (body: unknown): Json =>
  parseJson(typeof body === 'string' ? JSON.stringify(body) : (JSON.stringify(body) ?? 'null'))

// Prism asks of its logger that it can make children and tell of success.
const ignore = (): void => {}
const silent = {
  success: ignore,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
  child: () => silent,
}
