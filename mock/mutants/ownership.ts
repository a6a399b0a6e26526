import {
  declaredCreatorOf,
  errorCodes,
  type Operation,
  type OwnershipName,
  type Resource,
} from '../../spec/index.ts'
import type { Context, Handler, Middleware } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import { judge } from '../engine/judge.ts'
import type { MockResponse } from '../engine/mock-response.ts'
import { reject } from '../engine/reject.ts'
import { pathOf } from '../engine/request.ts'
import type { Unbreakable } from './mutation.ts'

/** Lets every token have what the first one creates: reads, lists, changes or removes it, or only seems to be kept from that. */
export const breakOwnership = (
  engine: Engine,
  operation: Operation,
  resource: Resource,
  name: OwnershipName,
): Middleware | Unbreakable => {
  if (engine.statefulResponder?.isPerToken !== true)
    return { reason: 'without --per-token the mock keeps the data of all tokens together' }
  const creator = declaredCreatorOf(resource)
  /** Whose data all tokens get: that of the first who creates something. */
  let first: string | null = null
  /** The paths that it made something at. */
  const made = new Set<string>()
  const asFirst = async (context: Context, next: Handler): Promise<MockResponse> => {
    const own = context.client
    context.client = first
    const response = await next(context)
    context.client = own
    return response
  }
  return async (context, next) => {
    const judged = judge(engine, context)
    if (judged === null || judged.violations.length > 0) return next(context)
    const path = pathOf(context.request.target)
    if (judged.operation === creator) first ??= context.client
    if (context.client === first || first === null || judged.operation !== operation) {
      const response = await next(context)
      if (context.client === first && judged.operation === creator && response.status < 400) made.add(path)
      return response
    }
    context.scenario = 'break'
    if (name === 'other-list') return asFirst(context, next)
    // Where clients choose names, a request for what is not one's own would create it.
    const refusal = made.has(path) ? null : await next(context)
    if (refusal !== null && refusal.status < 400) return refusal
    const done = await asFirst(context, next)
    if (name !== 'other-refused') return done
    const reason = { code: errorCodes.nothingThere, messages: ['it belongs to another user'] }
    return refusal ?? reject(engine, operation, 'parameter', reason)
  }
}
