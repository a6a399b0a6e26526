import type { Headers, Json } from '../../spec/index.ts'
import type { ResponsePreferences } from '../preferences/prefer.ts'
import { baseOf, type JudgedRequest } from './request.ts'

/** What a response reads of the request that it fits: nothing else of it can change the response. */
export type Asked = {
  readonly parameters: Readonly<Record<string, Json>>
  readonly body: Json | undefined
  readonly target: string
  /** What stands before the path of the document in URLs: the origin, and prefixes that are taken off. */
  readonly origin: string
  readonly basePath: string
}

export const askedOf = ({ parameters, body, request }: JudgedRequest): Asked => {
  const { origin, path } = baseOf(request)
  return { parameters, body, target: request.target, origin, basePath: path }
}

/** What a successful response has to be so that it fits its request; `mock/resources` infers it from the contract. */
export type Fit = {
  /** Properties of the body that follow from the request, besides those that it sent. */
  readonly known: ((parameters: Asked['parameters']) => Readonly<Record<string, Json>>) | null
  /** Bodies that fit, the best first; each is judged before it is sent. Null: any body will do. */
  readonly bodies: ((request: FitRequest) => Promise<readonly Json[]>) | null
  /** The value of a declared header; null: a made-up one will do. */
  readonly header: (name: string, asked: Asked, body: Json | undefined) => string | null
}

export type FitRequest = {
  readonly asked: Asked
  readonly preferences: ResponsePreferences | null
  /** The document's example of the whole body. */
  readonly example: Json | undefined
}

/** A declared response and the request that it has to fit. */
export type FittedTo = { readonly fit: Fit; readonly asked: Asked }

/** Clients read 16 kB of headers: a name of 64 kB cannot be in a Location. */
const longest = 4_000

/** The headers of a response with those that follow from the request or the body. */
export const fittedHeaders = (to: FittedTo | null, headers: Headers, body: Json | undefined): Headers =>
  to === null
    ? headers
    : headers.map(([name, value]) => {
        const fitted = to.fit.header(name, to.asked, body)
        return [name, fitted === null || fitted.length > longest ? value : fitted] as const
      })
