import type { BodyFormat } from '../contract/contract.ts'
import type { Pointer } from '../json/pointer.ts'
import type { ExtraField } from '../serialization/request-head.ts'
import type { ValueLocation } from './value-location.ts'

/** The credentials of a request: none at all, a well-formed token, or anything else. */
export type GivenCredentials = 'none' | 'token' | 'other'

export type Layout = 'whitespace' | 'key-order' | 'escaped-names' | 'escaped-values' | 'short-escapes'

export type ResponseAspect =
  | { readonly aspect: 'declared' }
  | {
      readonly aspect:
        | 'content-type'
        | 'encoding'
        | 'bom'
        | 'json'
        | 'duplicate-names'
        | 'xml'
        | 'multipart'
        | 'items'
        | 'length'
        | 'problem'
        | 'rate-limit'
      readonly status: string
    }
  | { readonly aspect: 'schema'; readonly status: string; readonly place: Pointer; readonly keyword: string }
  | { readonly aspect: 'header'; readonly status: string; readonly header: string }
  | { readonly aspect: 'echo'; readonly status: string; readonly name: string }
  /** A rule of HTTP for WWW-Authenticate in a 401; `given`: only in responses to such credentials. */
  | {
      readonly aspect: 'challenge'
      readonly status: '401'
      readonly rule: string
      readonly given: GivenCredentials | null
    }

/** The time that a share of the responses takes at most (`p95`: 95 of 100), or all of them. */
export type TimeMeasure = `p${number}` | 'max'

export type OpenQuestion =
  | 'credentials'
  | 'duplicate-id'
  | 'undeclared-property'
  | 'odd-properties'
  | 'duplicate-names'
  | 'byte-order-mark'
  | 'lone-surrogate'
  | 'other-charset'
  | 'large-body'
  | 'content-coding'
  | 'type-of-no-body'
  | 'other-method'
  | 'other-path'
  | 'other-accept'
  | 'undeclared-parameter'
  // How such a request is rejected, if the operation declares no failure that fits.
  | 'undeclared-media'
  | 'invalid-body'
  | 'invalid-parameter'

/** What holds over time and under load. */
export type StabilityName = 'pairing' | 'drift' | 'consistency' | 'recovery' | 'connection'

/**
 * What holds of the resources that a server keeps. Of what creates them: they can be read back, where Location says as well, each as it
 * was `stored` and `apart` from the others; what was `rejected` is not kept; nothing is created below an `unknown-parent`. Of reading:
 * it leaves resources `unchanged`, what is `unknown` is not found, nor what is `elsewhere`. Of a list: it `contains` what was created, as
 * it was stored (`items`). Of a change: what it leaves out is `kept`, and it may come twice (`repeated`). Of a removal: the resource is
 * `gone`, `unlisted`, and removed `again` without trouble. Of another user than the one that created it: see `OwnershipName`; of repeated
 * requests with a key: `KeyName`; of conditions: `ConditionName`.
 */
export type StateName =
  | OwnershipName
  | KeyName
  | ConditionName
  | 'read-back'
  | 'location'
  | 'stored'
  | 'apart'
  | 'rejected'
  | 'unknown-parent'
  | 'unchanged'
  | 'unknown'
  | 'elsewhere'
  | 'contains'
  | 'items'
  | 'kept'
  | 'repeated'
  | 'gone'
  | 'unlisted'
  | 'again'

/**
 * What another user is kept from doing with a resource: it does not `read` it, `list` it, `replace` it, `change` it or `remove` it; and
 * what it is `refused` has no effect.
 */
export type OwnershipName = `other-${'read' | 'list' | 'replace' | 'change' | 'remove' | 'refused'}`

/**
 * What holds of requests with the same key: what they create is there `once`, they get the same `answer`, `at-once` as well; another body or
 * another operation is another matter.
 */
export type KeyName = `key-${'once' | 'answer' | 'other-body' | 'other-operation' | 'at-once'}`

/** What a request finds its resource to be, by its condition: the `same` or another; an `old`, the `current` or `any` state; no condition. */
export type ConditionName = `if-${'same' | 'other' | 'old' | 'current' | 'any' | 'absent'}`

/**
 * What holds of a callback: it is `sent` after an accepted request, its `request` is as declared, with `credentials`, about the request
 * that gave the URL (`own`), and `once` if it was answered; none comes after a `rejected` request; the server goes on if it is `refused`,
 * and may send it again then (`repeated`).
 */
export type CallbackName =
  | 'sent'
  | 'request'
  | 'credentials'
  | 'own'
  | 'once'
  | 'rejected'
  | 'refused'
  | 'repeated'

/** What an obligation is about: one kind for each way of testing, keeping or breaking it. */
export type Subject =
  /** Any valid request is accepted. */
  | { readonly kind: 'valid' }
  /** A body with exactly these of its optional properties is accepted. */
  | { readonly kind: 'presence'; readonly present: readonly string[]; readonly isAll: boolean }
  /** These values (JSON texts) are accepted at the location; `member`: the index of the one that they are in an `enum`. */
  | {
      readonly kind: 'value'
      readonly location: ValueLocation
      readonly name: string
      readonly texts: readonly string[]
      readonly member?: number
    }
  /** A valid body is accepted in another layout. */
  | { readonly kind: 'layout'; readonly layout: Layout }
  | { readonly kind: 'framing'; readonly name: 'chunked' }
  /** A valid request is accepted with percent-escapes in its query for what needs none. */
  | { readonly kind: 'query-escapes' }
  /** A valid body of about this many bytes is accepted. */
  | { readonly kind: 'size'; readonly bytes: number }
  /** Content-Types (null: no such header) that are accepted, or not. */
  | {
      readonly kind: 'media'
      readonly name: string
      readonly contentTypes: readonly (string | null)[]
      readonly isAccepted: boolean
    }
  /** A valid request is accepted with each of these sets of undeclared fields. */
  | {
      readonly kind: 'extra'
      readonly name: string
      readonly variants: readonly (readonly ExtraField[])[]
    }
  /** A value that breaks this keyword at this location, and nothing else, is rejected. */
  | {
      readonly kind: 'keyword'
      readonly location: ValueLocation
      readonly keyword: string
      readonly detail: string
    }
  /**
   * A value in this branch of the keyword is accepted: for `anyOf` and `oneOf` one that matches the branch, for `if` one
   * that matches it (`then`) or not (`else`), for `dependentSchemas` one with the property that the branch is named after,
   * for `items` a list of as few items as allowed (`least`), as many (`most`), or two and more (`several`).
   */
  | {
      readonly kind: 'branch'
      readonly location: ValueLocation
      readonly keyword: 'anyOf' | 'oneOf' | 'if' | 'dependentSchemas' | 'items'
      readonly branch: string
      readonly schema: Pointer
    }
  /** A part of `multipart/form-data` with another media type, or without a header that it has to have, is rejected. */
  | {
      readonly kind: 'part'
      readonly part: string
      readonly contentTypes: readonly string[]
      readonly header: string | null
    }
  /** A body that cannot be read in the format of its media type is rejected. */
  | { readonly kind: 'malformed'; readonly format: BodyFormat['kind']; readonly name: string }
  /** A missing or empty body, or an object without any property, is rejected. */
  | { readonly kind: 'no-body'; readonly name: 'absent' | 'empty' | 'empty-object' }
  /** A body with all its properties under other names, or further inside, is rejected. */
  | { readonly kind: 'displaced' }
  /** A body with two invalid properties is rejected. */
  | { readonly kind: 'several-violations' }
  /** Valid requests in which an extreme text meets another unusual value are accepted. */
  | { readonly kind: 'combined' }
  | { readonly kind: 'missing-parameter'; readonly location: ValueLocation }
  | {
      readonly kind: 'credentials'
      readonly name: string
      readonly scheme: string
      readonly isAccepted: boolean
    }
  | ({ readonly kind: 'response' } & ResponseAspect)
  /** Of conforming responses to valid requests, the share that `measure` names takes at most `ms`. */
  | { readonly kind: 'response-time'; readonly measure: TimeMeasure; readonly ms: number }
  | { readonly kind: 'stability'; readonly name: StabilityName }
  /** What the server keeps; `path` is that of one resource. */
  | { readonly kind: 'state'; readonly name: StateName; readonly path: string }
  /** A step of a workflow succeeds. */
  | { readonly kind: 'flow'; readonly flow: string; readonly step: string }
  /** What holds of a callback of the operation. */
  | { readonly kind: 'callback'; readonly callback: string; readonly name: CallbackName }
  | { readonly kind: 'unspecified'; readonly name: OpenQuestion }
  /**
   * A way of framing requests (see `inputs/malformed-http/`), or `recovery`: the valid request after all of them. `isOrdinary`: clients
   * may well do so.
   */
  | { readonly kind: 'protocol'; readonly name: string; readonly isOrdinary: boolean }

/** What is wrong with a request: the subject of an obligation, or what those of several have in common, as all malformed JSON. */
export type RequestAspect =
  | Extract<Subject, { readonly kind: 'keyword' | 'missing-parameter' | 'no-body' }>
  | { readonly kind: 'malformed'; readonly format: BodyFormat['kind']; readonly name: null }
  | { readonly kind: 'media'; readonly name: 'absent' | 'undeclared' }
  /** A body that cannot be decoded as its Content-Encoding says. */
  | { readonly kind: 'content-coding' }
  | { readonly kind: 'part'; readonly part: string; readonly header: string | null }
  | { readonly kind: 'credentials'; readonly name: string }
  /** More than the mock reads. */
  | { readonly kind: 'unspecified'; readonly name: 'large-body' }
