/**
 * The JSON that the mock sends to the console's page. This file imports nothing: the page is type-checked for browsers,
 * without Node.
 */

/** `masked`: the value without credentials. */
export type HeaderField = { readonly name: string; readonly value: string; readonly masked: string }

export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** One request in the traffic list, with its credentials masked. */
export type ExchangeSummary = {
  readonly number: number
  /** When the mock responded, in milliseconds since 1970, and how long it took to build the response, in milliseconds. */
  readonly at: number
  readonly ms: number
  readonly method: string
  readonly target: string
  readonly status: number
  /** The id of the operation; null: the contract declares none for this request. */
  readonly operation: string | null
  readonly violations: readonly Violation[]
  readonly scenario: string | null
  /** The request's `Plantstore-Client` header. */
  readonly client: string | null
  /** The request's `Plantstore-Mark` header, by which the page finds the requests that it sent itself. */
  readonly mark: string | null
}

/** One way in which a request violates the contract; `id` names the obligation. */
export type Violation = { readonly id: string; readonly code: number; readonly message: string }

/**
 * `requirement`: of the obligation; null if `id` still names a group of obligations. `place`: where in the document it comes
 * from (`openapi.yaml:41`); null if that is unknown.
 */
export type ViolationDetails = Violation & {
  readonly requirement: string | null
  readonly place: string | null
}

/** `size`: of the whole body, in bytes. `kept`: how many of them are here, as `text` if they are UTF-8. */
export type Body = {
  readonly size: number
  readonly kept: number
  readonly text: string | null
  readonly base64: string | null
}

/** Source code that sends a request again; `reason`: why there is none. */
export type CodeSnippets =
  | { readonly curl: string; readonly fetch: string; readonly playwright: string }
  | { readonly reason: string }

/** Everything that is known about one exchange. The page hides `secrets` wherever they occur. */
export type ExchangeDetails = {
  readonly summary: ExchangeSummary
  readonly target: string
  readonly requestHeaders: readonly HeaderField[]
  readonly requestBody: Body | null
  readonly responseHeaders: readonly HeaderField[]
  readonly responseBody: Body
  readonly violations: readonly ViolationDetails[]
  readonly secrets: readonly string[]
  /** The request as the form takes it; null: its body is incomplete or not text, so it cannot be edited. */
  readonly editable: EditableRequest | null
  /** The values of the parameters in its path and query, by which requests like it are known; null: it has none. */
  readonly like: { readonly path?: FieldTexts; readonly query?: FieldTexts } | null
  /** With an environment variable in place of the token, and with the token itself. */
  readonly maskedSnippets: CodeSnippets
  readonly revealedSnippets: CodeSnippets
}

export type OperationSummary = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly statuses: readonly string[]
  /** Its first tag; empty: it has none. */
  readonly tag: string
  /** The index of its document. */
  readonly document: number
}

/** A document that is served, below its prefix. Its description is Markdown. */
export type DocumentSummary = {
  readonly title: string
  readonly version: string
  readonly openapi: string
  readonly source: string
  readonly prefix: string
  readonly description: string
}

export type ContractSummary = {
  /** That of the first document, as its version is. */
  readonly title: string
  readonly version: string
  readonly documents: readonly DocumentSummary[]
  readonly kind: 'mock' | 'proxy'
  /** Whether it makes answers of its own, which scenarios change: a mock, or a proxy that answers for missing operations. */
  readonly answers: boolean
  /** Whether it keeps what requests create, change and remove. */
  readonly keeps: boolean
  /** Which tokens are right: any that is well-formed, those of the mock's options, or those of the server behind a proxy. */
  readonly tokens: 'any' | 'given' | 'of-server'
  readonly unauthenticated: string
  readonly operations: readonly OperationSummary[]
}

/** One location in a schema, or one of its alternatives, as a line of text that is indented by `depth`. */
export type SchemaLine = {
  /** Of an alternative: by which keyword it is one. Null: the line is a location. */
  readonly alternative: 'oneOf' | 'anyOf' | null
  readonly name: string
  readonly depth: number
  readonly required: boolean
  readonly types: string
  readonly rules: readonly string[]
  readonly description: string
}

/** `upload`: how files are sent in a body of this type; null: they are not. */
export type MediaTypeDetails = {
  readonly type: string
  readonly lines: readonly SchemaLine[]
  readonly upload: Upload | null
}

/** A body that is one file, or one with parts of which some are files. */
export type Upload =
  | { readonly kind: 'file' }
  | {
      readonly kind: 'parts'
      readonly parts: readonly {
        readonly name: string
        readonly isFile: boolean
        readonly isList: boolean
        /** Of a part that is no file; null: it is plain text. */
        readonly contentType: string | null
      }[]
    }

/** How a value is filled in: of a choice one of the options, of lines one item a line. */
export type FieldInput = {
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'lines' | 'json'
  readonly options: readonly string[]
}

/** Values by the name of their parameter or part, as they are filled in; absent ones are not sent. */
export type FieldTexts = Readonly<Record<string, string>>

/** What a request with certain values of its parameters has: `headers` are those that are parameters. */
export type FilledHead = Pick<EditableRequest, 'target' | 'headers'>

/** A declared parameter or response header. */
export type FieldDetails = {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description: string
  readonly input: FieldInput
  readonly lines: readonly SchemaLine[]
}

export type ObligationSummary = {
  readonly id: string
  readonly family: string
  readonly level: string
  readonly requirement: string
  readonly place: string
  readonly rule: string | null
  /** Whether a single exchange can exercise it. If not, coverage leaves it out. */
  readonly isExercisable: boolean
}

/** A request as the form edits it; `{{token}}` and `{{token:basic}}` stand for the token. */
export type EditableRequest = {
  readonly target: string
  readonly headers: HeaderPairs
  readonly body: string | null
  /** The values of its parameters. */
  readonly fields: FieldTexts
}

/** A request that the form offers; `violates`: the id of the obligation that it violates, null if it is valid. */
export type Sample = EditableRequest & {
  readonly title: string
  readonly violates: string | null
  /** The texts in its body, if that has parts. */
  readonly parts: FieldTexts
}

export type OperationDetails = OperationSummary & {
  readonly description: string
  readonly place: string
  readonly security: readonly string[]
  readonly parameters: readonly FieldDetails[]
  readonly bodies: readonly MediaTypeDetails[]
  readonly bodyRequired: boolean
  readonly responses: readonly {
    readonly status: string
    readonly description: string
    readonly media: readonly MediaTypeDetails[]
    readonly headers: readonly FieldDetails[]
    readonly examples: readonly string[]
  }[]
  /** How the mock's responses fit their requests, one sentence for each rule. */
  readonly rules: readonly string[]
  readonly obligations: readonly ObligationSummary[]
}

/** `statuses`: responses by status. `exercised`: ids of the obligations that requests and responses exercised. */
export type OperationCoverage = {
  readonly requests: number
  readonly statuses: Readonly<Record<string, number>>
  readonly exercised: readonly string[]
}

/** `operations`: by operation id. `undeclared`: the number of requests that match no operation. */
export type Coverage = {
  readonly operations: Readonly<Record<string, OperationCoverage>>
  readonly undeclared: number
}

/** A collection that the mock keeps; `count`: how many resources it has, null if nobody has asked for it. */
export type CollectionSummary = { readonly path: string; readonly count: number | null }
