import { compileGenerator, type Generator } from '../../generator/index.ts'
import { type DocumentNode, localReference, type Pointer } from '../../spec/index.ts'

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
