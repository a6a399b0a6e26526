import { isOfBody, type Json, type SchemaPlace, step, steps, type ValueLocation } from '../../spec/index.ts'
import { statusTitle } from '../failures/failure-shape.ts'
import { pathOf } from './request.ts'

/** Why a request is rejected: a code that docs/mock.md lists, and the reasons in words. */
export type Reason = {
  readonly code: number
  readonly messages: readonly string[]
  /** The value that each message is about. Absent: no message is about a value. */
  readonly at?: readonly (ValueLocation | null)[]
}

/** Names that documents give a property of failures, the likeliest first. */
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
/** Lists with one entry for each reason. */
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
/** Objects that hold the whole failure. */
const envelopes: Names = ['error', 'fault', 'problem', 'failure', 'err']

type Problem = { readonly message: string; readonly at: ValueLocation | null }
type Failure = { readonly code: number; readonly status: number; readonly target: string | null }

/**
 * The body of a failure: the true reason, wherever the schema has room for it (code, status, text, the place of the
 * invalid value, one entry for each reason), and a problem detail as RFC 9457 has it. `target`: of the request.
 */
export const errorBody =
  ({ code, messages, at = [] }: Reason, status: number, target: string | null) =>
  (root: SchemaPlace): Json | undefined => {
    const fill = fills.get(root) ?? compile(root, maxDepth)
    fills.set(root, fill)
    const problems = messages.map((message, index) => ({ message, at: at[index] ?? null }))
    return fill(problems, { code, status, target })
  }

type Fill = (problems: readonly Problem[], failure: Failure) => Json | undefined

// Each rejection needs one.
const fills = new WeakMap<SchemaPlace, Fill>()

const maxDepth = 3

const text: Fill = problems =>
  problems.length === 1 ? problems[0]?.message : problems.map(({ message }) => message).join('; ')

const compile = (place: SchemaPlace, depth: number): Fill => {
  if (allows(place, 'string')) return text
  if (allows(place, 'array')) return compileList(place, depth) ?? (() => undefined)
  const members: (readonly [name: string, fill: Fill])[] = []
  const nest = (names: Names, type: string, make: (child: SchemaPlace) => Fill | undefined): boolean => {
    for (const name of names) {
      const child = childOf(place, name)
      if (child === undefined || !allows(child, type) || members.some(([taken]) => taken === name)) continue
      const fill = make(child)
      if (fill !== undefined) members.push([name, fill])
      return fill !== undefined
    }
    return false
  }
  const put = (names: Names, type: string, fill: Fill): boolean => nest(names, type, () => fill)
  // A pointer that is required though there is no value to point at is that of the whole body.
  const ifRequired = (names: Names): string | undefined =>
    names.some(name => place.required.includes(name)) ? '' : undefined
  const [defaultPointer, defaultField] = [ifRequired(pointers), ifRequired(fields)]
  const isNumbered = put(numbers, 'integer', (_, { code }) => code)
  if (!isNumbered) put(numbers.slice(1), 'string', (_, { code }) => String(code))
  put(statuses, 'integer', (_, { status }) => status)
  put(texts, 'string', text)
  if (place.properties.includes('title')) {
    // A problem of type `about:blank` has the title of its status (RFC 9457, 4.2.1).
    put(['type'], 'string', () => 'about:blank')
    put(['title'], 'string', (_, { status }) => statusTitle(status))
    put(['instance'], 'string', (_, { target }) => (target === null ? undefined : pathOf(target)))
  }
  // Beside the part of the request, or where a pointer is required, one leads to a parameter as if they were an object.
  const pointsAtAll = defaultPointer !== undefined || parts.some(name => place.properties.includes(name))
  put(pointers, 'string', ([first]) => {
    const at = first?.at ?? null
    if (at === null) return defaultPointer
    if (isOfBody(at)) return at.place
    return pointsAtAll ? step('', at.name) + at.place : undefined
  })
  put(fields, 'string', ([first]) => (first?.at == null ? undefined : fieldOf(first.at)) ?? defaultField)
  put(parts, 'string', ([first]) => {
    if (first?.at == null) return undefined
    return isOfBody(first.at) ? 'body' : first.at.in
  })
  for (const name of lists) nest([name], 'array', list => compileList(list, depth))
  if (depth > 0) nest(envelopes, 'object', inner => compile(inner, depth - 1))
  return (problems, failure) => {
    const body: Record<string, Json> = {}
    for (const [name, fill] of members) {
      const value = fill(problems, failure)
      if (value !== undefined) body[name] = value
    }
    return body
  }
}

const compileList = (list: SchemaPlace, depth: number): Fill | undefined => {
  const item = list.children.find(({ pattern }) => pattern === `${list.pattern}/*`)
  if (item === undefined || allows(item, 'string')) return problems => problems.map(({ message }) => message)
  if (depth === 0 || !allows(item, 'object')) return undefined
  const fill = compile(item, 0)
  return (problems, failure) => problems.map(problem => fill([problem], failure) ?? {})
}

const childOf = (place: SchemaPlace, name: string): SchemaPlace | undefined =>
  place.children.find(({ pattern }) => pattern === step(place.pattern, name))

const allows = ({ readAs, properties }: SchemaPlace, type: string): boolean =>
  readAs === null
    ? type === 'object' && properties.length > 0
    : readAs.some(read => read === type || (read === 'number' && type === 'integer'))

/** `lines.0.sku` in the body, or the name of the parameter. */
const fieldOf = (at: ValueLocation): string | undefined =>
  isOfBody(at) ? steps(at.place).join('.') || undefined : at.name
