import { createHash } from 'node:crypto'
import { takesMedia } from '../http/exchange.ts'
import { asNode, type DocumentNode } from '../json/follow-refs.ts'
import type { Pointer } from '../json/pointer.ts'
import type { Inspection } from '../openapi/check/inspect.ts'
import type { LeftOutOperation, Place, Problem } from '../openapi/diagnostic.ts'
import { forRequests, forResponses } from '../openapi/directions.ts'
import { type Exact, exactLimits, exactValue } from '../openapi/exact-limits.ts'
import type { Excerpt } from '../openapi/excerpt.ts'
import type { InterfaceClause, Rules } from '../openapi/rules-file.ts'
import type { Sources } from '../openapi/source-map.ts'
import { withoutContradictions } from '../openapi/unsatisfiable/contradictions.ts'
import { withoutRepeatedAlternatives } from '../openapi/unsatisfiable/repeated-alternatives.ts'
import { createSchemaSet, type SchemaSet } from '../schema/validator.ts'
import { formatOf } from './form-fields.ts'
import type { Media, Operation } from './operation.ts'
import { operationsOf, untestedHeaders } from './operations.ts'
import { untestedSecurity } from './security.ts'
import { untestedServers } from './servers.ts'

export type * from './operation.ts'

/** A document as it holds for requests or for responses. */
export type Direction = {
  readonly document: DocumentNode
  readonly schemas: SchemaSet
  readonly exact: Exact
}

export type Contract = {
  readonly title: string
  readonly version: string
  readonly openapi: string
  /** SHA-256 of the bundled document, in hexadecimal. */
  readonly digest: string
  /** The files of the overlays that were applied to the document. */
  readonly overlays: readonly string[]
  /** The file or URL of the document. */
  readonly source: string
  readonly operations: readonly Operation[]
  /** The bundled document, with its schemas in JSON Schema 2020-12. */
  readonly document: DocumentNode
  /** What holds for requests, without what is `readOnly`, and for responses, where nothing `writeOnly` is required. */
  readonly requests: Direction
  readonly responses: Direction
  readonly place: (pointer: Pointer) => Place
  readonly exact: Exact
  /** The rule of the interface document that a place comes from; null if none is recorded. */
  readonly rule: (pointer: Pointer) => string | null
  /** The clauses of the interface document; null if no rules file lists them. */
  readonly clauses: readonly InterfaceClause[] | null
  /** The source lines around a place. */
  readonly excerpt: (pointer: Pointer) => Excerpt
  /** What is wrong with the document where nothing that is tested rests on it, or what is read in spite of it. */
  readonly warnings: readonly Problem[]
  /** The operations that cannot be tested for what the document says of them. */
  readonly leftOut: readonly LeftOutOperation[]
  /** The references that lead nowhere: what they stand for is neither sent nor checked. */
  readonly unresolved: readonly string[]
  /** What the document describes and this program does not test, such as webhooks. */
  readonly notTested: readonly Problem[]
  /** The format of the document, if it was converted to OpenAPI 3.0; null if it was not. */
  readonly convertedFrom: string | null
}

/** Compiles a linted document; see `loadContract`. */
export const compileContract = (
  document: DocumentNode,
  sources: Sources,
  source: string,
  rules: Rules,
  {
    warnings,
    leftOut,
    unresolved,
    notTested,
    convertedFrom,
    overlays,
  }: Inspection & Pick<Contract, 'convertedFrom' | 'overlays'>,
): Contract => {
  const info = asNode(document.info)
  const both = directionOf(document, sources)
  const direction = (part: DocumentNode): Direction => (part === document ? both : directionOf(part, sources))
  const requests = direction(forRequests(document))
  const responses = direction(withoutContradictions(withoutRepeatedAlternatives(forResponses(document))))
  const operations = operationsOf(requests.document)
  let untested: readonly Problem[] | null = null
  // Computed on demand: it takes half a second for a large document, and a mock does not need it.
  let digest: string | null = null
  const places = new Map<Pointer, Place>()
  const hasRules = Object.keys(rules.places).length > 0
  return {
    title: String(info.title ?? 'untitled'),
    version: String(info.version ?? ''),
    openapi: String(document.openapi),
    get digest() {
      digest ??= createHash('sha256').update(JSON.stringify(document)).digest('hex')
      return digest
    },
    source,
    overlays,
    operations,
    document,
    requests,
    responses,
    // Operations that share a schema ask for the same places.
    place: pointer => {
      const place = places.get(pointer) ?? sources.place(pointer)
      places.set(pointer, place)
      return place
    },
    exact: pointer => exactValue(document, sources, pointer),
    rule: pointer => (hasRules ? ruleOf(rules.places, pointer) : null),
    clauses: rules.clauses,
    excerpt: sources.excerpt,
    warnings,
    leftOut,
    unresolved,
    // On demand, as it reads the schema of every body that is not JSON.
    get notTested() {
      untested ??= [
        ...notTested,
        ...untestedHeaders(operations, document, sources.place),
        ...untestedMedia(operations, responses.document, sources.place),
        ...untestedServers(operations, document, sources.place),
        ...untestedSecurity(operations, document, sources.place),
      ]
      return untested
    },
    convertedFrom,
  }
}

const directionOf = (document: DocumentNode, sources: Sources): Direction => ({
  document,
  schemas: createSchemaSet(document, () => exactLimits(document, sources)),
  exact: pointer => exactValue(document, sources, pointer),
})

// The rule of the nearest enclosing place counts.
const ruleOf = (rules: Rules['places'], pointer: Pointer): string | null => {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const rule = rules[at]
    if (rule !== undefined) return rule
    if (at === '') return null
  }
}

/** What is said of one media type for one reason, with the first place that it holds for. */
type Untested = { readonly text: string; readonly pointer: string; count: number }

/** The media types whose bodies are neither made nor judged, but for their type: one problem for each reason. */
const untestedMedia = (
  operations: readonly Operation[],
  responses: DocumentNode,
  place: (pointer: string) => Place,
): readonly Problem[] => {
  const found = new Map<string, Untested>()
  const add = (media: Media, text: string): void => {
    const known = found.get(text)
    if (known === undefined) found.set(text, { text, pointer: media.pointer, count: 1 })
    else known.count += 1
  }
  for (const { body, responses: declared } of operations) {
    for (const media of body?.media ?? []) {
      const { format } = media.sentAs ?? media
      const reason = reasonOf(media, format)
      if (reason !== null) add(media, `the content of ${media.type} requests (${reason})`)
      for (const name of format.kind === 'form' ? format.unread : [])
        add(media, `the field ${name} of ${media.type} requests (no style can write it)`)
    }
    for (const media of declared.flatMap(response => response.media)) {
      // Where any type may come, JSON is judged.
      if (takesMedia(media.type, 'application/json')) continue
      const format = formatOf(responses, media.pointer, media.type)
      const reason = reasonOf(media, format)
      if (reason !== null) add(media, `the content of ${media.type} responses (${reason})`)
    }
  }
  return [...found.values()].map(({ text, pointer, count }) => ({
    message: `${text}${count === 1 ? '' : `, in ${count} places,`} is not tested`,
    place: place(pointer),
  }))
}

const reasonOf = ({ schema }: Media, format: Media['format']): string | null => {
  if (schema === null || format.kind === 'json') return null
  return format.kind === 'opaque' ? format.reason : null
}
