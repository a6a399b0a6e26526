import type { Place, Pointer } from '../../spec/index.ts'

export type DifferenceLevel = 'breaking' | 'risky' | 'safe'

/** What a document says of the example: whether it is valid, or why not. */
export type SideOutcome = {
  /** Where the document says it; null if it says nothing of it. */
  readonly place: Place | null
  /** What the example violates; empty if it is valid. Null: there is no example. */
  readonly violated: readonly string[] | null
}

/** What a client has to use, to meet a difference. */
export type Touch = {
  /** As in `operations`. */
  readonly operation: string
  /** The part of the request (`query/limit`, `body`, `body/total`); null: any request. */
  readonly sent: string | null
  /** Whether it is the request without that part that meets it. */
  readonly isMissing: boolean
  /** The place in the body of a response of this status (`4XX`, `default`); null: any response. */
  readonly served: { readonly status: string; readonly place: Pointer } | null
}

/** One change of an API, with all operations that it is seen in. */
export type Difference = {
  readonly level: DifferenceLevel
  /**
   * Whom it concerns: `old-clients` that meet a server of the new document, or `old-servers` that meet a client of the new document.
   */
  readonly concerns: 'old-clients' | 'old-servers'
  readonly part: 'operation' | 'request' | 'response'
  /** `POST /plants`, as the old document writes the path; of an operation that was added, the new one. */
  readonly operations: readonly string[]
  /** What it concerns of each operation. */
  readonly touches: readonly Touch[]
  /** One sentence. */
  readonly message: string
  /** The smallest example: a JSON body, or the line of a request or response. Null: it needs none. */
  readonly witness: string | null
  /** The id of the requirement that the example violates, in the document that rules it out. */
  readonly requirement: string | null
  readonly old: SideOutcome
  readonly new: SideOutcome
  /** What a breaking difference means for the clients whose use is known; absent if none was given. */
  readonly consumers?: readonly Consumer[]
}

/** Whether a difference concerns a client, and what of its use says so: «sends `total`». */
export type Consumer = { readonly name: string; readonly isHit: boolean; readonly because: string }

/** What could not be decided, and why. */
export type UndecidedPart = {
  readonly operation: string
  readonly subject: string
  readonly reason: string
  readonly place: Place | null
}

export type Evolution = {
  /** The file or URL of each document, with the title and the version of its API. */
  readonly old: EvolvedDocument
  readonly new: EvolvedDocument
  /** How many operations both documents have. */
  readonly operations: number
  /** The breaking ones first, then in the order of the document. */
  readonly differences: readonly Difference[]
  readonly undecided: readonly UndecidedPart[]
}

export type EvolvedDocument = { readonly source: string; readonly title: string; readonly version: string }
