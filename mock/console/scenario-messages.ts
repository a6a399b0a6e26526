/** The JSON of scenarios, which imports nothing either. */

/** The scenarios that are on, by operation id, for all clients or for one. */
export type ScenarioState = {
  readonly operations: Readonly<Record<string, Scenario | readonly Scenario[]>>
  readonly sets: readonly string[]
  readonly set: string | null
}

/** The same as in `mock/scenarios/registry.ts`; a test compares them. */
export type Scenario = {
  readonly status?: number
  /** Absent as well if a function answers. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly when?: {
    readonly path?: Readonly<Record<string, unknown>>
    readonly query?: Readonly<Record<string, unknown>>
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
  readonly times?: number
  readonly code?: number
  readonly message?: string
  readonly patch?: object
  readonly example?: string
  readonly delay?: number | readonly [from: number, to: number]
  readonly fault?: 'reset' | 'truncate' | 'hang' | 'malformed'
  readonly stream?: { readonly events?: number; readonly interval?: number; readonly open?: boolean }
  readonly every?: number
  readonly limit?: { readonly requests: number; readonly seconds: number }
  readonly duplicates?: 'accept' | 'reject'
  readonly unauthenticated?: 'declared' | '401' | 'either'
  readonly expires?: number
  readonly scopes?: string
  readonly breaks?: string
  readonly undeclared?: boolean
}
