import { type Json, type Pointer, type SchemaPlace, steps, writeJson } from '../../spec/index.ts'
import type { SchemaLine } from './shape.ts'

/** Keywords that are told by the tree itself, or are no rule. */
const untold = new Set([
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
])

const mostLines = 400

/** The places of a schema as lines, parents first. */
export const schemaLines = (root: SchemaPlace): readonly SchemaLine[] =>
  linesOf(root, 0, false, '').slice(0, mostLines)

const linesOf = (
  place: SchemaPlace,
  depth: number,
  required: boolean,
  name: string,
): readonly SchemaLine[] => [
  {
    name,
    depth,
    required,
    types: place.types?.join(' or ') ?? (place.properties.length > 0 ? 'object' : 'any'),
    rules: place.keywords.flatMap(({ keyword, value }) => ruleOf(keyword, value)),
    description: String(place.keywords.find(({ keyword }) => keyword === 'description')?.value ?? ''),
  },
  ...place.children.flatMap(child => {
    const own = nameOf(child.pattern)
    return linesOf(child, depth + 1, place.required.includes(own), own === '*' ? '[ ]' : own)
  }),
]

const nameOf = (pattern: Pointer): string => steps(pattern).at(-1) ?? ''

const ruleOf = (keyword: string, value: unknown): readonly string[] => {
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return value === false ? ['nothing undeclared'] : []
  if (untold.has(keyword) || keyword.startsWith('x-')) return []
  const text = typeof value === 'string' ? value : writeJson(value as Json)
  return [keyword === 'format' ? text : `${keyword} ${text.length > 120 ? `${text.slice(0, 117)}…` : text}`]
}
