/** Every combination of location, style, type and union that a document can declare a value with. */
import { type Contract, loadContract, type Parameter } from '../../spec/index.ts'
import { documentWith, writeDocument } from '../spec/contracts.ts'

export type Place = {
  readonly in: Parameter['in'] | 'form' | 'multipart' | 'response'
  /** Null: the usual one. */
  readonly style: string | null
  readonly explode: boolean
}

const place = (location: Place['in'], style: string | null, explode: boolean): Place => ({
  in: location,
  style,
  explode,
})

export const places: readonly Place[] = [
  ...['simple', 'label', 'matrix'].flatMap(style => [
    place('path', style, false),
    place('path', style, true),
  ]),
  place('query', 'form', true),
  place('query', 'form', false),
  place('query', 'spaceDelimited', false),
  place('query', 'pipeDelimited', false),
  place('query', 'deepObject', true),
  place('header', 'simple', false),
  place('header', 'simple', true),
  place('cookie', 'form', true),
  place('cookie', 'form', false),
  place('form', null, true),
  place('form', 'form', false),
  place('form', 'deepObject', true),
  place('multipart', null, true),
]

export const placeName = ({ in: location, style, explode }: Place): string =>
  `${location} ${style ?? 'usual'}${explode ? ' exploded' : ''}`

export type Shape = 'scalar' | 'array' | 'object'

export type Type = { readonly name: string; readonly shape: Shape; readonly schema: object }

export const types: readonly Type[] = [
  { name: 'integer', shape: 'scalar', schema: { type: 'integer' } },
  { name: 'boolean', shape: 'scalar', schema: { type: 'boolean' } },
  { name: 'text', shape: 'scalar', schema: { type: 'string', pattern: '^[a-z/]{2,9}$' } },
  { name: 'integers', shape: 'array', schema: { type: 'array', items: { type: 'integer' } } },
  { name: 'booleans', shape: 'array', schema: { type: 'array', items: { type: 'boolean' } } },
  {
    name: 'object',
    shape: 'object',
    schema: { type: 'object', properties: { n: { type: 'integer' }, b: { type: 'boolean' } } },
  },
]

export type Union = {
  readonly name: string
  readonly of: (type: Type) => object
  /** What it allows besides. */
  readonly also: (type: Type) => readonly (Shape | 'null')[]
}

const none = { type: 'null' }

export const unions: readonly Union[] = [
  { name: 'plain', of: ({ schema }) => schema, also: () => [] },
  { name: 'anyOf null', of: ({ schema }) => ({ anyOf: [schema, none] }), also: () => ['null'] },
  { name: 'oneOf null', of: ({ schema }) => ({ oneOf: [none, schema] }), also: () => ['null'] },
  {
    name: 'types',
    of: ({ schema }) => ({ ...schema, type: [(schema as { type: string }).type, 'null'] }),
    also: () => ['null'],
  },
  { name: 'allOf', of: ({ schema }) => ({ allOf: [schema, {}] }), also: () => [] },
  { name: '$ref', of: ({ name }) => ({ $ref: `#/components/schemas/${name}` }), also: () => [] },
  {
    name: 'if',
    of: ({ schema, name: type }) =>
      Object.fromEntries<unknown>([
        ['if', { type: (schema as { type: string }).type }],
        ['then', schema],
        ['else', { type: type === 'boolean' ? 'integer' : 'boolean' }],
      ]),
    also: () => ['scalar'],
  },
  {
    name: 'or another shape',
    of: ({ schema, shape }) => ({
      anyOf: [
        schema,
        shape === 'scalar' ? { type: 'array', items: { type: 'boolean' } } : { type: 'boolean' },
      ],
    }),
    also: ({ shape }) => [shape === 'scalar' ? 'array' : 'scalar'],
  },
]

export type Combination = {
  readonly id: string
  readonly place: Place
  readonly type: Type
  readonly union: Union
  readonly required: boolean
  readonly schema: object
  readonly shapes: readonly (Shape | 'null')[]
}

/** What each style is for (OpenAPI 3.1, Style Values). */
const isFor = ({ style }: Place, shape: Shape): boolean =>
  style === 'deepObject'
    ? shape === 'object'
    : style === 'spaceDelimited' || style === 'pipeDelimited'
      ? shape === 'array'
      : true

export const combinationsAt = (at: Place): readonly Combination[] =>
  types
    .filter(({ shape }) => isFor(at, shape))
    .flatMap(type =>
      unions.flatMap(union =>
        [true, false]
          .filter(required => required || at.in !== 'path')
          .map(required => ({
            id: `${type.name}-${union.name.replaceAll(' ', '-').replace('$', '')}-${required ? 'required' : 'optional'}`,
            place: at,
            type,
            union,
            required,
            schema: union.of(type),
            shapes: [type.shape, ...union.also(type)],
          })),
      ),
    )

/** The name of the parameter or field in every combination. */
export const name = 'p'

const json = { 'application/json': { schema: { type: 'object' } } }
const responses = { 200: { description: 'ok', content: json }, 400: { description: 'no', content: json } }

const operationFor = ({ id, place: { in: part, style, explode }, required, schema }: Combination): object => {
  const operation = { operationId: id, responses }
  if (part === 'response')
    return {
      get: {
        operationId: id,
        responses: {
          200: { description: 'ok', content: json, headers: { [name]: { required, explode, schema } } },
        },
      },
    }
  if (part !== 'form' && part !== 'multipart')
    return { get: { ...operation, parameters: [{ name, in: part, required, style, explode, schema }] } }
  const media = {
    schema: {
      type: 'object',
      required: ['k', ...(required ? [name] : [])],
      properties: { k: { type: 'string' }, [name]: schema },
    },
    ...(style === null ? {} : { encoding: { [name]: { style, explode } } }),
  }
  const type = part === 'form' ? 'application/x-www-form-urlencoded' : 'multipart/form-data'
  return { post: { ...operation, requestBody: { required: true, content: { [type]: media } } } }
}

/** The path of a combination. */
export const pathOf = ({ id, place: { in: part } }: Combination): string =>
  part === 'path' ? `/${id}/{${name}}` : `/${id}`

/** A contract with one operation for each combination. */
export const contractOf = (combinations: readonly Combination[]): Promise<Contract> =>
  loadContract({
    from: writeDocument(
      'wire.json',
      documentWith(Object.fromEntries(combinations.map(each => [pathOf(each), operationFor(each)])), {
        components: { schemas: Object.fromEntries(types.map(type => [type.name, type.schema])) },
      }),
    ),
  })
