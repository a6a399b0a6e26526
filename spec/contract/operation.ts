import type { AuthorizationKind } from '../http/authorization-schemes.ts'
import { asNode, type DocumentNode, follow } from '../json/follow-refs.ts'
import { type Pointer, step, valueAt } from '../json/pointer.ts'
import type { SchemaPlace } from '../schema/locations.ts'

/** In OpenAPI 3.2 any method, otherwise GET, PUT, POST, DELETE, OPTIONS, HEAD, PATCH or TRACE. */
export type Method = string
export type In = 'path' | 'query' | 'header' | 'cookie'

export type Media = {
  readonly type: string
  readonly schema: Pointer | null
  readonly pointer: Pointer
  /** How bodies of this type are read and written, found when it is first asked for. In a response: see `formatOf`. */
  readonly format: BodyFormat
  /** Of a range with a schema: the media type in it that bodies are sent as. Absent of all others. */
  readonly sentAs?: Media
}

/** How bodies are read and written, by their media type and schema. */
export type BodyFormat =
  | { readonly kind: 'json' }
  /** `application/x-www-form-urlencoded`; its fields are written like query parameters. */
  | {
      readonly kind: 'form'
      readonly root: SchemaPlace
      readonly fields: readonly Parameter[]
      /** The names of fields that no style can write: what comes for them is not judged. */
      readonly unread: readonly string[]
    }
  /** `multipart/form-data` */
  | { readonly kind: 'multipart'; readonly root: SchemaPlace; readonly parts: readonly BodyPart[] }
  /** One text, or one number, or the like. */
  | { readonly kind: 'text'; readonly root: SchemaPlace }
  /** Any bytes: a text with one character for each. */
  | { readonly kind: 'binary'; readonly root: SchemaPlace }
  /** `element`: the name of the root element; null if the document does not say. */
  | { readonly kind: 'xml'; readonly root: SchemaPlace; readonly element: string | null }
  /** What cannot be made or judged: only its media type is. `reason`: a main clause. */
  | { readonly kind: 'opaque'; readonly reason: string }

/** A part of a `multipart/form-data` body: a property of its schema, or an item of one that is a list. */
export type BodyPart = {
  readonly name: string
  readonly isList: boolean
  /** See `Parameter`. */
  readonly allowEmpty: boolean | null
  readonly format: BodyFormat
  /** The media types and ranges that the document declares; empty if it declares none, and any is right. */
  readonly types: readonly string[]
  /** The Content-Type that it is sent with; null: none, which means text/plain. */
  readonly contentType: string | null
  readonly headers: readonly Parameter[]
  /** What it is sent with: a plain value of each header that it has to have. */
  readonly sent: readonly (readonly [name: string, value: string])[]
  /** Where its media types are declared. */
  readonly pointer: Pointer
}

export type Parameter = {
  readonly name: string
  readonly in: In
  readonly required: boolean
  readonly style: string
  readonly explode: boolean
  /** The media type of a parameter with `content`, whose value is JSON text; null otherwise. */
  readonly content: string | null
  /** What `allowEmptyValue` says: whether it may come without a value, whatever its schema; null: nothing. */
  readonly allowEmpty: boolean | null
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

export type Scheme = {
  /** The name of its own secret, if it has another one than the token; see `withSecrets`. */
  readonly secret?: string
} & (
  | { readonly kind: AuthorizationKind; readonly name: string; readonly pointer: Pointer }
  | {
      readonly kind: 'apiKey'
      readonly name: string
      readonly in: 'query' | 'header' | 'cookie'
      readonly key: string
      /** What is sent, with `{}` for the key: `token {}`. Absent: the key alone. See `keyField` and `withCredentialForm`. */
      readonly template?: string
      readonly pointer: Pointer
    }
  | { readonly kind: 'other'; readonly name: string; readonly type: string; readonly pointer: Pointer }
)

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
  /** The media types of responses for which no schema is declared, in Swagger 2.0; absent: the responses name them. */
  readonly produces?: readonly string[]
  /** Alternatives, each a list of schemes that are needed together; empty if no credentials are required. */
  readonly security: readonly (readonly Scheme[])[]
  /** How a run sends its secret although the document asks for none: only whether it is asked for is tested. Absent: it sends none. */
  readonly undeclared?: Scheme
  /** The URLs of its own servers, if they are not those of the document; null: it is where all are. */
  readonly servers: readonly string[] | null
}

/** The headers declared at a place. OpenAPI: one with the name Content-Type is ignored, as something else describes it. */
export const headersAt = (document: DocumentNode, at: Pointer): readonly Parameter[] =>
  Object.keys(asNode(valueAt(document, at)))
    .filter(name => !/^content-type$/i.test(name))
    .map(name => headerAt(document, name, step(at, name)))

const headerAt = (document: DocumentNode, name: string, at: Pointer): Parameter => {
  const { node, pointer } = follow(document, at)
  const required = node.required === true
  const explode = node.explode === true
  return {
    name,
    in: 'header',
    required,
    style: 'simple',
    explode,
    allowEmpty: null,
    ...contentOf(document, pointer),
    pointer,
  }
}

/** What describes the value of a parameter or a header: a schema, or the one media type that it is written in. */
export const contentOf = (document: DocumentNode, at: Pointer): Pick<Parameter, 'content' | 'schema'> => {
  const content = Object.keys(asNode(asNode(valueAt(document, at)).content))[0] ?? null
  const schema = content === null ? step(at, 'schema') : step(step(step(at, 'content'), content), 'schema')
  return { content, schema: valueAt(document, schema) === undefined ? null : schema }
}
