import { compileGenerator, type Generator } from '../../generator/index.ts'
import {
  annotationKeywords,
  asNode,
  type DocumentNode,
  localReference,
  type Pointer,
  valueAt,
} from '../../spec/index.ts'

/** Whether what stands at two places of two documents means the same, with all that it refers to. */
export type Comparison = (left: Pointer, right: Pointer) => boolean

/** What says nothing about any request or response. */
export const annotations: ReadonlySet<string> = new Set([
  ...annotationKeywords,
  ...['readOnly', 'writeOnly'],
  ...['summary', 'operationId', 'tags', 'links', 'callbacks', 'servers', 'security'],
])

/** Keywords whose members are names and no keywords. */
const named = new Set([
  ...['properties', 'patternProperties', '$defs', 'dependentSchemas', 'dependentRequired'],
  ...['headers', 'content', 'responses', 'encoding', 'mapping'],
])

/** Keywords whose order says nothing. */
const unordered = new Set(['required', 'enum', 'type'])

/**
 * Compares places of two documents. References are followed, and each pair of targets is compared once. Two places that differ in what
 * the comparison does not understand are not the same: they are only looked at more closely.
 */
export const compareDocuments = (from: DocumentNode, to: DocumentNode): Comparison => {
  const known = new Map<string, boolean>()

  const isSameAt: Comparison = (left, right) => {
    const key = `${left} ${right}`
    const before = known.get(key)
    if (before !== undefined) return before
    const since = known.size
    // What refers to itself is the same as long as nothing else differs.
    known.set(key, true)
    const isSame = isSameValue(valueAt(from, left), valueAt(to, right))
    if (!isSame) {
      // Found under an assumption that is wrong.
      for (const other of [...known.keys()].slice(since)) known.delete(other)
      known.set(key, false)
    }
    return isSame
  }

  const targetOf = (value: unknown): Pointer | null => {
    const node = asNode(value)
    const keys = Object.keys(node).filter(key => !annotations.has(key))
    return keys.length === 1 && typeof node.$ref === 'string' ? localReference(node.$ref) : null
  }

  const isSameValue = (left: unknown, right: unknown, keyword: string | null = null): boolean => {
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
      return left === right
    if (Array.isArray(left) || Array.isArray(right)) {
      if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
      if (keyword !== null && unordered.has(keyword)) return isSameSet(left, right)
      return left.every((item, index) => isSameValue(item, right[index]))
    }
    const isOfNames = keyword !== null && named.has(keyword)
    const [target, other] = isOfNames ? [null, null] : [targetOf(left), targetOf(right)]
    if (target !== null && other !== null) return isSameAt(target, other)
    if (target !== null) return isSameValue(valueAt(from, target), right)
    if (other !== null) return isSameValue(left, valueAt(to, other))
    const keys = keysOf(left, isOfNames)
    const others = new Set(keysOf(right, isOfNames))
    return (
      keys.length === others.size &&
      keys.every(
        key =>
          others.has(key) &&
          (key === '$ref'
            ? isSameReference(asNode(left)[key], asNode(right)[key])
            : isSameValue(asNode(left)[key], asNode(right)[key], isOfNames ? null : key)),
      )
    )
  }

  const isSameReference = (left: unknown, right: unknown): boolean => {
    const [target, other] = [left, right].map(each =>
      typeof each === 'string' ? localReference(each) : null,
    )
    return target == null || other == null ? left === right : isSameAt(target, other)
  }

  return isSameAt
}

const keysOf = (node: object, isOfNames: boolean): readonly string[] =>
  isOfNames
    ? Object.keys(node)
    : Object.keys(node).filter(key => !annotations.has(key) && !key.startsWith('x-'))

const isSameSet = (left: readonly unknown[], right: readonly unknown[]): boolean => {
  const others = new Set(right.map(each => JSON.stringify(each)))
  return left.every(each => others.has(JSON.stringify(each)))
}

/** Schemas of the two documents that a value has to fit (`from`, `to`), and such of `to` as it must not fit all of. */
export type Wanted = {
  readonly from: readonly Pointer[]
  readonly to?: readonly Pointer[]
  readonly breaking?: readonly Pointer[]
}

/** Compiles generators of values for schemas of both documents at once. */
export type JoinedSchemas = (wanted: Wanted) => Generator

/** Puts two documents into one, as a generator knows only one. */
export const joinSchemas = (from: DocumentNode, to: DocumentNode): JoinedSchemas => {
  let joined: DocumentNode | null = null
  return wanted => {
    joined ??= { from: moved(from, '/from'), to: moved(to, '/to') }
    const { breaking = [] } = wanted
    const allOf = [
      ...refer('/from', wanted.from),
      ...refer('/to', wanted.to ?? []),
      ...(breaking.length === 0 ? [] : [{ not: { allOf: refer('/to', breaking) } }]),
    ]
    return compileGenerator({ allOf }, joined)
  }
}

const refer = (at: Pointer, schemas: readonly Pointer[]): readonly { readonly $ref: string }[] =>
  schemas.map(schema => ({ $ref: `#${encodeURI(`${at}${schema}`)}` }))

/** The document with its references as they are below another one. */
const moved = (value: unknown, to: Pointer): unknown => {
  if (Array.isArray(value)) return value.map(item => moved(item, to))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string' && localReference(member) !== null
        ? `#${to}${member.slice(1)}`
        : moved(member, to),
    ]),
  )
}
