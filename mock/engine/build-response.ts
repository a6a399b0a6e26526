import {
  type DeclaredResponse,
  type Json,
  type Operation,
  type SchemaPlace,
  writeJson,
} from '../../spec/index.ts'
import type { ResponsePreferences } from '../preferences/prefer.ts'
import { bytesOf, type MockResponse, noBody, statusOf } from './compiled-response.ts'
import { compiledOperation, compiledResponse, type Engine } from './engine.ts'
import { type MadeFrom, makeUp, streamOf } from './make-response.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { type FittedTo, type MockRequest, seedOf } from './request.ts'
import { hasAllDue, isStream } from './stream-response.ts'

/** What a response is built from. */
export type ResponseSpec = {
  readonly declared: DeclaredResponse
  /** The status, if `declared` is for a range or `default` and it falls under that. */
  readonly status: number
  /** The status that it is sent with, if that is another one. */
  readonly sentAs?: number
  /** What is known of the body, by the properties of its schema. */
  readonly known?: (root: SchemaPlace) => Json | undefined
  /** Made-up values follow from it. Null: they are the same for every request, and optional properties are left out. */
  readonly request?: MockRequest | null
  readonly preferences?: ResponsePreferences | null
  readonly fittedTo?: FittedTo | null
}

const nothing = (): undefined => undefined

/** Builds a declared response. The contract judges every one before it is sent. */
export const buildResponse = (
  engine: Engine,
  operation: Operation,
  {
    declared,
    status: fallback,
    sentAs,
    known = nothing,
    request = null,
    preferences = null,
    fittedTo = null,
  }: ResponseSpec,
): MaybePromise<MockResponse> => {
  const compiled = compiledOperation(engine, operation)
  const response = compiledResponse(engine, compiled, declared)
  const { media, isJson, root, validate, headers, required, due } = response
  const status = statusOf(declared, fallback)
  if (media === null && declared.headers.length === 0) return { status, headers: [], body: noBody }
  const values = root === null ? undefined : known(root)
  // What is written from a valid value, under the declared type and without headers, conforms by construction.
  const isComplete =
    declared.headers.length === 0 &&
    isJson &&
    (fittedTo === null || fittedTo.fit.bodies === null) &&
    (preferences === null || preferences.example === null) &&
    hasAllDue(status < 400 && request !== null ? due : required, values) &&
    validate?.(values).length === 0
  if (isComplete) return { status, headers, body: bytesOf(writeJson(values)) }
  const made: MadeFrom = {
    parts: { operation, declared, fit: fittedTo?.fit ?? null },
    data: {
      status,
      ...(sentAs === undefined ? {} : { sentAs }),
      values,
      seed: request === null ? null : seedOf(request),
      preferences,
      asked: fittedTo?.asked ?? null,
    },
  }
  const make = (inputs: MadeFrom) => makeUp(engine, inputs)
  if (isStream(response)) return streamOf(engine, compiled, made).then(stream => stream ?? make(made))
  const isKept = engine.statefulResponder !== null && fittedTo !== null
  // What is kept changes, functions of the user are called each time, and what is dynamic is new each time.
  const isFixed = !isKept && Object.keys(engine.values).length === 0 && preferences?.dynamic !== true
  return isFixed ? engine.made(made, make) : make(made)
}
