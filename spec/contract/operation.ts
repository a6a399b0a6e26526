import type { Pointer } from '../json/pointer.ts'

/** In OpenAPI 3.2 any method, otherwise GET, PUT, POST, DELETE, OPTIONS, HEAD, PATCH or TRACE. */
export type Method = string
export type In = 'path' | 'query' | 'header' | 'cookie'

export type Media = {
  readonly type: string
  readonly schema: Pointer | null
  readonly pointer: Pointer
  /** For `application/x-www-form-urlencoded`: its fields, as query parameters; null if they are unknown. */
  readonly form: readonly Parameter[] | null
}

export type Parameter = {
  readonly name: string
  readonly in: In
  readonly required: boolean
  readonly style: string
  readonly explode: boolean
  /** The media type of a parameter with `content`, whose value is JSON text; null otherwise. */
  readonly content: string | null
  readonly schema: Pointer | null
  readonly pointer: Pointer
}

export type RequestBody = {
  readonly required: boolean
  readonly media: readonly Media[]
  readonly pointer: Pointer
}

export type DeclaredResponse = {
  /** `200`, `4XX` or `default`. */
  readonly status: string
  readonly media: readonly Media[]
  /** As header parameters, which they are declared like. */
  readonly headers: readonly Parameter[]
  readonly pointer: Pointer
}

export type Scheme =
  | { readonly kind: 'bearer'; readonly name: string; readonly pointer: Pointer }
  | { readonly kind: 'basic'; readonly name: string; readonly pointer: Pointer }
  | {
      readonly kind: 'apiKey'
      readonly name: string
      readonly in: 'query' | 'header' | 'cookie'
      readonly key: string
      readonly pointer: Pointer
    }
  | { readonly kind: 'other'; readonly name: string; readonly type: string; readonly pointer: Pointer }

export type Operation = {
  readonly id: string
  readonly method: Method
  /** The path template, `/plants/{id}`. */
  readonly path: string
  readonly pointer: Pointer
  readonly summary: string
  readonly parameters: readonly Parameter[]
  readonly body: RequestBody | null
  readonly responses: readonly DeclaredResponse[]
  /** Alternatives, each a list of schemes that are needed together; empty if no credentials are required. */
  readonly security: readonly (readonly Scheme[])[]
}
