/** The types of bodies and parameters, read from the `operations` that openapi-typescript writes for a document. */

import type { AnswerRequest } from './request.ts'
import type { AnswerBody } from './when.ts'

/** Operations of which no types are known. */
export type AnyOperations = Readonly<Record<string, unknown>>

export type OperationId<O extends object> = keyof O & string

/** Whether `O` has no types of its own. */
type IsAny<O extends object> = string extends keyof O ? true : false

type Statuses<O extends object, Id extends OperationId<O>> = O[Id] extends { responses: infer R } ? R : never

/** The statuses that an operation declares; any number if it declares a range or `default`. */
export type StatusOf<O extends object, Id extends OperationId<O>> =
  IsAny<O> extends true
    ? number
    : Extract<keyof Statuses<O, Id>, string> extends never
      ? Extract<keyof Statuses<O, Id>, number>
      : number

/** The body of the response that the mock takes for a success: that of the lowest declared status. */
export type SuccessBody<O extends object, Id extends OperationId<O>> =
  IsAny<O> extends true ? AnswerBody : BodyIn<FirstOf<Statuses<O, Id>, Successes>>

export type BodyOf<O extends object, Id extends OperationId<O>, Status> =
  IsAny<O> extends true
    ? AnswerBody | undefined
    : BodyIn<FirstOf<Statuses<O, Id>, [Status, RangeOf<Status>, 'default']>>

type Successes = [200, 201, 202, 203, 204, 205, 206, '2XX', 'default']

type RangeOf<Status> = Status extends number
  ? `${Status}` extends `${infer First}${number}`
    ? `${First}XX`
    : never
  : never

/** What an object has by the first of these names that it has. */
type FirstOf<T, Names extends readonly unknown[]> = Names extends [infer Name, ...infer Rest]
  ? Name extends keyof T
    ? T[Name]
    : FirstOf<T, Rest>
  : unknown

/** The JSON body, or one of the others if there is none. */
type BodyIn<T> = T extends { content: infer Content }
  ? Content[Extract<keyof Content, `${string}json${string}`> extends never
      ? keyof Content
      : Extract<keyof Content, `${string}json${string}`>]
  : T extends { content?: never }
    ? undefined
    : AnswerBody | undefined

type Sent<O extends object, Id extends OperationId<O>> = O[Id] extends { requestBody: infer Body }
  ? BodyIn<Body>
  : O[Id] extends { requestBody?: infer Body }
    ? BodyIn<NonNullable<Body>> | undefined
    : undefined

type ParametersIn<O extends object, Id extends OperationId<O>, Part extends string> = O[Id] extends {
  parameters: infer P
}
  ? Part extends keyof P
    ? [NonNullable<P[Part]>] extends [never]
      ? Readonly<Record<string, never>>
      : NonNullable<P[Part]>
    : Readonly<Record<string, unknown>>
  : Readonly<Record<string, unknown>>

/** A request for an operation, as a function that answers it sees it. */
export type RequestOf<O extends object, Id extends OperationId<O>> =
  IsAny<O> extends true
    ? AnswerRequest
    : Omit<AnswerRequest, 'path' | 'query' | 'body'> & {
        readonly path: ParametersIn<O, Id, 'path'>
        readonly query: ParametersIn<O, Id, 'query'>
        readonly body: Sent<O, Id>
      }

/** Which requests get an answer: those that have all of these values. Of objects, only the given properties count. */
export type WhenOf<O extends object, Id extends OperationId<O>> = {
  readonly path?: PartOf<RequestOf<O, Id>['path']> | undefined
  readonly query?: PartOf<RequestOf<O, Id>['query']> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: PartOf<RequestOf<O, Id>['body']> | undefined
}

type PartOf<T> = unknown extends T
  ? T
  : T extends readonly (infer Item)[]
    ? readonly PartOf<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: PartOf<T[Key]> }
      : T
