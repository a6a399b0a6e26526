import { type Contract, type Json, type Operation, parseJson } from '../spec/index.ts'
import { narrowDocument } from './narrow.ts'

/** An answer as Prism makes it up from the document: its examples, or values for its schemas. */
export type Sample = { readonly headers: Readonly<Record<string, string>>; readonly body: Json | undefined }

/**
 * Gives the sample of an operation's response; `status` is a number, of a range or `default` any that falls in it.
 * The first attempt gives the document's examples, later ones random values, each attempt its own.
 */
export type Sampler = (operation: Operation, status: number, attempt: number) => Promise<Sample>

type Prism = typeof import('@stoplight/prism-http')
type Operations = Awaited<ReturnType<Prism['getHttpOperationsFromSpec']>>

/** Loads Prism when the first sample is asked for: it takes half a second and 130 MB. */
export const createSampler = (contract: Contract): Sampler => {
  const operations = new Map<Operation, Promise<Operations>>()
  let loading: Promise<Prism> | null = null
  const load = (): Promise<Prism> => (loading ??= import('@stoplight/prism-http').then(module => module))
  return async (operation, status, attempt) => {
    const prism = await load()
    const known =
      operations.get(operation) ?? prism.getHttpOperationsFromSpec(narrowDocument(contract, operation))
    operations.set(operation, known)
    return sample(prism, await known, operation, status, attempt)
  }
}

const sample = async (
  prism: Prism,
  operations: Operations,
  operation: Operation,
  status: number,
  attempt: number,
): Promise<Sample> => {
  const config = {
    isProxy: false as const,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    // A fresh object each time: Prism writes the first Accept header into it.
    // The seed makes the same values in every process.
    mock: { dynamic: attempt > 0, code: status, seed: `attempt ${attempt}` },
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
  return { headers: headerTexts(headers), body: body === undefined || body === '' ? undefined : jsonOf(body) }
}

// Prism makes values of header schemas, and null of those it cannot; a header line is text (style `simple`).
const headerTexts = (headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.toLowerCase() === 'content-type' || value === null
        ? []
        : [
            [
              name,
              typeof value === 'object' && value !== null && !Array.isArray(value)
                ? Object.entries(value).flat().join(',')
                : String(value),
            ],
          ],
    ),
  )

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
