import type { Headers, Json } from '../../spec/index.ts'
import type { ResponsePreferences } from '../preferences/prefer.ts'
import type { JudgedRequest } from './request.ts'

/** What a successful response has to be so that it fits its request; `mock/resources` infers it from the contract. */
export type Fit = {
  /** Properties of the body that follow from the request, besides those that it sent. */
  readonly known: ((judged: JudgedRequest) => Readonly<Record<string, Json>>) | null
  /** Bodies that fit, the best first; each is judged before it is sent. Null: any body will do. */
  readonly bodies: ((request: FitRequest) => Promise<readonly Json[]>) | null
  /** The value of a declared header; null: a made-up one will do. */
  readonly header: (name: string, judged: JudgedRequest, body: Json | undefined) => string | null
}

export type FitRequest = {
  readonly judged: JudgedRequest
  readonly preferences: ResponsePreferences | null
  /** The document's example of the whole body. */
  readonly example: Json | undefined
}

/** A declared response and the request that it has to fit. */
export type FittedTo = { readonly fit: Fit; readonly judged: JudgedRequest }

/** Clients read 16 kB of headers: a name of 64 kB cannot be in a Location. */
const longest = 4_000

/** The headers of a response with those that follow from the request or the body. */
export const fittedHeaders = (to: FittedTo | null, headers: Headers, body: Json | undefined): Headers =>
  to === null
    ? headers
    : headers.map(([name, value]) => {
        const fitted = to.fit.header(name, to.judged, body)
        return [name, fitted === null || fitted.length > longest ? value : fitted] as const
      })
