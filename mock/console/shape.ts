/** What the page of the console is told, as JSON. It stands alone: the page is checked without anything of Node. */

/** `hidden`: the value without credentials. */
export type Header = { readonly name: string; readonly value: string; readonly hidden: string }

export type Fields = readonly (readonly [name: string, value: string])[]

/** A row of the list of requests. Tokens are taken out. */
export type Summary = {
  readonly number: number
  /** Milliseconds since 1970, and how many the answer took to make. */
  readonly at: number
  readonly ms: number
  readonly method: string
  readonly target: string
  readonly status: number
  readonly operation: string | null
  readonly breaches: readonly { readonly id: string; readonly code: number; readonly message: string }[]
  readonly scenario: string | null
  /** The header `Plantstore-Client` of the request, and the mark that the page gives to what it sends itself. */
  readonly client: string | null
  readonly mark: string | null
}

/** `size`: of the whole body, in bytes; `kept`: how many of them are here, as `text` where they are UTF-8. */
export type Body = {
  readonly size: number
  readonly kept: number
  readonly text: string | null
  readonly base64: string | null
}

/** Source texts that send a request again; `why`: it cannot be sent again. */
export type Copies =
  | { readonly curl: string; readonly fetch: string; readonly playwright: string }
  | { readonly why: string }

/** Everything that is known of an exchange. What stands in `secrets` is to be hidden wherever it is shown. */
export type Detail = {
  readonly summary: Summary
  readonly target: string
  readonly headers: readonly Header[]
  readonly body: Body | null
  readonly answerHeaders: readonly Header[]
  readonly answerBody: Body
  /** What the request broke, as the contract says it. */
  readonly broken: readonly BrokenObligation[]
  readonly secrets: readonly string[]
  /** With a variable in the place of the token, and with the token. */
  /** The request for the form that sends it once more, with a placeholder in the place of the token; null: it cannot be sent. */
  readonly again: Written | null
  readonly hidden: Copies
  readonly revealed: Copies
}

/** An obligation that a request broke, and why; `promise` is null where it has no name of its own in the list. */
export type BrokenObligation = {
  readonly id: string
  readonly code: number
  readonly message: string
  readonly promise: string | null
  readonly place: string | null
}

export type OperationLine = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly statuses: readonly string[]
}

export type Outline = {
  readonly title: string
  readonly version: string
  readonly openapi: string
  readonly source: string
  readonly description: string
  /** Whether any well-formed token is right. */
  readonly anyToken: boolean
  readonly unauthenticated: string
  readonly operations: readonly OperationLine[]
}

/** One place of a schema, as a line: `tags[]`, two levels down. */
export type SchemaLine = {
  readonly name: string
  readonly depth: number
  readonly required: boolean
  readonly types: string
  readonly rules: readonly string[]
  readonly description: string
}

export type MediaPart = { readonly type: string; readonly lines: readonly SchemaLine[] }

export type Field = {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description: string
  readonly lines: readonly SchemaLine[]
}

export type ObligationLine = {
  readonly id: string
  readonly family: string
  readonly level: string
  readonly promise: string
  readonly place: string
  readonly rule: string | null
  /** Whether a single exchange can show it; if not, it is not counted as seen or unseen. */
  readonly single: boolean
}

/** A request as it can be edited; `{{token}}` and `{{token:basic}}` stand for the token. */
export type Written = {
  readonly target: string
  readonly headers: Fields
  readonly body: string | null
}

/** A request that can be sent; `breaks` says which obligation it breaks, null: it is valid. */
export type Sample = Written & { readonly title: string; readonly breaks: string | null }

export type OperationSheet = OperationLine & {
  readonly description: string
  readonly place: string
  readonly security: readonly string[]
  readonly parameters: readonly Field[]
  readonly bodies: readonly MediaPart[]
  readonly bodyRequired: boolean
  readonly responses: readonly {
    readonly status: string
    readonly description: string
    readonly media: readonly MediaPart[]
    readonly headers: readonly Field[]
    readonly examples: readonly string[]
  }[]
  readonly obligations: readonly ObligationLine[]
}

/** What has been asked of an operation: answers by status, and the obligations that requests and answers showed. */
export type Seen = {
  readonly requests: number
  readonly statuses: Readonly<Record<string, number>>
  readonly obligations: readonly string[]
}

/** By the id of the operation; `undeclared`: requests for none. */
export type SeenAll = { readonly operations: Readonly<Record<string, Seen>>; readonly undeclared: number }

/** What the mock does otherwise, by the id of the operation, for all clients or one. */
export type ScenarioState = {
  readonly operations: Readonly<Record<string, Scenario>>
  readonly sets: readonly string[]
  readonly set: string | null
}

/** As in `scenario/scenario.ts`. */
export type Scenario = {
  readonly status?: number
  readonly code?: number
  readonly message?: string
  readonly example?: string
  readonly delay?: number | readonly [from: number, to: number]
  readonly fault?: 'reset' | 'truncate' | 'hang' | 'malformed'
  readonly every?: number
  readonly limit?: { readonly requests: number; readonly seconds: number }
  readonly duplicates?: 'accept' | 'refuse'
  readonly unauthenticated?: 'declared' | '401' | 'either'
  readonly breaks?: string
  readonly undeclared?: boolean
}
