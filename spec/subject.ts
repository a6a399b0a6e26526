import type { Pointer } from './pointer.ts'

/** A value of the request: the JSON body, a form in the body, or a parameter. `place` is a pattern in it (see `SchemaPlace`). */
export type Where = {
  readonly in: 'body' | 'form' | 'path' | 'query' | 'header' | 'cookie'
  readonly name: string
  readonly place: Pointer
}

/** Whether a value stands in the body, whatever the body is written as. */
export const isOfBody = ({ in: part }: Where): boolean => part === 'body' || part === 'form'

/** What a request had for credentials: none at all, a well-formed token, or anything else. */
export type Given = 'none' | 'token' | 'other'

export type Layout = 'whitespace' | 'key-order' | 'escaped-names' | 'escaped-values'

export type AnswerAspect =
  | { readonly aspect: 'declared' }
  | {
      readonly aspect: 'content-type' | 'encoding' | 'bom' | 'json' | 'duplicate-names' | 'length'
      readonly status: string
    }
  | { readonly aspect: 'schema'; readonly status: string; readonly place: Pointer; readonly keyword: string }
  | { readonly aspect: 'header'; readonly status: string; readonly header: string }
  | { readonly aspect: 'echo'; readonly status: string; readonly name: string }
  /** WWW-Authenticate of a 401 keeps a rule of HTTP; `asked`: of answers to such credentials alone. */
  | {
      readonly aspect: 'challenge'
      readonly status: '401'
      readonly rule: string
      readonly asked: Given | null
    }

export type OpenQuestion =
  | 'credentials'
  | 'duplicate-id'
  | 'undeclared-property'
  | 'duplicate-names'
  | 'byte-order-mark'
  | 'lone-surrogate'
  | 'large-body'
  | 'other-method'
  | 'other-path'

/** What an obligation is about, one kind for each way of testing, keeping or breaking it. */
export type Subject =
  /** Any valid request is accepted. */
  | { readonly kind: 'valid' }
  /** A body with exactly these of its optional properties is accepted. */
  | { readonly kind: 'presence'; readonly present: readonly string[] }
  /** These values (JSON texts) are accepted at the place. */
  | {
      readonly kind: 'value'
      readonly where: Where
      readonly name: string
      readonly texts: readonly string[]
    }
  /** A valid body, written in another way, is accepted. */
  | { readonly kind: 'layout'; readonly layout: Layout }
  | { readonly kind: 'framing'; readonly name: 'chunked' }
  /** A valid body of about this many bytes is accepted. */
  | { readonly kind: 'size'; readonly bytes: number }
  /** Content-Types (null: none) that are accepted, or not. */
  | {
      readonly kind: 'media'
      readonly name: string
      readonly contentTypes: readonly (string | null)[]
      readonly accepted: boolean
    }
  /** A value that breaks this keyword, at this place, and nothing else is refused. */
  | { readonly kind: 'keyword'; readonly where: Where; readonly keyword: string; readonly detail: string }
  /**
   * A value of this branch of the keyword is accepted: of `anyOf` and `oneOf` one that its schema takes, of `if` one
   * that it takes (`then`) or not (`else`), of `dependentSchemas` one with the property of the branch's name, of
   * `items` a list of as few items as may be (`least`), as many (`most`), or two and more (`several`).
   */
  | {
      readonly kind: 'branch'
      readonly where: Where
      readonly keyword: 'anyOf' | 'oneOf' | 'if' | 'dependentSchemas' | 'items'
      readonly branch: string
      readonly schema: Pointer
    }
  /** A body that is not JSON is refused. */
  | { readonly kind: 'malformed'; readonly name: string }
  /** No body, an empty one, or an object without any property is refused. */
  | { readonly kind: 'no-body'; readonly name: 'absent' | 'empty' | 'empty-object' }
  | { readonly kind: 'missing-parameter'; readonly where: Where }
  | {
      readonly kind: 'credentials'
      readonly name: string
      readonly scheme: string
      readonly accepted: boolean
    }
  | ({ readonly kind: 'answer' } & AnswerAspect)
  | { readonly kind: 'load'; readonly name: 'pairing' | 'drift' | 'consistency' | 'recovery' }
  | { readonly kind: 'open'; readonly name: OpenQuestion }
  /** A way of framing requests (see `wire/`), or what comes after all of them. */
  | { readonly kind: 'wire'; readonly name: string }
