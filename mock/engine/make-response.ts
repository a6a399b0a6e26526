import {
  type DeclaredResponse,
  type Headers,
  headerIn,
  isNumber,
  isObject,
  type Json,
  mediaType,
  type Operation,
  problemType,
  type ResponseViolation,
  rawNumber,
  valueAt,
} from '../../spec/index.ts'
import { chanceOf, digest } from '../chance/hash.ts'
import type { ResponsePreferences } from '../preferences/prefer.ts'
import { freshValue } from '../values/fresh-values.ts'
import { fillRequired, repairedAt, repairedBodies, repairedHeaders } from '../values/repaired.ts'
import {
  type CompiledResponse,
  fileFor,
  headersOf,
  type MockResponse,
  writeResponse,
} from './compiled-response.ts'
import { type CompiledOperation, compiledOperation, compiledResponse, type Engine } from './engine.ts'
import { type Asked, type Fit, type FittedTo, fittedHeaders } from './request.ts'
import { hasUsable, sampleOf, variants } from './samples.ts'
import { merge, mergeCandidates, streamResponse } from './stream-response.ts'

const maxAttempts = 8

/** All that a made-up response follows from. `values`: what is known of its body; `seed` null: it follows from no request. */
export type MadeFrom = {
  readonly parts: {
    readonly operation: Operation
    readonly declared: DeclaredResponse
    readonly fit: Fit | null
  }
  readonly data: {
    readonly status: number
    readonly sentAs?: number
    readonly values: Json | undefined
    readonly seed: string | null
    readonly preferences: ResponsePreferences | null
    readonly asked: Asked | null
  }
}

const fittedTo = ({ parts: { fit }, data: { asked } }: MadeFrom): FittedTo | null =>
  fit === null || asked === null ? null : { fit, asked }

/** Null: nothing is known of the items of the stream, or they break the contract. */
export const streamOf = async (
  engine: Engine,
  compiled: CompiledOperation,
  made: MadeFrom,
): Promise<MockResponse | null> => {
  const { declared } = made.parts
  const { status, seed, preferences } = made.data
  const response = compiledResponse(engine, compiled, declared)
  const lines = declared.headers.length === 0 ? [] : await streamHeaders(engine, compiled, declared, status)
  const streamed = await streamResponse(engine, response, {
    status,
    headers: fittedHeaders(fittedTo(made), lines, undefined),
    seed: digest(preferences?.seed ?? seed ?? ''),
    example: exampleFor(engine, response, preferences) ?? fileFor(response),
  })
  return streamed !== null && compiled.judgeResponse(streamed, undefined).length === 0 ? streamed : null
}

/** Fills what is not known from examples of the document, then from samples, until the response conforms. */
export const makeUp = async (engine: Engine, made: MadeFrom): Promise<MockResponse> => {
  const { operation, declared } = made.parts
  const { status, sentAs = status, values, preferences } = made.data
  const to = fittedTo(made)
  const compiled = compiledOperation(engine, operation)
  const response = compiledResponse(engine, compiled, declared)
  const { root, validate } = response
  const due = new Set(status < 400 && made.data.seed !== null ? response.due : response.required)
  const seed = digest(preferences?.seed ?? made.data.seed ?? '')
  const isRandom = preferences?.dynamic === true
  const example = exampleFor(engine, response, preferences) ?? fileFor(response)
  const isVerbatim = preferences !== null && preferences.example !== null && example !== undefined
  const firstConforming = (
    headers: Headers,
    bodies: Iterable<Json | undefined>,
  ): MockResponse | undefined => {
    for (const candidate of bodies) {
      const body = withStatus(response, candidate, sentAs)
      const written = writeResponse(response, status, fittedHeaders(to, headers, body), body)
      const value = response.isJson ? body : undefined
      const violations = compiled.judgeResponse(written, undefined, value)
      if (violations.every(violation => sentAs !== status && isOfProblem(violation))) return written
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
    to === null || !response.isJson || isVerbatim
      ? []
      : ((await to.fit.bodies?.({ asked: to.asked, preferences, example })) ?? [])
  if (fitting.length > 0 && declared.headers.length === 0) {
    const found = firstConforming([], fitting)
    if (found !== undefined) return found
  }
  const documented =
    example === undefined || declared.headers.length > 0 ? undefined : conforming([], example)
  if (documented !== undefined) return documented
  const examplesOf = isRandom ? none : engine.examples.at
  for (let attempt = 0; attempt <= maxAttempts; attempt++) {
    // If none is usable, seven more of them are no better than the first.
    if (attempt === 1 && !(await hasUsable(engine, operation, declared, status))) break
    const source = attempt === maxAttempts ? 'plain' : isRandom ? 'random' : 'document'
    const variant = source === 'plain' ? 0 : (chanceOf(seed) + attempt) % variants
    const sample = await sampleOf(engine, compiled.operation, declared, status, source, variant)
    const headers = headersOf(engine, declared, status, sample, seed)
    const made =
      sample.body === undefined || source === 'plain'
        ? undefined
        : freshValue(sample.body, root, seed, { makers: await engine.makers(), examplesOf, turn: null })
    // Where a made-up value is wrong, that of the sample stands.
    const fresh =
      made === undefined || validate === null
        ? made
        : ((await repairedAt(made, validate, at => valueAt(sample.body, at) as Json | undefined)) ?? made)
    const found =
      firstConforming(headers, fitting) ??
      (example === undefined ? undefined : conforming(headers, example)) ??
      conforming(headers, fresh) ??
      conforming(headers, sample.body) ??
      (root === null || fresh === undefined ? undefined : conforming(headers, fillRequired(root, fresh)))
    if (found !== undefined) return found
  }
  const sample = await sampleOf(engine, compiled.operation, declared, status, 'plain', 0)
  const plain = headersOf(engine, declared, status, sample, seed)
  const wrong = new Set(
    compiled
      .judgeResponse(writeResponse(response, status, plain, sample.body), undefined)
      .flatMap(({ subject }) => headerIn(subject) ?? []),
  )
  const headers = await repairedHeaders(engine.generated, declared, plain, wrong)
  const schema = response.media?.schema ?? null
  const bodies =
    schema === null || validate === null
      ? []
      : await repairedBodies(engine.generated, schema, validate, sample.body, chanceOf(seed) % variants)
  for (const body of [sample.body, ...bodies]) {
    const found = conforming(headers, body)
    if (found !== undefined) return found
  }
  if (sample.isSimple) throw new UnmakeableError(compiled.operation.id, declared.status)
  warnOnce(engine, compiled, declared)
  const body = root === null ? sample.body : merge(root, due, sample.body ?? values, values)
  return writeResponse(response, status, headers, body)
}

/** Problem details have the status that they are sent with (RFC 9457, 3.1.2). */
const withStatus = ({ media }: CompiledResponse, body: Json | undefined, status: number): Json | undefined =>
  body !== undefined &&
  isObject(body) &&
  body.status !== undefined &&
  isNumber(body.status) &&
  mediaType(media?.type ?? null) === problemType
    ? { ...body, status: rawNumber(String(status)) }
    : body

const isOfProblem = ({ subject }: ResponseViolation): boolean =>
  subject.kind === 'response' && subject.aspect === 'problem'

const streamHeaders = async (
  engine: Engine,
  { operation }: CompiledOperation,
  declared: DeclaredResponse,
  status: number,
): Promise<Headers> => {
  const sample = await sampleOf(engine, operation, declared, status, 'document', 0)
  const headers = headersOf(engine, declared, status, sample, operation.id)
  const missing = declared.headers.map(({ name }) => name.toLowerCase())
  const given = new Set(headers.map(([name]) => name.toLowerCase()))
  return repairedHeaders(
    engine.generated,
    declared,
    headers,
    new Set(missing.filter(name => !given.has(name))),
  )
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
