import {
  type Breach,
  type Cause,
  codes,
  isOfBody,
  type Json,
  type Operation,
  type SchemaPlace,
  step,
  steps,
  type Where,
} from '../spec/index.ts'
import type { Composed } from './compose.ts'
import { type MockRequest, pathOf } from './request.ts'
import type { Soon } from './soon.ts'

/** Why a request is refused: a documented code (docs/mock.md), the reasons in words, and where each of them is found. */
export type Reason = {
  readonly code: number
  readonly messages: readonly string[]
  /** For each message the value that it is about. Absent: they are about no value. */
  readonly at?: readonly (Where | null)[]
}

/** Refuses with the declared failure. `request`: what is made up beside the reason follows from it; absent: from nothing. */
export type Refuse = (
  operation: Operation,
  cause: Cause,
  reason: Reason,
  request?: MockRequest,
) => Soon<Composed>

/** What a body breaks that is larger than the mock reads. */
export const oversize = ({ id }: Operation): Breach => ({
  id: `${id}/open/large-body`,
  cause: 'body',
  code: codes.bodyTooLarge,
  message: 'the body is too large',
  at: null,
})

type Names = readonly string[]

const texts: Names = [
  'message',
  'detail',
  'error_description',
  'description',
  'reason',
  'title',
  'error',
  'errors',
  'msg',
]
const numbers: Names = ['error', 'code', 'errorCode', 'error_code', 'errno']
const statuses: Names = ['status', 'statusCode', 'status_code', 'httpStatus']
const pointers: Names = ['pointer', 'path', 'instancePath', 'jsonPointer']
const fields: Names = ['field', 'property', 'param', 'parameter', 'name', 'key', 'attribute']
const parts: Names = ['in', 'location', 'source']
/** One entry for each reason. */
const lists: Names = [
  'errors',
  'details',
  'violations',
  'issues',
  'problems',
  'causes',
  'invalid-params',
  'invalidParams',
  'invalid_params',
  'validation',
]
/** The whole failure, one level down. */
const envelopes: Names = ['error', 'fault', 'problem', 'failure', 'err']

/** The phrases of RFC 9110 15 for failures that documents declare; others are of their class (15: x00). */
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

type Fault = { readonly message: string; readonly at: Where | null }
type Frame = { readonly code: number; readonly status: number; readonly target: string | null }

/**
 * Fills the declared failure with the true reason, wherever its shape has room for it: code, status, text, the place of
 * the value at fault, one entry for each reason; and a problem detail as RFC 9457 has it. `target`: what was asked for.
 */
export const failureBody =
  ({ code, messages, at = [] }: Reason, status: number, target: string | null) =>
  (root: SchemaPlace): Json | undefined => {
    const fill = compiled.get(root) ?? compile(root, 3)
    compiled.set(root, fill)
    const faults = messages.map((message, index) => ({ message, at: at[index] ?? null }))
    return fill(faults, { code, status, target })
  }

type Fill = (faults: readonly Fault[], frame: Frame) => Json | undefined

// Every refusal asks for one.
const compiled = new WeakMap<SchemaPlace, Fill>()

const textOf: Fill = faults =>
  faults.length === 1 ? faults[0]?.message : faults.map(({ message }) => message).join('; ')

const compile = (place: SchemaPlace, depth: number): Fill => {
  if (takes(place, 'string')) return textOf
  if (takes(place, 'array')) return compileList(place, depth) ?? (() => undefined)
  const fills: (readonly [name: string, fill: Fill])[] = []
  const nest = (names: Names, type: string, make: (child: SchemaPlace) => Fill | undefined): boolean => {
    for (const name of names) {
      const child = childOf(place, name)
      if (child === undefined || !takes(child, type) || fills.some(([taken]) => taken === name)) continue
      const fill = make(child)
      if (fill !== undefined) fills.push([name, fill])
      return fill !== undefined
    }
    return false
  }
  const put = (names: Names, type: string, fill: Fill): boolean => nest(names, type, () => fill)
  // Where a pointer is due and there is none to give, it is that of the whole.
  const due = (names: Names): string | undefined =>
    names.some(name => place.required.includes(name)) ? '' : undefined
  const [ofPointer, ofField] = [due(pointers), due(fields)]
  const isNumbered = put(numbers, 'integer', (_, { code }) => code)
  if (!isNumbered) put(numbers.slice(1), 'string', (_, { code }) => String(code))
  put(statuses, 'integer', (_, { status }) => status)
  put(texts, 'string', textOf)
  if (place.properties.includes('title')) {
    // Of a problem without a type of its own the title is that of its status (RFC 9457, 4.2.1).
    put(['type'], 'string', () => 'about:blank')
    put(['title'], 'string', (_, { status }) => titles[status] ?? (status < 500 ? titles[400] : titles[500]))
    put(['instance'], 'string', (_, { target }) => (target === null ? undefined : pathOf(target)))
  }
  put(pointers, 'string', ([first]) => {
    const at = first?.at ?? null
    return at !== null && isOfBody(at) ? at.place : ofPointer
  })
  put(fields, 'string', ([first]) => (first?.at == null ? undefined : fieldOf(first.at)) ?? ofField)
  put(parts, 'string', ([first]) => {
    if (first?.at == null) return undefined
    return isOfBody(first.at) ? 'body' : first.at.in
  })
  for (const name of lists) nest([name], 'array', list => compileList(list, depth))
  if (depth > 0) nest(envelopes, 'object', inner => compile(inner, depth - 1))
  return (faults, frame) => {
    const body: Record<string, Json> = {}
    for (const [name, fill] of fills) {
      const value = fill(faults, frame)
      if (value !== undefined) body[name] = value
    }
    return body
  }
}

const compileList = (list: SchemaPlace, depth: number): Fill | undefined => {
  const item = list.children.find(({ pattern }) => pattern === `${list.pattern}/*`)
  if (item === undefined || takes(item, 'string')) return faults => faults.map(({ message }) => message)
  if (depth === 0 || !takes(item, 'object')) return undefined
  const fill = compile(item, 0)
  return (faults, frame) => faults.map(fault => fill([fault], frame) ?? {})
}

const childOf = (place: SchemaPlace, name: string): SchemaPlace | undefined =>
  place.children.find(({ pattern }) => pattern === step(place.pattern, name))

const takes = ({ readAs, properties }: SchemaPlace, type: string): boolean =>
  readAs === null
    ? type === 'object' && properties.length > 0
    : readAs.some(own => own === type || (own === 'number' && type === 'integer'))

/** `lines.0.sku` in the body, or the name of the parameter. */
const fieldOf = (at: Where): string | undefined =>
  isOfBody(at) ? steps(at.place).join('.') || undefined : at.name
