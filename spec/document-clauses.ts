import type { Contract, Media, Operation, Scheme } from './contract.ts'
import { asNode } from './node.ts'
import { listPlaces, placesOf } from './places.ts'
import { type Pointer, step, steps, valueAt } from './pointer.ts'
import type { InterfaceClause } from './rules.ts'

type Found = { readonly pointer: Pointer; readonly text: string; readonly silent: string }

/**
 * The clauses of an OpenAPI document that has no interface document behind it: operations, security schemes,
 * parameters, request bodies, responses, their headers, and every schema in use with its properties. Ids are pointers.
 */
export const documentClauses = (contract: Contract): readonly InterfaceClause[] => {
  const found = contract.operations.flatMap(operation => [
    ...partsOf(operation),
    ...schemasOf(contract, operation),
  ])
  const all = [...found, ...unusedSchemas(contract, new Set(found.map(({ pointer }) => pointer)))]
  const unique = new Map(all.toReversed().map(each => [each.pointer, each]))
  return [...unique.values()].toReversed().map(({ pointer, text, silent }) => {
    const { file, line } = contract.place(pointer)
    return {
      id: `#${pointer}`,
      at: `${file}:${line}`,
      text,
      places: [pointer],
      obligations: [],
      untestable: silent,
    }
  })
}

const partsOf = (operation: Operation): readonly Found[] => [
  {
    pointer: operation.pointer,
    text: sentence(`${operation.method} ${operation.path}`, operation.summary),
    silent: 'its parts say what it promises',
  },
  ...operation.security.flat().map(schemeOf),
  ...operation.parameters.map(({ name, in: part, required, pointer }) => ({
    pointer,
    text: `the ${part} parameter ${name}${required ? ', required' : ''}`,
    silent: 'what it may be is said by its schema, a clause of its own',
  })),
  ...(operation.body === null
    ? []
    : [
        {
          pointer: operation.body.pointer,
          text: `a body of ${types(operation.body.media)}${operation.body.required ? ', required' : ''}`,
          silent: 'bodies of these media types are not generated',
        },
      ]),
  ...operation.responses.flatMap(({ status, media, headers, pointer }) => [
    {
      pointer,
      text: `the answer ${status}${media.length === 0 ? '' : ` with a body of ${types(media)}`}`,
      silent: 'it declares no content to judge: that the status is declared is judged with the operation',
    },
    ...headers.map(header => ({
      pointer: header.pointer,
      text: `the header ${header.name} of the answer ${status}${header.required ? ', required' : ''}`,
      silent: 'neither its presence nor its value is laid down',
    })),
  ]),
]

const types = (media: readonly Media[]): string => media.map(({ type }) => type).join(' or ')

const schemeOf = (scheme: Scheme): Found => ({
  pointer: scheme.pointer,
  text: `the security scheme ${scheme.name} (${scheme.kind === 'other' ? scheme.type : scheme.kind})`,
  silent:
    scheme.kind === 'other'
      ? `credentials of the type ${scheme.type} are not tested`
      : 'another scheme is tested in its place',
})

const schemasOf = (contract: Contract, { parameters, body, responses }: Operation): readonly Found[] =>
  [
    ...parameters.map(({ schema }) => schema),
    ...(body?.media ?? []).map(({ schema }) => schema),
    ...responses.flatMap(({ media, headers }) => [...media, ...headers].map(({ schema }) => schema)),
  ]
    .filter(schema => schema !== null)
    .flatMap(schema => listPlaces(placesOf(contract.document, schema)).flatMap(({ schemas }) => schemas))
    .map(pointer =>
      schemaOf(
        contract,
        pointer,
        'it leaves open what a value may be, or what it says is judged where it is used',
      ),
    )

const schemaOf = (contract: Contract, pointer: Pointer, silent: string): Found => ({
  pointer,
  text: sentence(nameOf(pointer), wordsOf(valueAt(contract.document, pointer))),
  silent,
})

/** `NewPlant.id`; of a schema that stands where it is used, that too: `lines (post /orders, requestBody)`. */
const nameOf = (pointer: Pointer): string => {
  const all = steps(pointer)
  const dotted = (names: readonly string[]): string => names.filter(name => name !== 'properties').join('.')
  const from = all.indexOf('schema')
  if (all[0] !== 'paths' || from < 0) return dotted(all.slice(all[0] === 'components' ? 2 : 0))
  const [, path = '', method = '', ...where] = all.slice(0, from)
  const inside = dotted(all.slice(from + 1))
  return `${inside === '' ? 'the value' : inside} (${method} ${path}, ${where.filter(name => name !== 'content').join(' ')})`
}

const wordsOf = (schema: unknown): string => {
  const { type, format, description, title } = asNode(schema)
  const form = [type, format].flat().filter(each => typeof each === 'string')
  const told = typeof description === 'string' ? description : typeof title === 'string' ? title : ''
  return [form.join(', '), told.split('\n')[0]].filter(each => each !== '').join('; ')
}

const sentence = (name: string, words: string): string => (words === '' ? name : `${name}: ${words}`)

const unusedSchemas = (contract: Contract, used: ReadonlySet<Pointer>): readonly Found[] =>
  Object.keys(asNode(valueAt(contract.document, '/components/schemas')))
    .map(name => step('/components/schemas', name))
    .filter(pointer => !used.has(pointer))
    .map(pointer => schemaOf(contract, pointer, 'no operation takes or gives it'))
