import {
  type ConditionName,
  header,
  type KeyName,
  keyHeaderOf,
  type Operation,
  otherKeyed,
  writeJson,
} from '../../spec/index.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import type { Context, Middleware } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import { judge } from '../engine/judge.ts'
import type { JudgedRequest } from '../engine/request.ts'

/** The request with another value in a header, which it has or not. */
const withRequestHeader = (
  context: Context,
  judged: JudgedRequest,
  name: string,
  value: string | null,
): void => {
  const { request } = judged
  const others = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase())
  context.judged = {
    ...judged,
    request: { ...request, headers: [...others, ...(value === null ? [] : [[name, value] as const])] },
  }
  context.scenario = 'break'
}

type Rewrite = (value: string | null) => string | null

const never = '"of-nothing"'

/** What each mutant takes a condition for. */
const rewrites: Readonly<Record<ConditionName, readonly [header: string, rewrite: Rewrite]>> = {
  'if-same': ['If-None-Match', () => null],
  'if-other': ['If-None-Match', value => value && '*'],
  'if-old': ['If-Match', value => value && '*'],
  'if-current': ['If-Match', value => (value === null || value === '*' ? value : never)],
  'if-any': ['If-Match', value => (value === '*' ? never : value)],
  'if-absent': ['If-Match', value => value ?? '*'],
}

/** Takes the condition of a request for another one. */
export const breakConditions =
  (engine: Engine, operation: Operation, condition: ConditionName): Middleware =>
  (context, next) => {
    const judged = judge(engine, context)
    const [name, rewrite] = rewrites[condition]
    if (judged?.operation === operation) {
      const value = header(judged.request.headers, name.toLowerCase())
      const other = rewrite(value)
      if (other !== value) withRequestHeader(context, judged, name, other)
    }
    return next(context)
  }

/** How long a request is under way in which another one with its key comes. */
const msUnderWay = 50

/** Takes a key for one that was not used, or a use of it for another one. */
export const breakKeys = (engine: Engine, operation: Operation, name: KeyName): Middleware => {
  const other = otherKeyed(engine.contract, operation)?.create
  /** What requests with a key had for a body, and how they were answered. */
  const bodies = new Map<string, string>()
  const responses = new Map<string, MockResponse>()
  const underWay = new Set<string>()
  let count = 0
  return async (context, next) => {
    const judged = judge(engine, context)
    if (judged === null || judged.violations.length > 0) return next(context)
    const parameter = keyHeaderOf(engine.contract, judged.operation)?.name
    const key = parameter === undefined ? null : header(judged.request.headers, parameter.toLowerCase())
    if (parameter === undefined || key === null) return next(context)
    if (name === 'key-other-operation' && judged.operation === other) {
      const taken = responses.get(key)
      context.scenario = 'break'
      return taken ?? next(context)
    }
    if (judged.operation !== operation) return next(context)
    const body = judged.body === undefined ? '' : writeJson(judged.body)
    const isFirst = !bodies.has(key)
    const isSame = bodies.get(key) === body
    if (isFirst) bodies.set(key, body)
    const isForgotten =
      (name === 'key-once' && !isFirst && isSame && !underWay.has(key)) ||
      (name === 'key-other-body' && !isFirst && !isSame) ||
      (name === 'key-at-once' && underWay.has(key))
    if (isForgotten) withRequestHeader(context, judged, parameter, `${key}-${count++}`)
    underWay.add(key)
    if (name === 'key-at-once' && isFirst) await new Promise(resolve => setTimeout(resolve, msUnderWay))
    const response = await next(context)
    underWay.delete(key)
    if (isFirst) responses.set(key, response)
    return name === 'key-answer' && !isFirst && isSame ? otherAnswer(response) : response
  }
}

/** A success with another status. */
const otherAnswer = (response: MockResponse): MockResponse =>
  response.status < 400 ? { ...response, status: response.status === 200 ? 201 : 200 } : response
