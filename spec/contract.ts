import { createHash } from 'node:crypto'
import { exactLimits } from './limits.ts'
import { asNode, type Node } from './node.ts'
import { operationsOf } from './operations.ts'
import type { Pointer } from './pointer.ts'
import type { Place } from './problem.ts'
import { createSchemaSet, type SchemaSet } from './schema.ts'
import type { Sources } from './source.ts'

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'OPTIONS' | 'HEAD' | 'PATCH' | 'TRACE'
export type In = 'path' | 'query' | 'header' | 'cookie'

export type Media = { readonly type: string; readonly schema: Pointer | null; readonly pointer: Pointer }

export type Parameter = {
  readonly name: string
  readonly in: In
  readonly required: boolean
  readonly style: string
  readonly explode: boolean
  /** The media type of a parameter with `content`; its value is then JSON text. */
  readonly content: string | null
  readonly schema: Pointer | null
  readonly pointer: Pointer
}

export type RequestBody = {
  readonly required: boolean
  readonly media: readonly Media[]
  readonly pointer: Pointer
}

export type Header = {
  readonly name: string
  readonly required: boolean
  readonly schema: Pointer | null
  readonly pointer: Pointer
}

export type ResponseClause = {
  /** `200`, `4XX` or `default`. */
  readonly status: string
  readonly media: readonly Media[]
  readonly headers: readonly Header[]
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
  readonly responses: readonly ResponseClause[]
  /** Alternatives; each is a list of schemes that are needed together. Empty: no credentials are asked for. */
  readonly security: readonly (readonly Scheme[])[]
}

export type Contract = {
  readonly title: string
  readonly version: string
  readonly openapi: string
  /** SHA-256 of the bundled document, in hexadecimal. */
  readonly digest: string
  /** The file or URL it was read from. */
  readonly source: string
  readonly operations: readonly Operation[]
  /** The bundled document, its schemas JSON Schema 2020-12. */
  readonly document: Readonly<Record<string, unknown>>
  readonly schemas: SchemaSet
  readonly place: (pointer: Pointer) => Place
  /** The rule of the interface document that a place of the document comes from; null where none is named. */
  readonly rule: (pointer: Pointer) => string | null
}

/** Rules of an interface document by the pointers that they are written down at. */
export type Rules = Readonly<Record<Pointer, string>>

/** Compiles a checked document; see `loadContract`. */
export const compileContract = (document: Node, sources: Sources, source: string, rules: Rules): Contract => {
  const info = asNode(document.info)
  return {
    title: String(info.title ?? 'untitled'),
    version: String(info.version ?? ''),
    openapi: String(document.openapi),
    digest: createHash('sha256').update(JSON.stringify(document)).digest('hex'),
    source,
    operations: operationsOf(document),
    document,
    schemas: createSchemaSet(document, exactLimits(document, sources)),
    place: sources.place,
    rule: pointer => ruleOf(rules, pointer),
  }
}

// The rule of the nearest enclosing place.
const ruleOf = (rules: Rules, pointer: Pointer): string | null => {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const rule = rules[at]
    if (rule !== undefined) return rule
    if (at === '') return null
  }
}
