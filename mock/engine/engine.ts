import {
  type Contract,
  createRequestJudge,
  createResponseJudge,
  createRouter,
  type DeclaredResponse,
  header,
  type Operation,
  operationContext,
  type RequestJudge,
  type ResponseJudge,
  type RightTokens,
  type Router,
  type Tokens,
  type UnauthenticatedPolicy,
} from '../../spec/index.ts'
import { createNegotiation, type Negotiation } from '../media/negotiate.ts'
import { createMemo, type Memo } from '../memo.ts'
import type { Examples } from '../values/examples.ts'
import { createSampler, type PrismSample, type Sampler } from '../values/prism.ts'
import { createGeneratedValues, type GeneratedValues } from '../values/repaired.ts'
import { type CustomValues, createMakers, type ValueProviders } from '../values/value-providers.ts'
import { type CompiledResponse, compileResponse, type MockResponse } from './compiled-response.ts'
import { chain, type MaybePromise } from './maybe-promise.ts'
import type { Fit, JudgedRequest, MockRequest } from './request.ts'

export type EngineOptions = {
  readonly contract: Contract
  readonly tokens: Tokens
  /** Whether the mock gave a token, which then is right as well; null: its operations give none. */
  readonly isGiven: ((token: string) => boolean) | null
  /** The response to missing or wrong credentials. */
  readonly unauthenticated: UnauthenticatedPolicy
  readonly examples: Examples
  readonly warn: (message: string) => void
  /** Values of the user's own. */
  readonly values: CustomValues
  /** How responses fit their requests; null: they only repeat what was sent. */
  readonly fitting: Fitting | null
  /** What keeps the resources that requests create and change; null: nothing is kept. */
  readonly statefulResponder: StatefulResponder | null
}

/** Responds to valid requests by what is kept; `mock/state` does. */
export type StatefulResponder = {
  /** Whether each token has data of its own. */
  readonly isPerToken: boolean
  /** `client`: of the request, empty if it names none. Null: the response does not depend on what is kept. */
  readonly respond: (
    engine: Engine,
    judged: JudgedRequest,
    client: string,
  ) => Promise<MockResponse | null> | null
}

/** The rules by which responses fit their requests; `mock/resources` has them. */
export type Fitting = {
  /** Null: the response depends on nothing but what was sent. */
  readonly fitOf: (engine: Engine, operation: Operation, declared: DeclaredResponse) => Fit | null
  /** The rules of an operation, one sentence each. */
  readonly sentencesOf: (engine: Engine, operation: Operation) => readonly string[]
}

/** A contract, compiled to respond by. A copy with another policy shares all that is compiled. */
export type Engine = EngineOptions & {
  readonly rightTokens: RightTokens
  readonly router: Router
  readonly negotiation: Negotiation
  readonly sampler: Sampler
  readonly samples: Memo<PrismSample>
  readonly generated: GeneratedValues
  readonly makers: () => Promise<ValueProviders>
  /** Made-up responses. */
  readonly made: Memo<MockResponse>
  /** Whether any of Prism's samples of a response conforms. */
  readonly usable: Memo<{ readonly isUsable: boolean }>
  /** Filled by `compiledOperation`: a contract may have a thousand operations, and a client uses three. */
  readonly operations: Map<Operation, CompiledOperation>
}

/** What an engine needs for one operation. */
export type CompiledOperation = {
  readonly operation: Operation
  readonly judgeRequest: RequestJudge
  readonly judgeResponse: ResponseJudge
  /** The response to a valid request; null: none is declared. */
  readonly success: DeclaredResponse | null
  /** The properties that the body of a request can have. */
  readonly sendable: ReadonlySet<string>
  /** Filled by `compiledResponse`. */
  readonly responses: WeakMap<DeclaredResponse, CompiledResponse>
  /** Filled by `fitOf`. */
  readonly fits: WeakMap<DeclaredResponse, Fit | null>
  /** Declared responses of which the user knows that no response conforms to them. */
  readonly warned: WeakSet<DeclaredResponse>
}

/** All samples that are kept, in characters. */
const maxSampleCharacters = 8 * 1024 * 1024

/** All made-up responses that are kept. */
const maxMadeBytes = 4 * 1024 * 1024

/** So many responses are known as usable or not. */
const mostResponses = 10_000

/** What a response takes beside its body and its key, about. */
const entryBytes = 500

export const createEngine = (options: EngineOptions): Engine => ({
  ...options,
  rightTokens: rightTokensOf(options),
  router: createRouter(options.contract),
  negotiation: createNegotiation(options.contract, options.examples, options.warn),
  sampler: createSampler(options.contract, options.examples),
  samples: createMemo(maxSampleCharacters, ({ size }, key) => size + key.length),
  generated: createGeneratedValues(options.contract),
  makers: createMakers(options.contract, options.values, options.warn),
  made: createMemo(maxMadeBytes, ({ body }, key) => body.length + 2 * key.length + entryBytes),
  usable: createMemo(mostResponses, () => 1),
  operations: new Map(),
})

const rightTokensOf = ({ tokens, isGiven }: EngineOptions): RightTokens =>
  tokens === null || isGiven === null
    ? tokens
    : { includes: token => tokens.includes(token) || isGiven(token) }

export const compiledOperation = (
  { contract, operations }: Engine,
  operation: Operation,
): CompiledOperation => {
  const known = operations.get(operation)
  if (known !== undefined) return known
  const compiled: CompiledOperation = {
    operation,
    judgeRequest: createRequestJudge(contract, operation),
    judgeResponse: createResponseJudge(contract, operation),
    success: successOf(operation),
    sendable: new Set(operationContext(contract, operation).body?.root.properties),
    responses: new WeakMap(),
    fits: new WeakMap(),
    warned: new WeakSet(),
  }
  operations.set(operation, compiled)
  return compiled
}

export const compiledResponse = (
  { contract }: Engine,
  { responses, sendable }: CompiledOperation,
  declared: DeclaredResponse,
): CompiledResponse => {
  const known = responses.get(declared)
  if (known !== undefined) return known
  const compiled = compileResponse(contract, declared, sendable)
  responses.set(declared, compiled)
  return compiled
}

/** How a declared success fits its requests; null: it only repeats what was sent. */
export const fitOf = (
  engine: Engine,
  { operation, fits }: CompiledOperation,
  declared: DeclaredResponse,
): Fit | null => {
  const known = fits.get(declared)
  if (known !== undefined) return known
  const fit = engine.fitting?.fitOf(engine, operation, declared) ?? null
  fits.set(declared, fit)
  return fit
}

const successOf = ({ responses }: Operation): DeclaredResponse | null => {
  const sorted = [...responses].sort((left, right) => left.status.localeCompare(right.status))
  return (
    sorted.find(({ status }) => status.startsWith('2')) ??
    sorted.find(({ status }) => status === 'default' || status.startsWith('3')) ??
    null
  )
}

/** The declared response in the media type that the client likes best; null: it accepts none that there is. */
export const acceptable = (
  { negotiation }: Engine,
  declared: DeclaredResponse,
  { headers }: MockRequest,
  example: string | null = null,
): DeclaredResponse | null =>
  declared.media.length === 0 ? declared : negotiation.negotiate(declared, header(headers, 'accept'), example)

/** The same; in the usual media type if the client accepts none (RFC 9110, 12.4.1). */
export const preferablyAcceptable = (
  engine: Engine,
  declared: DeclaredResponse,
  request: MockRequest | null,
  example: string | null = null,
): DeclaredResponse =>
  (request === null ? null : acceptable(engine, declared, request, example)) ??
  engine.negotiation.negotiate(declared, null, example) ??
  declared

/** Says to caches that the response depends on Accept (RFC 9110, 12.5.5), if it does. */
export const withVary = (
  { negotiation }: Engine,
  declared: DeclaredResponse,
  response: MaybePromise<MockResponse>,
): MaybePromise<MockResponse> =>
  negotiation.varies(declared)
    ? chain(response, made => ({ ...made, headers: [...made.headers, ['Vary', 'Accept']] }))
    : response
