import { type Json, type Pointer, type SchemaPlace, steps, writeJson } from '../../spec/index.ts'
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
])

const maxLines = 400

/** The locations in a schema as lines, parents first. */
export const schemaLines = (root: SchemaPlace): readonly SchemaLine[] =>
  linesOf(root, 0, false, '').slice(0, maxLines)

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
    rules: place.keywords.flatMap(({ keyword, value }) => ruleText(keyword, value)),
    description: String(place.keywords.find(({ keyword }) => keyword === 'description')?.value ?? ''),
  },
  ...place.children.flatMap(child => {
    const childName = lastStep(child.pattern)
    const isRequired = place.required.includes(childName)
    return linesOf(child, depth + 1, isRequired, childName === '*' ? '[ ]' : childName)
  }),
]

const lastStep = (pattern: Pointer): string => steps(pattern).at(-1) ?? ''

const ruleText = (keyword: string, value: unknown): readonly string[] => {
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return value === false ? ['no other properties'] : []
  if (omittedKeywords.has(keyword) || keyword.startsWith('x-')) return []
  const text = typeof value === 'string' ? value : writeJson(value as Json)
  return [keyword === 'format' ? text : `${keyword} ${text.length > 120 ? `${text.slice(0, 117)}…` : text}`]
}
