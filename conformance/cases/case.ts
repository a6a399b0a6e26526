import type {
  CredentialKind,
  Expectation,
  ExtraField,
  HttpRequest,
  Json,
  Layout,
  Obligation,
  Outcome,
  PartChange,
  RequestPart,
} from '../../spec/index.ts'

/** How a body becomes bytes. */
export type Encoding =
  | { readonly kind: 'json' }
  | { readonly kind: 'layout'; readonly layout: Layout }
  | { readonly kind: 'malformed'; readonly name: string; readonly pick: number }
  | { readonly kind: 'padded'; readonly bytes: number }
  /** JSON text that `writeJson` would not write, such as an object with the same name twice. */
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bom' }
  /** One part of `multipart/form-data` has something else. */
  | { readonly kind: 'part'; readonly change: PartChange }
  | { readonly kind: 'gzip' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'empty' }

/** A request before it is written: minimising and sending again work on this form. */
export type RequestSpec = {
  readonly method: string
  /** The path template, or a literal path. */
  readonly path: string
  /** Parameter values by name. */
  readonly parameters: Readonly<Record<string, Json>>
  readonly body: Json | undefined
  readonly encoding: Encoding
  readonly contentType: string | null
  readonly chunked: boolean
  /** Whether letters and digits in the values of the query are written as percent-escapes. */
  readonly queryEscapes: boolean
  /** Credentials to send instead of the right ones; null: the right ones. */
  readonly credentials: { readonly kind: CredentialKind; readonly pick: number } | null
  /** What it has besides: headers, parameters, cookies or properties that the contract does not declare. */
  readonly extra: readonly ExtraField[]
  /** Whether a fresh identity may replace that of the body when the case is sent again. */
  readonly renewable: boolean
  /**
   * The identity of the run's range that an invalid value contains, as text: `1805621034` of `"1805621034"`. A fresh one may replace it
   * when the case is sent again, so that a server that rejects duplicates does not reject it for that.
   */
  readonly derivedFrom: string | null
  /** The kind of malformed HTTP, and which of its ways, to frame this request in; `after-malformed` sends that before it instead. */
  readonly malformedHttp: { readonly name: string; readonly pick: number } | null
}

/** Whether a request lacks the credentials that the run has and the document does not declare. */
export const lacksUndeclared = ({ credentials }: RequestSpec): boolean =>
  credentials?.kind.name === 'undeclared'

/**
 * What goes before a case, on a connection that both share: a valid request, a rejected one, the request framed as malformed
 * HTTP, or the request itself. `none`: nothing, and any connection will do.
 */
export type Precondition = 'none' | 'after-accepted' | 'after-rejected' | 'after-malformed' | 'twice'

/** A request that tests an obligation, and what the contract expects of the server. */
export type TestCase = {
  readonly number: number
  readonly obligation: Obligation
  readonly expectation: Expectation
  /** The part of the request for which it has to be rejected; null if it has not to be. */
  readonly cause: RequestPart | null
  readonly spec: RequestSpec
  readonly request: HttpRequest
  readonly precondition: Precondition
  /** The steps that its chain leaves out; absent if it has all of them. */
  readonly leftOut?: readonly SpareStep[]
  /** It only helps other cases, so nothing is made for it; absent otherwise. */
  readonly isHelp?: true
  /** The step of a workflow that it takes the place of; `problem`: what is wrong with the outcome of the step itself. */
  readonly flow?: {
    readonly flow: string
    readonly step: string
    /** Whether it has all of the step's request but what it is about, or only what earlier steps gave. */
    readonly isWhole?: boolean
    readonly problem?: { readonly expected: string; readonly actual: string } | null
  }
  /** What came of the callback that it is about: what is wrong, and what was seen of an open question. Absent until it is sent. */
  readonly callback?: {
    readonly problem: {
      readonly expected: string
      readonly actual: string
      readonly title: string
      readonly waited?: true
    } | null
    readonly observed?: string
  }
  /** What was sent before it, so that what it is about exists; absent until it is sent, and if it needs nothing. */
  readonly chain?: Chain
}

/** One request of a chain and its outcome; `name` is how the path names the resource that it created or found. */
export type ChainStep = {
  readonly operation: string
  readonly request: HttpRequest
  readonly outcome: Outcome
  readonly role: StepRole
  readonly name?: Json
  /** The value of its body; absent if it has none. */
  readonly sent?: Json
}

/**
 * A step of a chain that its question can do without: a read that only fills caches, or the one of two neighbours that was created before
 * the resource, or after it. They are there for the faults that show only with them.
 */
export type SpareStep = 'first-read' | 'before' | 'after'

/**
 * What a step is for: it creates the resource, another one, what these are below, or one without a body that conforms; reads either of
 * them or lists them; or it is what the case is about (`subject`). `content`: it creates something in the resource. Of another user: it
 * shows that it is accepted, by something of its `own`, or tries what it is to be kept from (`as-other`). `flow`: it is a step of a
 * workflow. `callback`: it has a URL for callbacks.
 */
export type StepRole =
  | 'create'
  | 'other'
  | 'parent'
  | 'content'
  | 'read'
  | 'read-other'
  | 'list'
  | 'subject'
  | 'find'
  | 'own'
  | 'as-other'
  | 'flow'
  | 'callback'

export type Chain = {
  readonly steps: readonly ChainStep[]
  /** What the path of the request names, the outermost first. */
  readonly values: readonly Json[]
  /** Whether the resource that the path names exists: then a 404 is wrong. */
  readonly exists: boolean
}

/**
 * Kinds of valid requests. `full`: with all that is optional; `rich`: with items in its lists as well; `example`: with the examples of the
 * document; `bare`: without the body, if that is optional.
 */
export type ValidKind = 'plain' | 'full' | 'rich' | 'random' | 'example' | 'bare'

/** Cases outside the plan have numbers from this one on: no plan has so many. */
export const beyondPlan = 30_000_000

/**
 * The number of the first case that the sender of an operation makes. Each operation has numbers, and so labels, of its own, as a server may take a
 * name only once. `nth`: which operation of the contract it is.
 */
export const firstNumberOf = (nth: number): number => 40_000_000 + nth * 10_000

/** The name of a case in reports and for `replay`. */
export const caseId = (number: number): string => number.toString(16).padStart(3, '0')
