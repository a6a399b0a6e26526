import {
  type DocumentNode,
  type Json,
  type KeywordUse,
  type Pointer,
  placesOf,
  type SchemaPlace,
  step,
  steps,
  writeJson,
} from '../../spec/index.ts'
import type { SchemaLine } from './messages.ts'

/** Keywords that the tree of lines shows itself, or that do not constrain values. */
const omittedKeywords = new Set([
  'type',
  'properties',
  'items',
  'required',
  'title',
  'description',
  'example',
  'examples',
  'additionalProperties',
  'discriminator',
  'xml',
  'externalDocs',
  '$defs',
  '$comment',
  '$schema',
  '$id',
  'nullable',
  'allOf',
  'oneOf',
  'anyOf',
])

const maxLines = 400
const maxDepth = 8

/** The locations in a schema as lines, parents first, and below each its alternatives. */
export const schemaLines = (document: DocumentNode, schema: Pointer): readonly SchemaLine[] =>
  linesOf(
    document,
    placesOf(document, schema),
    { name: '', depth: 0, required: false, alternative: null },
    [],
  )
    .take(maxLines)
    .toArray()

type Head = Pick<SchemaLine, 'name' | 'depth' | 'required' | 'alternative'>

// `ancestors`: the schemas around this one; recursion ends where one of them comes again.
function* linesOf(
  document: DocumentNode,
  place: SchemaPlace,
  head: Head,
  ancestors: readonly string[],
): Generator<SchemaLine, void, undefined> {
  const key = place.schemas.join(' ')
  const branches = alternativesOf(place)
  const description = place.keywords.find(({ keyword }) => keyword === 'description')
  yield {
    ...head,
    types: typeText(place, branches),
    rules: place.keywords.flatMap(({ keyword, value }) => ruleText(keyword, value)),
    description: String(description?.value ?? ''),
  }
  if (head.depth >= maxDepth || ancestors.includes(key)) return
  const inner = [...ancestors, key]
  const depth = head.depth + 1
  for (const { alternative, pointer, index } of branches) {
    const branch = placesOf(document, pointer)
    const name = alternativeName(branch) ?? `alternative ${index + 1}`
    yield* linesOf(document, branch, { name, depth, required: false, alternative }, inner)
  }
  for (const child of place.children) {
    const name = steps(child.pattern).at(-1) ?? ''
    const required = place.required.includes(name)
    const childHead = { name: name === '*' ? '[ ]' : name, depth, required, alternative: null }
    yield* linesOf(document, child, childHead, inner)
  }
}

type Branch = {
  readonly alternative: 'oneOf' | 'anyOf'
  readonly pointer: Pointer
  readonly index: number
}

const alternativesOf = ({ keywords }: SchemaPlace): readonly Branch[] =>
  keywords.flatMap(({ keyword, value, pointer }: KeywordUse) =>
    (keyword === 'oneOf' || keyword === 'anyOf') && Array.isArray(value)
      ? value.map((_, index) => ({ alternative: keyword, pointer: step(pointer, index), index }))
      : [],
  )

/** The title of an alternative, or the name of the schema that it refers to. */
const alternativeName = ({ keywords, schemas }: SchemaPlace): string | null => {
  const title = keywords.find(({ keyword }) => keyword === 'title')?.value
  if (typeof title === 'string') return title
  const named = schemas
    .map(steps)
    .find(([, parent, , ...deeper]) => parent === 'schemas' && deeper.length === 0)
  return named?.at(-1) ?? null
}

const typeText = ({ types, properties }: SchemaPlace, branches: readonly Branch[]): string =>
  types?.join(' or ') ?? (properties.length > 0 ? 'object' : branches.length > 0 ? '' : 'any')

const ruleText = (keyword: string, value: unknown): readonly string[] => {
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return value === false ? ['no other properties'] : []
  if (omittedKeywords.has(keyword) || keyword.startsWith('x-')) return []
  const text =
    typeof value === 'string'
      ? value
      : keyword === 'enum' && Array.isArray(value)
        ? value.map(each => writeJson(each as Json)).join(', ')
        : writeJson(value as Json)
  return [keyword === 'format' ? text : `${keyword} ${text.length > 120 ? `${text.slice(0, 117)}…` : text}`]
}
