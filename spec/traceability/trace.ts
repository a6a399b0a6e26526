import type { Contract, Media, Operation, Scheme } from '../contract/contract.ts'
import { asNode } from '../json/follow-refs.ts'
import { type Pointer, step, steps, valueAt } from '../json/pointer.ts'
import type { Obligation } from '../obligations/obligation.ts'
import { patternFilter } from '../obligations/selection.ts'
import { whereText } from '../openapi/diagnostic.ts'
import type { InterfaceClause } from '../openapi/rules-file.ts'
import { listPlaces, placesOf, type SchemaPlace } from '../schema/locations.ts'

/** A clause of a contract, with the obligations that cover it. */
export type RecordedClause = {
  readonly id: string
  /** Its place: a heading of the interface document, or file and line of the OpenAPI document. */
  readonly at: string
  readonly text: string
  /** The ids of the obligations that cover it, in the order of the contract. */
  readonly obligations: readonly string[]
  /** Why there are none; null if there are some. */
  readonly reason: string | null
}

/**
 * Every clause of the interface document with the obligations that cover it; or of the OpenAPI document itself, if no rules
 * file lists others. An obligation covers the clauses of the nearest place around its own, and those that name it.
 */
export const traceOf = (
  contract: Contract,
  obligations: readonly Obligation[],
): readonly RecordedClause[] => {
  const clauses = contract.clauses ?? documentClauses(contract)
  const byPlace = Map.groupBy(
    clauses.flatMap(clause => clause.places.map(place => ({ place, clause }))),
    ({ place }) => place,
  )
  const covered = new Map<InterfaceClause, Set<string>>(clauses.map(clause => [clause, new Set()]))
  for (const { id, clause } of obligations)
    for (const { clause: found } of nearestOf(byPlace, clause.pointer)) covered.get(found)?.add(id)
  for (const clause of clauses) {
    const named = clause.obligations.map(patternFilter)
    const nearest = covered.get(clause)
    if (named.length === 0) continue
    const covers = ({ id }: Obligation): boolean => nearest?.has(id) === true || named.some(is => is(id))
    covered.set(clause, new Set(obligations.filter(covers).map(({ id }) => id)))
  }
  return clauses.map(clause => {
    const covering = covered.get(clause) ?? new Set<string>()
    return {
      id: clause.id,
      at: clause.at,
      text: clause.text,
      obligations: [...covering],
      reason: covering.size > 0 ? null : (clause.untestable ?? uncovered),
    }
  })
}

const uncovered = 'no obligation of this run covers it'

const nearestOf = <T>(byPlace: ReadonlyMap<Pointer, readonly T[]>, pointer: Pointer): readonly T[] => {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = byPlace.get(at)
    if (found !== undefined) return found
    if (at === '') return []
  }
}

/** `uncovered`: why no obligation covers it, if none does. */
type DocumentClause = { readonly pointer: Pointer; readonly text: string; readonly uncovered: string }

/**
 * The clauses of an OpenAPI document without an interface document: operations, security schemes, parameters, request
 * bodies, responses, their headers, and all schemas with their properties. Ids are pointers.
 */
const documentClauses = (contract: Contract): readonly InterfaceClause[] => {
  const found = new Map<Pointer, DocumentClause>()
  // Operations share most schemas. What several have stands where the last one has it.
  const add = (pointer: Pointer, make: () => DocumentClause): void => {
    const known = found.get(pointer)
    found.delete(pointer)
    found.set(pointer, known ?? make())
  }
  const placesIn = createPlaceLists(contract)
  for (const operation of contract.operations) {
    for (const part of partsOf(operation)) add(part.pointer, () => part)
    for (const pointer of schemasOf(operation).flatMap(placesIn))
      add(pointer, () => schemaOf(contract, pointer, anyValue))
  }
  for (const clause of unusedSchemas(contract, found)) add(clause.pointer, () => clause)
  return Array.from(found.values(), ({ pointer, text, uncovered }) => {
    return {
      id: `#${pointer}`,
      at: whereText(contract.place(pointer)),
      text,
      places: [pointer],
      obligations: [],
      untestable: uncovered,
    }
  })
}

const partsOf = (operation: Operation): readonly DocumentClause[] => [
  {
    pointer: operation.pointer,
    text: sentence(`${operation.method} ${operation.path}`, operation.summary),
    uncovered: 'its parts have the requirements',
  },
  ...operation.security.flat().map(schemeOf),
  ...operation.parameters.map(({ name, in: part, required, pointer }) => ({
    pointer,
    text: `the ${part} parameter ${name}${required ? ', required' : ''}`,
    uncovered: 'its schema, a clause of its own, has the requirements',
  })),
  ...(operation.body === null
    ? []
    : [
        {
          pointer: operation.body.pointer,
          text: `a body of ${types(operation.body.media)}${operation.body.required ? ', required' : ''}`,
          uncovered: 'bodies of these media types are not generated',
        },
      ]),
  ...operation.responses.flatMap(({ status, media, headers, pointer }) => [
    {
      pointer,
      text: `the response ${status}${media.length === 0 ? '' : ` with a body of ${types(media)}`}`,
      uncovered: 'it declares no content; that its status is declared is a requirement of the operation',
    },
    ...headers.map(header => ({
      pointer: header.pointer,
      text: `the header ${header.name} of the response ${status}${header.required ? ', required' : ''}`,
      uncovered: 'it is optional and has no schema',
    })),
  ]),
]

const types = (media: readonly Media[]): string => media.map(({ type }) => type).join(' or ')

const schemeOf = (scheme: Scheme): DocumentClause => ({
  pointer: scheme.pointer,
  text: `the security scheme ${scheme.name} (${scheme.kind === 'other' ? scheme.type : scheme.kind})`,
  uncovered:
    scheme.kind === 'other'
      ? `credentials of the type ${scheme.type} are not tested`
      : 'another scheme is tested instead',
})

const schemasOf = ({ parameters, body, responses }: Operation): readonly Pointer[] =>
  [
    ...parameters.map(({ schema }) => schema),
    ...(body?.media ?? []).map(({ schema }) => schema),
    ...responses.flatMap(({ media, headers }) => [...media, ...headers].map(({ schema }) => schema)),
  ].filter(schema => schema !== null)

/** The schemas of all places below a schema. */
const createPlaceLists = ({ document }: Contract): ((schema: Pointer) => readonly Pointer[]) => {
  const lists = new Map<SchemaPlace, readonly Pointer[]>()
  return schema => {
    const root = placesOf(document, schema)
    const list = lists.get(root) ?? listPlaces(root).flatMap(({ schemas }) => schemas)
    lists.set(root, list)
    return list
  }
}

const anyValue = 'it allows any value, or its requirements belong to the places that use it'

const schemaOf = (contract: Contract, pointer: Pointer, uncovered: string): DocumentClause => ({
  pointer,
  text: sentence(nameOf(pointer), descriptionOf(valueAt(contract.document, pointer))),
  uncovered,
})

/** `NewPlant.id`; for an inline schema with its place: `lines (post /orders, requestBody)`. */
const nameOf = (pointer: Pointer): string => {
  const all = steps(pointer)
  const dotted = (names: readonly string[]): string => names.filter(name => name !== 'properties').join('.')
  const from = all.indexOf('schema')
  if (all[0] !== 'paths' || from < 0) return dotted(all.slice(all[0] === 'components' ? 2 : 0))
  const [, path = '', method = '', ...section] = all.slice(0, from)
  const inside = dotted(all.slice(from + 1))
  return `${inside === '' ? 'the value' : inside} (${method} ${path}, ${section.filter(name => name !== 'content').join(' ')})`
}

const descriptionOf = (schema: unknown): string => {
  const { type, format, description, title } = asNode(schema)
  const form = [type, format].flat().filter(each => typeof each === 'string')
  const text = typeof description === 'string' ? description : typeof title === 'string' ? title : ''
  return [form.join(', '), text.split('\n')[0]].filter(each => each !== '').join('; ')
}

const sentence = (name: string, text: string): string => (text === '' ? name : `${name}: ${text}`)

const unusedSchemas = (contract: Contract, used: ReadonlyMap<Pointer, unknown>): readonly DocumentClause[] =>
  Object.keys(asNode(valueAt(contract.document, '/components/schemas')))
    .map(name => step('/components/schemas', name))
    .filter(pointer => !used.has(pointer))
    .map(pointer => schemaOf(contract, pointer, 'no operation uses it'))
