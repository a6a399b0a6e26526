import { compileGenerator, type Generator } from '../../generator/index.ts'
import { type DocumentNode, localReference, type Pointer } from '../../spec/index.ts'

/** Compiles generators of values that fit schemas of one document and not those of the other. */
export type JoinedSchemas = (fitting: readonly Pointer[], breaking: readonly Pointer[]) => Generator

/** Puts two documents into one, as a generator knows only one. */
export const joinSchemas = (from: DocumentNode, to: DocumentNode): JoinedSchemas => {
  let joined: DocumentNode | null = null
  return (fitting, breaking) => {
    joined ??= { from: moved(from, '/from'), to: moved(to, '/to') }
    const refer = (at: string, schemas: readonly Pointer[]) =>
      schemas.map(schema => ({ $ref: `#${encodeURI(`${at}${schema}`)}` }))
    return compileGenerator(
      { allOf: [...refer('/from', fitting), { not: { allOf: refer('/to', breaking) } }] },
      joined,
    )
  }
}

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
