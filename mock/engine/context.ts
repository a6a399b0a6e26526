import type {
  CallbackName,
  Contract,
  Failure,
  HttpResponse,
  ResponseViolation,
  Route,
} from '../../spec/index.ts'
import { type Prefer, readPrefer } from '../preferences/prefer.ts'
import type { Examples } from '../values/examples.ts'
import type { Fault, MockResponse } from './compiled-response.ts'
import type { Engine } from './engine.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { JudgedRequest, MockRequest } from './request.ts'

/** One request on its way through the mock, with what is found out about it. Each mutable field says what sets it. */
export type Context = {
  /** The request as it came; `forward` replaces it by the one with its body. */
  received: MockRequest
  /** The request as its document reads it: `findDocument` takes the document's prefix off its target. */
  request: MockRequest
  /** The preferences of the client (RFC 7240); null: it sent none. `querySwitches` adds those in the query. */
  prefer: Prefer | null
  /** Set by `findDocument`; null: no document has a prefix of the path. */
  document: ServedDocument | null
  /** Set by the first call of `routeOf`. */
  route: Route | null
  /** Set by the first call of `judge`; null: the request is for no declared operation. */
  judged: JudgedRequest | null
  /** Whose data answers it, set by `dataOfToken` and mutants; null: those of the client that its header names. */
  client: string | null
  /** What a scenario or a mutant did to the response, in a few words for the journal; null: nothing. */
  scenario: string | null
  /** How an answer of the user's own breaks the contract, set by its scenario; null: it does not. */
  answerProblem: string | null
  /** What a scenario says of the tokens that the response gives; null: nothing. */
  terms: TokenTerms | null
  /** How delivery is to fail, set by a scenario or a mutant; null: not at all. */
  fault: Fault | null
  /** How a callback that is sent for it is to be wrong, set by a mutant; null: not at all. */
  sending: SendFault | null
  /** What came of it at the server behind a proxy, set by `forward`; null: it was not forwarded. */
  forwarded: Forwarded | null
}

/** What came of a request that was forwarded to a server. */
export type Forwarded = {
  /** The server's own response; null: there was none. */
  readonly response: HttpResponse | null
  /** What that breaks of the contract; empty if it is valid, or was not judged. */
  readonly violations: readonly ResponseViolation[]
  /** Why there is no whole response; null: there is one. */
  readonly failure: { readonly kind: Failure; readonly detail: string } | null
  /** Why request or response were not judged, or not to their ends; null: they were. */
  readonly unjudged: string | null
  /** Whether the response has more of a body than is read. */
  readonly isCut: boolean
  /** Whether the client got another answer than the server's. */
  readonly replaced: boolean
}

/** Which requirement a callback of this name is to break. */
export type SendFault = {
  readonly callback: string
  readonly name: CallbackName
  /** Called with the status that the client answered, 0 if it did not. */
  readonly answered: (status: number) => void
}

/** Of the tokens that a response gives. */
export type TokenTerms = {
  /** How long they are right; null: as long as the mock runs. */
  readonly seconds: number | null
  /** With spaces between them; null: those that the client asks for, else all. */
  readonly scopes: string | null
}

/** A document that is served. */
export type ServedDocument = {
  /** The prefix of its paths: `/billing`, or empty. */
  readonly prefix: string
  /** A path before those of the document that counts as well, that of `servers` (`/v1`); empty: there is none. */
  readonly basePath: string
  readonly contract: Contract
  /** Why the present text of its file is not served; null: it is. */
  readonly problem: string | null
  readonly engine: Engine
  readonly examples: Examples
  /** Breaks one obligation; null: none is to be broken. */
  readonly mutant: Middleware | null
}

/** Responds to a request. */
export type Handler = (context: Context) => MaybePromise<MockResponse>

/** Responds to a request itself, or changes what `next` responds. */
export type Middleware = (context: Context, next: Handler) => MaybePromise<MockResponse>

export const createContext = (request: MockRequest): Context => ({
  received: request,
  request,
  prefer: readPrefer(request.headers),
  document: null,
  route: null,
  judged: null,
  client: null,
  scenario: null,
  answerProblem: null,
  terms: null,
  fault: null,
  sending: null,
  forwarded: null,
})

/** Puts middleware in front of a handler; the first sees a request first and its response last. */
export const pipeline = (middleware: readonly Middleware[], handler: Handler): Handler =>
  middleware.reduceRight<Handler>((next, layer) => context => layer(context, next), handler)
