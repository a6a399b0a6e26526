import {
  type Contract,
  type DeclaredResponse,
  type DocumentNode,
  type Json,
  loadPrism,
  type Operation,
  type Pointer,
  type Prism,
  parseJson,
  writeJson,
} from '../../spec/index.ts'
import { rulesOf } from '../rules/infer.ts'
import type { Examples } from './examples.ts'
import { withFakerHints } from './faker-hints.ts'
import { simpleResponse } from './simple-response.ts'
import { closedObject } from './simple-sample.ts'
import { type Rewrite, sliceDocument } from './slice-document.ts'

/** A response that Prism makes from the document, of examples or of values for the schemas. */
export type PrismSample = {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json | undefined
  /** In characters. */
  readonly size: number
  /** Prism is not there, as in a browser; this was made without it. */
  readonly isSimple?: true
}

/**
 * `document`: valid examples, else values that look real; `random`: only values that look real; `plain`: Prism's own
 * values.
 */
export type SampleSource = 'document' | 'random' | 'plain'

/** Makes a sample of a declared response; equal seeds give equal samples. `status`: one that falls under it. */
export type Sampler = (
  operation: Operation,
  declared: DeclaredResponse,
  status: number,
  source: SampleSource,
  seed: number,
) => Promise<PrismSample>

type Operations = Awaited<ReturnType<Prism['getHttpOperationsFromSpec']>>

/** Prism is loaded for the first sample. */
export const createSampler = (contract: Contract, examples: Examples): Sampler => {
  const rewriteFor = (source: SampleSource, operation: Operation, declared: DeclaredResponse): Rewrite =>
    source === 'plain'
      ? unchanged
      : rewriteOf(source === 'document' ? examples : null, listSchemasOf(contract, operation, declared))
  const known = new Map<DeclaredResponse, Partial<Record<SampleSource, Promise<Operations>>>>()
  let loading: Promise<Prism | null> | null = null
  let last: Promise<unknown> = Promise.resolve()
  return async (operation, declared, status, source, seed) => {
    loading ??= loadPrism()
    const prism = await loading
    if (prism === null) {
      const made = simpleResponse(
        contract,
        declared,
        examples,
        source !== 'random',
        `${operation.id} ${seed}`,
      )
      return { ...made, isSimple: true }
    }
    const compiled = known.get(declared) ?? {}
    known.set(declared, compiled)
    compiled[source] ??= prism.getHttpOperationsFromSpec(
      sliceDocument(
        // What is `writeOnly` is in no response. What is not declared as a response is a sample of a request.
        isDeclared(operation, declared) ? contract.responses : contract,
        operation,
        declared,
        rewriteFor(source, operation, declared),
      ),
    )
    const operations = await compiled[source]
    // One at a time: all samples of a process share two random generators, which are seeded for each.
    const next = last.then(() => sample(prism, operations, operation, status, source, seed))
    last = next.catch(() => undefined)
    return next
  }
}

const unchanged: Rewrite = { schema: schema => schema, header: withoutExamples }

const isDeclared = ({ responses }: Operation, { pointer }: DeclaredResponse): boolean =>
  responses.some(each => each.pointer === pointer)

/** The schemas of the list that a response is or has. */
const listSchemasOf = (
  contract: Contract,
  operation: Operation,
  declared: DeclaredResponse,
): readonly Pointer[] => {
  return isDeclared(operation, declared)
    ? (rulesOf(contract, operation, declared, {}).list?.list.schemas ?? [])
    : []
}

/** So many items at least, as the items of a list are made from those of samples. */
const leastItems = 3

/** So many items, properties and characters at most, where a schema allows more: some allow 32,767 of everything, and Prism makes them. */
const most = { Items: 5, Properties: 10, Length: 100 } as const

const withoutExcess = (schema: DocumentNode): DocumentNode => {
  const changes = Object.entries(most).flatMap(([what, limit]) => {
    const largest = schema[`max${what}`]
    const room = Math.max(limit, Number(schema[`min${what}`] ?? 0))
    return typeof largest === 'number' && largest > room ? [[`max${what}`, room] as const] : []
  })
  return changes.length === 0 ? schema : { ...schema, ...Object.fromEntries(changes) }
}

const rewriteOf = (examples: Examples | null, lists: readonly Pointer[]): Rewrite => ({
  schema: (schema, at, name) => {
    const example = examples?.ofSchema(at)
    if (example !== undefined) return { const: marked(example) }
    // What `x-faker` says counts afterwards: Prism makes nothing at all for a method that faker does not have.
    const { example: _, examples: __, 'x-faker': ___, ...rest } = schema
    if (lists.includes(at) && rest.type === 'array')
      return {
        ...withoutExcess(rest),
        minItems: Math.max(
          Number(rest.minItems ?? 0),
          Math.min(leastItems, Number(rest.maxItems ?? leastItems)),
        ),
      }
    return closedObject(withFakerHints(withoutExcess(rest), name))
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

// Numbers that a double cannot hold go through Prism as marked strings.
const marked = (value: Json): unknown =>
  JSON.parse(writeJson(value), (_name, member, { source }) =>
    typeof member === 'number' && source !== undefined && String(member) !== source
      ? `${mark}${source}${mark}`
      : member,
  )

const unmarked = (text: string): string =>
  text.replace(/"\u{f0000}([-+.0-9eE]+)\u{f0000}"/gu, '$1').replace(/\u{f0000}/gu, '')

const sample = async (
  { createInstance, faker }: Prism,
  operations: Operations,
  operation: Operation,
  status: number,
  source: SampleSource,
  seed: number,
): Promise<PrismSample> => {
  const config = {
    isProxy: false as const,
    checkSecurity: false,
    validateRequest: false,
    validateResponse: false,
    errors: false,
    upstreamProxy: undefined,
    // A new object each time: Prism writes the first Accept header into it.
    mock: { dynamic: source !== 'plain', code: status, seed: `seed ${seed}` },
  }
  const instance = createInstance(config, { logger: silentLogger as never })
  const request = {
    method: operation.method.toLowerCase() as 'get',
    url: { path: operation.path.replace(/\{[^{}]*\}/g, 'x'), query: {} },
    headers: {},
    body: undefined,
  }
  // The instance that Prism calls for `x-faker`; Prism itself does not seed it.
  faker.seed(seed)
  const result = await instance.request(request, operations, config)()
  if (result._tag === 'Left')
    throw new Error(`Prism has no sample for ${operation.id} ${status}: ${result.left.message}`)
  const { headers = {}, body: made } = result.right.output
  // Of a schema that refers to itself and to nothing else, Prism gives its own notes.
  const body = typeof made === 'object' && made !== null && 'x-stoplight' in made ? {} : made
  const text = body === undefined || body === '' ? '' : unmarked(JSON.stringify(body) ?? 'null')
  return { headers: headerTexts(headers), body: text === '' ? undefined : parseJson(text), size: text.length }
}

// Prism gives values for header schemas, and null if it cannot; a header line is text (style `simple`).
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

const ignore = (): void => {}

/** Prism needs a logger that can make children and has a level `success`. */
export const silentLogger = {
  success: ignore,
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
  child: () => silentLogger,
}
