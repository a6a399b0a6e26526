import {
  type Contract,
  type Json,
  type Operation,
  parseJson,
  type ResponseClause,
  writeJson,
} from '../spec/index.ts'
import { believable } from './believable.ts'
import type { Examples } from './examples.ts'
import { narrowDocument, type Rewrite } from './narrow.ts'

/** An answer as Prism makes it up from the document: its examples, or values for its schemas. `size`: in characters. */
export type Sample = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json | undefined
  readonly size: number
}

/** `document`: its good examples, and believable values; `random`: values only; `plain`: what Prism gives for any schema. */
export type Source = 'document' | 'random' | 'plain'

/** Gives the sample of a response, the same for the same seed; `status`: of a range or `default` any that falls in it. */
export type Sampler = (
  operation: Operation,
  clause: ResponseClause,
  status: number,
  source: Source,
  seed: number,
) => Promise<Sample>

type Prism = typeof import('@stoplight/prism-http')
type Operations = Awaited<ReturnType<Prism['getHttpOperationsFromSpec']>>
type Loaded = { readonly prism: Prism; readonly faker: { readonly seed: (seed: number) => void } }

/** Loads Prism when the first sample is asked for: it takes half a second and 130 MB. */
export const createSampler = (contract: Contract, examples: Examples): Sampler => {
  const rewrites = { document: rewriteOf(examples), random: rewriteOf(null), plain: unchanged }
  const known = new Map<ResponseClause, Partial<Record<Source, Promise<Operations>>>>()
  let loading: Promise<Loaded> | null = null
  let last: Promise<unknown> = Promise.resolve()
  return async (operation, clause, status, source, seed) => {
    loading ??= load()
    const loaded = await loading
    const own = known.get(clause) ?? {}
    known.set(clause, own)
    own[source] ??= loaded.prism.getHttpOperationsFromSpec(
      narrowDocument(contract, operation, clause, rewrites[source]),
    )
    const operations = await own[source]
    // One at a time: all samples of a process draw from the same two random generators, which are seeded for each.
    const turn = last.then(() => sample(loaded, operations, operation, status, source, seed))
    last = turn.catch(() => undefined)
    return turn
  }
}

const load = async (): Promise<Loaded> => {
  const { createRequire } = await import('node:module')
  const prism = await import('@stoplight/prism-http')
  // The faker that Prism itself calls for `x-faker`; it has no way to seed it.
  const { faker } = createRequire(import.meta.resolve('@stoplight/prism-http'))('@faker-js/faker') as Loaded
  return { prism, faker }
}

const unchanged: Rewrite = { schema: schema => schema, header: withoutExamples }

const rewriteOf = (examples: Examples | null): Rewrite => ({
  schema: (schema, at, name) => {
    const example = examples?.ofSchema(at)
    if (example !== undefined) return { const: marked(example) }
    const { example: _, examples: __, ...rest } = schema
    return believable(rest, name)
  },
  header: (header, at) => {
    const example = examples?.named(at, null, null)
    return { ...withoutExamples(header), ...(example === undefined ? {} : { example: marked(example) }) }
  },
})

function withoutExamples<T extends object>(node: T): Omit<T, 'example' | 'examples'> {
  const { example: _, examples: __, ...rest } = node as T & { example?: unknown; examples?: unknown }
  return rest as Omit<T, 'example' | 'examples'>
}

const mark = '\u{f0000}'

// Numbers beyond a double go through Prism as marked texts.
const marked = (value: Json): unknown =>
  JSON.parse(writeJson(value), (_name, own, { source }) =>
    typeof own === 'number' && source !== undefined && String(own) !== source
      ? `${mark}${source}${mark}`
      : own,
  )

const unmarked = (text: string): string =>
  text.replace(/"\u{f0000}([-+.0-9eE]+)\u{f0000}"/gu, '$1').replace(/\u{f0000}/gu, '')

const sample = async (
  { prism, faker }: Loaded,
  operations: Operations,
  operation: Operation,
  status: number,
  source: Source,
  seed: number,
): Promise<Sample> => {
  const config = {
    isProxy: false as const,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    // A fresh object each time: Prism writes the first Accept header into it.
    mock: { dynamic: source !== 'plain', code: status, seed: `seed ${seed}` },
  }
  const instance = prism.createInstance(config, { logger: silent as never })
  const request = {
    method: operation.method.toLowerCase() as 'get',
    url: { path: operation.path.replace(/\{[^}]*\}/g, 'x'), query: {} },
    headers: {},
    body: undefined,
  }
  faker.seed(seed)
  const result = await instance.request(request, operations, config)()
  if (result._tag === 'Left')
    throw new Error(`Prism has no sample for ${operation.id} ${status}: ${result.left.message}`)
  const { headers = {}, body } = result.right.output
  const text = body === undefined || body === '' ? '' : unmarked(JSON.stringify(body) ?? 'null')
  return { headers: headerTexts(headers), body: text === '' ? undefined : parseJson(text), size: text.length }
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
              unmarked(
                typeof value === 'object' && value !== null && !Array.isArray(value)
                  ? Object.entries(value).flat().join(',')
                  : String(value),
              ),
            ],
          ],
    ),
  )

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
