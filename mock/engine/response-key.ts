import { type DeclaredResponse, type Json, type Operation, writeJson } from '../../spec/index.ts'
import type { ResponsePreferences } from '../preferences/prefer.ts'
import type { Engine } from './engine.ts'
import type { FittedTo } from './fit.ts'
import { baseOf, type MockRequest, seedOf } from './request.ts'

/** What a response is made up from; `values`: what is known of its body. */
export type Incomplete = {
  readonly declared: DeclaredResponse
  readonly status: number
  readonly values: Json | undefined
  readonly request: MockRequest | null
  readonly preferences: ResponsePreferences | null
  readonly fittedTo: FittedTo | null
}

/** Longer ones are those of large requests, which hardly ever come again. */
const longest = 4000

/**
 * The cache key of a made-up response: everything it depends on. Null if it depends on more: on what is kept, on functions of the user, or
 * on what a client prefers.
 */
export const keyOf = (
  { values: own, keeper }: Engine,
  operation: Operation,
  { declared, status, values, request, preferences, fittedTo }: Incomplete,
): string | null => {
  const isKept = keeper !== null && fittedTo !== null
  const size = request?.body?.length ?? 0
  if (preferences !== null || isKept || size > longest || Object.keys(own).length > 0) return null
  const known = values === undefined ? '' : writeJson(values)
  const parts = [operation.id, declared.status, status, seedOf(request), known]
  if (fittedTo === null) return cut(parts)
  const { origin, path } = baseOf(fittedTo.judged.request)
  return cut([...parts, origin, path, writeJson(fittedTo.judged.parameters)])
}

const cut = (parts: readonly (string | number)[]): string | null => {
  const key = JSON.stringify(parts)
  return key.length > longest ? null : key
}
