import {
  type DeclaredResponse,
  type Headers,
  type Json,
  type Operation,
  type SchemaPlace,
  valueAt,
  writeJson,
} from '../../spec/index.ts'
import { chanceOf, digest } from '../chance/digest.ts'
import type { ResponsePreferences } from '../preferences/prefer.ts'
import { fillRequired } from '../values/fill-required.ts'
import { freshValue } from '../values/fresh-values.ts'
import { mendedAt, mendedBodies, mendedHeaders, mendedSample } from '../values/mended.ts'
import type { PrismSample, SampleSource } from '../values/prism.ts'
import { type CompiledResponse, headersOf, statusOf } from './compiled-response.ts'
import { type CompiledOperation, compiledOperation, compiledResponse, type Engine } from './engine.ts'
import { type FittedTo, fittedHeaders } from './fit.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { hasAllDue, merge, mergeCandidates } from './merge-known.ts'
import { type MockResponse, noBody } from './mock-response.ts'
import { type MockRequest, seedOf } from './request.ts'
import { type Incomplete, keyOf } from './response-key.ts'
import { isStream, streamResponse } from './stream-response.ts'
import { bytesOf, fileFor, writeResponse } from './write-response.ts'

/** What a response is built from. */
export type ResponseSpec = {
  readonly declared: DeclaredResponse
  /** The status, if `declared` is for a range or `default` and it falls under that. */
  readonly status: number
  /** What is known of the body, by the properties of its schema. */
  readonly known?: (root: SchemaPlace) => Json | undefined
  /** Made-up values follow from it. Null: they are the same for every request, and optional properties are left out. */
  readonly request?: MockRequest | null
  readonly preferences?: ResponsePreferences | null
  readonly fittedTo?: FittedTo | null
}

const maxAttempts = 8
/** Prism makes so many samples of a response for different requests; ids in them are each request's own. */
const variants = 8

const nothing = (): undefined => undefined

/** Builds a declared response. The contract judges every one before it is sent. */
export const buildResponse = (
  engine: Engine,
  operation: Operation,
  {
    declared,
    status: fallback,
    known = nothing,
    request = null,
    preferences = null,
    fittedTo = null,
  }: ResponseSpec,
): MaybePromise<MockResponse> => {
  const compiled = compiledOperation(engine, operation)
  const response = compiledResponse(engine, compiled, declared)
  const { media, isJson, root, validate, headers, required, due } = response
  const status = statusOf(declared, fallback)
  if (media === null && declared.headers.length === 0) return { status, headers: [], body: noBody }
  const values = root === null ? undefined : known(root)
  // What is written from a valid value, under the declared type and without headers, conforms by construction.
  const isComplete =
    declared.headers.length === 0 &&
    isJson &&
    (fittedTo === null || fittedTo.fit.bodies === null) &&
    (preferences === null || preferences.example === null) &&
    hasAllDue(status < 400 && request !== null ? due : required, values) &&
    validate?.(values).length === 0
  if (isComplete) return { status, headers, body: bytesOf(writeJson(values)) }
  const incomplete = { declared, status, values, request, preferences, fittedTo }
  const make = () => makeUp(engine, compiled, response, incomplete)
  const key = isStream(response) ? null : keyOf(engine, operation, incomplete)
  return key === null ? make() : engine.made(key, make)
}

/** Fills what is not known from examples of the document, then from samples, until the response conforms. */
const makeUp = async (
  engine: Engine,
  compiled: CompiledOperation,
  response: CompiledResponse,
  { declared, status, values, request, preferences, fittedTo }: Incomplete,
): Promise<MockResponse> => {
  const { root, validate } = response
  const due = new Set(status < 400 && request !== null ? response.due : response.required)
  const seed = digest(preferences?.seed ?? seedOf(request))
  const isRandom = preferences?.dynamic === true
  const example = exampleFor(engine, response, preferences) ?? fileFor(response)
  if (isStream(response)) {
    const lines = declared.headers.length === 0 ? [] : await streamHeaders(engine, compiled, declared, status)
    const spec = { status, headers: fittedHeaders(fittedTo, lines, undefined), request, preferences, example }
    const streamed = await streamResponse(engine, response, spec)
    if (streamed !== null && compiled.judgeResponse(streamed, undefined).length === 0) return streamed
  }
  const isVerbatim = preferences !== null && preferences.example !== null && example !== undefined
  const firstConforming = (
    headers: Headers,
    bodies: Iterable<Json | undefined>,
  ): MockResponse | undefined => {
    for (const body of bodies) {
      const written = writeResponse(response, status, fittedHeaders(fittedTo, headers, body), body)
      const value = response.isJson ? body : undefined
      if (compiled.judgeResponse(written, undefined, value).length === 0) return written
    }
    return undefined
  }
  const conforming = (headers: Headers, body: Json | undefined): MockResponse | undefined => {
    const isText = !response.isJson && typeof body === 'string' && typeof values !== 'string'
    return firstConforming(
      headers,
      isVerbatim || isText || root === null ? [body] : mergeCandidates(root, due, validate, body, values),
    )
  }
  const fitting =
    fittedTo === null || !response.isJson || isVerbatim
      ? []
      : ((await fittedTo.fit.bodies?.({ judged: fittedTo.judged, preferences, example })) ?? [])
  if (fitting.length > 0 && declared.headers.length === 0) {
    const found = firstConforming([], fitting)
    if (found !== undefined) return found
  }
  const documented =
    example === undefined || declared.headers.length > 0 ? undefined : conforming([], example)
  if (documented !== undefined) return documented
  const examplesOf = isRandom ? none : engine.examples.at
  const last = compiled.mended.has(declared) ? 0 : maxAttempts
  for (let attempt = 0; attempt <= last; attempt++) {
    const source = attempt === maxAttempts ? 'plain' : isRandom ? 'random' : 'document'
    const variant = source === 'plain' ? 0 : (chanceOf(seed) + attempt) % variants
    const sample = await sampleOf(engine, compiled.operation, declared, status, source, variant)
    const headers = headersOf(engine, declared, sample, seed)
    const made =
      sample.body === undefined || source === 'plain'
        ? undefined
        : freshValue(sample.body, root, seed, { makers: await engine.makers(), examplesOf, turn: null })
    // Where a made-up value is wrong, that of the sample stands.
    const fresh =
      made === undefined || validate === null
        ? made
        : ((await mendedAt(made, validate, at => valueAt(sample.body, at) as Json | undefined)) ?? made)
    const found =
      firstConforming(headers, fitting) ??
      (example === undefined ? undefined : conforming(headers, example)) ??
      conforming(headers, fresh) ??
      conforming(headers, sample.body) ??
      (root === null || fresh === undefined ? undefined : conforming(headers, fillRequired(root, fresh)))
    if (found !== undefined) return found
  }
  const sample = await sampleOf(engine, compiled.operation, declared, status, 'plain', 0)
  const plain = headersOf(engine, declared, sample, seed)
  const wrong = new Set(
    compiled
      .judgeResponse(writeResponse(response, status, plain, sample.body), undefined)
      .flatMap(({ id }) => id.split('/headers/')[1] ?? []),
  )
  const headers = await mendedHeaders(engine.generated, declared, plain, wrong)
  const schema = response.media?.schema ?? null
  const bodies =
    schema === null || validate === null
      ? []
      : await mendedBodies(engine.generated, schema, validate, sample.body, chanceOf(seed) % variants)
  for (const body of [sample.body, ...bodies]) {
    const found = conforming(headers, body)
    if (found === undefined) continue
    compiled.mended.add(declared)
    return found
  }
  if (sample.isSimple) throw new UnmakeableError(compiled.operation.id, declared.status)
  warnOnce(engine, compiled, declared)
  const body = root === null ? sample.body : merge(root, due, sample.body ?? values, values)
  return writeResponse(response, status, headers, body)
}

const streamHeaders = async (
  engine: Engine,
  { operation }: CompiledOperation,
  declared: DeclaredResponse,
  status: number,
): Promise<Headers> => {
  const sample = await sampleOf(engine, operation, declared, status, 'document', 0)
  const headers = headersOf(engine, declared, sample, operation.id)
  const missing = declared.headers.map(({ name }) => name.toLowerCase())
  const given = new Set(headers.map(([name]) => name.toLowerCase()))
  return mendedHeaders(engine.generated, declared, headers, new Set(missing.filter(name => !given.has(name))))
}

/** Without Prism, the mock may know no conforming response; it sends none rather than one that breaks the contract. */
export class UnmakeableError extends Error {
  constructor(operation: string, status: string) {
    super(
      `the mock cannot make up a conforming response for ${operation} ${status} here, as Prism does not run in a browser: add an example to the document, or use the server`,
    )
  }
}

const none = (): readonly Json[] => []

/** The document's example for a response; undefined: it has none, or the client prefers made-up values. */
const exampleFor = (
  { examples }: Engine,
  { media }: CompiledResponse,
  preferences: ResponsePreferences | null,
): Json | undefined =>
  media === null || (preferences?.dynamic === true && preferences.example === null)
    ? undefined
    : examples.named(media.pointer, media.type, preferences?.example ?? null)

/** A sample that is kept for later requests. */
export const sampleOf = (
  engine: Engine,
  operation: Operation,
  declared: DeclaredResponse,
  status: number,
  source: SampleSource,
  seed: number,
): MaybePromise<PrismSample> =>
  engine.samples(
    `${operation.id} ${declared.status} ${declared.media[0]?.type} ${source} ${seed}`,
    async () => {
      // Prism fails on some schemas (an endless one, a pattern that nothing matches); the client gets a response even so.
      const sample = await engine
        .sampler(operation, declared, status, source, seed)
        .catch(() => ({ headers: {}, body: undefined, size: 0 }))
      const response = compiledResponse(engine, compiledOperation(engine, operation), declared)
      return { ...sample, body: await mendedSample(engine.generated, response, sample.body) }
    },
  )

const warnOnce = (
  { warn }: Engine,
  { operation, warned }: CompiledOperation,
  declared: DeclaredResponse,
): void => {
  if (warned.has(declared)) return
  warned.add(declared)
  warn(
    `the mock cannot make a conforming response for ${operation.id} ${declared.status}, so its response there breaks the contract: add an example to the document`,
  )
}
