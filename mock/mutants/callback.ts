import type { Subject } from '../../spec/index.ts'
import type { Middleware } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import { judge } from '../engine/judge.ts'
import { noBody } from '../engine/mock-response.ts'
import type { Unbreakable } from './mutation.ts'

/** Has a callback or webhook break one requirement: what sends it asks the context. */
export const breakCallback = (
  engine: Engine,
  operation: string,
  { callback, name }: Extract<Subject, { kind: 'callback' }>,
): Middleware | Unbreakable => {
  if (name === 'repeated') return { reason: 'whether it comes again after a 503 is only observed' }
  let isRefused = false
  const answered = (status: number): void => {
    if (name === 'refused' && status === 503) isRefused = true
  }
  return (context, next) => {
    const { operation: of } = judge(engine, context) ?? {}
    // A webhook comes after requests for other operations than the one that gives its URL.
    if (of !== undefined) context.sending = { callback, name, answered }
    if (of?.id !== operation || !isRefused) return next(context)
    isRefused = false
    context.scenario = 'break'
    return { status: 500, headers: [], body: noBody }
  }
}
