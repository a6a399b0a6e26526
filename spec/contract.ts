import { createHash } from 'node:crypto'
import type { Excerpt } from './excerpt.ts'
import type { Json } from './json.ts'
import { exactLimits, exactValue } from './limits.ts'
import { asNode, type Node } from './node.ts'
import type { Operation } from './operation.ts'
import { operationsOf } from './operations.ts'
import type { Pointer } from './pointer.ts'
import type { Place } from './problem.ts'
import type { InterfaceClause, Rules } from './rules.ts'
import { createSchemaSet, type SchemaSet } from './schema.ts'
import type { Sources } from './source.ts'

export type * from './operation.ts'

export type Contract = {
  readonly title: string
  readonly version: string
  readonly openapi: string
  /** SHA-256 of the bundled document, in hexadecimal. */
  readonly digest: string
  /** The file or URL it was read from. */
  readonly source: string
  readonly operations: readonly Operation[]
  /** The bundled document, its schemas JSON Schema 2020-12. */
  readonly document: Readonly<Record<string, unknown>>
  readonly schemas: SchemaSet
  readonly place: (pointer: Pointer) => Place
  /** The value at a pointer of the document, its numbers digit for digit as they are written. */
  readonly exact: (pointer: Pointer) => Json | undefined
  /** The rule of the interface document that a place of the document comes from; null where none is named. */
  readonly rule: (pointer: Pointer) => string | null
  /** The clauses of the interface document behind it; null where no rules file lists them. */
  readonly clauses: readonly InterfaceClause[] | null
  /** The lines around a place, as they are written. */
  readonly excerpt: (pointer: Pointer) => Excerpt
}

/** Compiles a checked document; see `loadContract`. */
export const compileContract = (document: Node, sources: Sources, source: string, rules: Rules): Contract => {
  const info = asNode(document.info)
  // Made when it is asked for: of a large document it takes half a second, and a mock asks for none.
  let digest: string | null = null
  return {
    title: String(info.title ?? 'untitled'),
    version: String(info.version ?? ''),
    openapi: String(document.openapi),
    get digest() {
      digest ??= createHash('sha256').update(JSON.stringify(document)).digest('hex')
      return digest
    },
    source,
    operations: operationsOf(document),
    document,
    schemas: createSchemaSet(document, exactLimits(document, sources)),
    place: sources.place,
    exact: pointer => exactValue(document, sources, pointer),
    rule: pointer => ruleOf(rules.places, pointer),
    clauses: rules.clauses,
    excerpt: sources.excerpt,
  }
}

// The rule of the nearest enclosing place.
const ruleOf = (rules: Rules['places'], pointer: Pointer): string | null => {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const rule = rules[at]
    if (rule !== undefined) return rule
    if (at === '') return null
  }
}
