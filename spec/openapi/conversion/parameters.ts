import { asNode } from '../../json/follow-refs.ts'
import { type Pointer, step, steps } from '../../json/pointer.ts'
import type { MutableNode } from '../walk-references.ts'

/** A parameter of Swagger 2.0, and where it is in that document. */
export type Given = { readonly node: MutableNode; readonly from: Pointer }

/** What Swagger 2.0 has in a parameter or header itself, and OpenAPI 3.0 in its schema. */
const ofSchema = new Set([
  'default',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'items',
  'maxItems',
  'maxLength',
  'maximum',
  'minItems',
  'minLength',
  'minimum',
  'multipleOf',
  'pattern',
  'type',
  'uniqueItems',
  'x-nullable',
])

/** The fields of a parameter or header that stay, and those that become its schema. */
export const divided = (node: MutableNode): { readonly rest: MutableNode; readonly schema: MutableNode } => {
  const { collectionFormat: _, ...fields } = node
  const parts = Object.groupBy(Object.entries(fields), ([name]) => (ofSchema.has(name) ? 'schema' : 'rest'))
  return {
    rest: Object.fromEntries(parts.rest ?? []),
    schema: withoutFormats(Object.fromEntries(parts.schema ?? [])),
  }
}

/** The schema without the formats of nested lists, which no style of OpenAPI 3.0 can have. */
const withoutFormats = (schema: MutableNode): MutableNode => {
  const { items, ...rest } = schema
  const { collectionFormat: _, ...inner } = asNode(items)
  return items === undefined ? schema : { ...rest, items: withoutFormats(inner) }
}

/**
 * How a list is written. Swagger 2.0 has formats that OpenAPI 3.0 has not, such as lists with tabs: they keep their name, and the parameter
 * cannot be used.
 */
export const styleOf = ({ type, collectionFormat = 'csv', in: part }: MutableNode): MutableNode => {
  if (type !== 'array') return {}
  const isQuery = part === 'query' || part === 'formData'
  switch (collectionFormat) {
    case 'csv':
      return isQuery ? { style: 'form', explode: false } : { style: 'simple' }
    case 'multi':
      return isQuery ? { style: 'form', explode: true } : { style: 'multi' }
    case 'ssv':
      return isQuery ? { style: 'spaceDelimited', explode: false } : { style: 'ssv' }
    case 'pipes':
      return isQuery ? { style: 'pipeDelimited', explode: false } : { style: 'pipes' }
    default:
      return { style: String(collectionFormat) }
  }
}

export const convertParameter = ({ node, from }: Given, at: Pointer, moves: Moves): MutableNode => {
  moves.add(at, from)
  const { rest, schema } = divided(node)
  moves.add(step(at, 'schema'), from)
  for (const name of Object.keys(schema)) moves.add(step(step(at, 'schema'), name), step(from, name))
  return { ...rest, ...styleOf(node), schema: withFile(schema) }
}

/** A file is the bytes of a body or of a part of one. */
const withFile = (schema: MutableNode): MutableNode =>
  schema.type === 'file' ? { ...schema, type: 'string', format: 'binary' } : schema

const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data'
const formTypes: ReadonlySet<string> = new Set([form, multipart])

/**
 * The request body that parameters in `body` or `formData` describe; null if there are none. Swagger 2.0 has one or the other. Documents with both mean
 * one for each type that they name.
 */
export const bodyOf = (
  given: readonly Given[],
  consumes: readonly string[],
  at: Pointer,
  moves: Moves,
): MutableNode | null => {
  const body = given.findLast(({ node }) => node.in === 'body')
  const content = step(at, 'content')
  const fields = given.filter(({ node }) => node.in === 'formData')
  const isRequired = fields.some(({ node }) => node.required === true)
  const forms = fields.length === 0 ? [] : consumes.filter(type => formTypes.has(type))
  const ofForms = (types: readonly string[]) =>
    types.map(type => [type, formOf(fields, step(content, type), moves)] as const)
  if (body !== undefined) {
    const { in: _, name: __, schema = {}, ...rest } = body.node
    const others = consumes.filter(type => forms.length === 0 || !formTypes.has(type))
    moves.add(at, body.from)
    for (const type of others) moves.add(step(step(content, type), 'schema'), step(body.from, 'schema'))
    return {
      ...rest,
      ...(forms.length > 0 ? { required: isRequired || rest.required === true } : {}),
      content: Object.fromEntries([...others.map(type => [type, { schema }] as const), ...ofForms(forms)]),
    }
  }
  if (fields.length === 0) return null
  const usual = fields.some(({ node }) => node.type === 'file') ? multipart : form
  moves.add(at, fields[0]?.from ?? '')
  return { required: isRequired, content: Object.fromEntries(ofForms(forms.length > 0 ? forms : [usual])) }
}

const formOf = (fields: readonly Given[], at: Pointer, moves: Moves): MutableNode => {
  const properties: MutableNode = {}
  const encoding: MutableNode = {}
  for (const { node, from } of fields) {
    const name = String(node.name)
    const { rest, schema } = divided(node)
    const { description } = rest
    moves.add(step(step(step(at, 'schema'), 'properties'), name), from)
    properties[name] = { ...withFile(schema), ...(description === undefined ? {} : { description }) }
    // OpenAPI 3.0 has `allowEmptyValue` for parameters of a query alone.
    const { allowEmptyValue } = node
    const style = {
      ...styleOf(node),
      ...(allowEmptyValue === undefined ? {} : { 'x-allowEmptyValue': allowEmptyValue }),
    }
    if (Object.keys(style).length > 0) encoding[name] = style
  }
  const required = fields.filter(({ node }) => node.required === true).map(({ node }) => String(node.name))
  return {
    schema: { type: 'object', properties, ...(required.length === 0 ? {} : { required }) },
    ...(Object.keys(encoding).length === 0 ? {} : { encoding }),
  }
}

/** A document in the words of OpenAPI, and where its places were before. */
export type Converted = { readonly document: MutableNode; readonly before: (pointer: Pointer) => Pointer }

/** What has been moved from one document to another, by pointers; what is below moves along. */
export type Moves = {
  readonly add: (to: Pointer, from: Pointer) => void
  /** Where a place of the new document was in the old one. */
  readonly before: (to: Pointer) => Pointer
  /** Where a place of the old document is in the new one. */
  readonly after: (from: Pointer) => Pointer
}

export const createMoves = (): Moves => {
  const before = new Map<Pointer, Pointer>()
  const after = new Map<Pointer, Pointer>()
  return {
    add: (to, from) => {
      before.set(to, from)
      // Several places may come from one: the first is as good as any.
      if (!after.has(from)) after.set(from, to)
    },
    before: to => moved(before, to),
    after: from => moved(after, from),
  }
}

/** By the longest prefix that has been moved. */
const moved = (moves: ReadonlyMap<Pointer, Pointer>, pointer: Pointer): Pointer => {
  const names = steps(pointer)
  for (let count = names.length; count > 0; count--) {
    const to = moves.get(names.slice(0, count).reduce(step, ''))
    if (to !== undefined) return names.slice(count).reduce(step, to)
  }
  return pointer
}
