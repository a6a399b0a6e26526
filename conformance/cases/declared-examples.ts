/** Requests with the values that the document, or a record of traffic, gives as examples. */
import {
  asNode,
  describedValues,
  digitsAt,
  follow,
  isArray,
  isObject,
  isValidAt,
  type Json,
  namedExamples,
  type Pointer,
  type SchemaPlace,
  setAt,
  step,
  steps,
  valueAt,
} from '../../spec/index.ts'
import type { RequestSpec } from './case.ts'
import { withFiles } from './files.ts'
import { isUuid } from './identities.ts'
import { isReading, type OperationModel, type ParameterModel } from './operation-model.ts'
import { labelOf, withPlainValues } from './with-optional.ts'

/** Examples of an operation that are sent. */
const most = 4

/** How many requests `withExamples` can make of an operation. */
export const countExamples = (model: OperationModel): number => examplesOf(model).count

/**
 * The request with the examples of this index: of the body, of its properties, and of the parameters; a default is an example as well. Those
 * that the document itself does not allow are left out.
 */
export const withExamples = (
  model: OperationModel,
  spec: RequestSpec,
  index: number,
  number: number,
): RequestSpec => {
  const { bodies, parameters } = examplesOf(model)
  const body = bodies[index % Math.max(1, bodies.length)]
  return {
    ...spec,
    parameters: {
      ...spec.parameters,
      ...Object.fromEntries(
        parameters.map(({ name, values }) => [name, values[index % values.length] as Json] as const),
      ),
    },
    ...(body === undefined || spec.body === undefined
      ? {}
      : { body: body(spec.body, number), renewable: false, derivedFrom: null }),
  }
}

type Examples = {
  readonly count: number
  readonly bodies: readonly ((plain: Json, number: number) => Json)[]
  readonly parameters: readonly { readonly name: string; readonly values: readonly Json[] }[]
}

const examplesOf = (model: OperationModel): Examples => {
  const known = examples.get(model)
  if (known !== undefined) return known
  const bodies = bodiesOf(model)
  const parameters = model.parameters
    // What such a path names may be somebody else's.
    .filter(({ parameter }) => parameter.in !== 'path' || isReading(model))
    .map(each => ({ name: each.parameter.name, values: parameterExamples(model, each) }))
    .filter(({ values }) => values.length > 0)
  const count = Math.min(most, Math.max(bodies.length, ...parameters.map(({ values }) => values.length), 0))
  const made = { count, bodies, parameters }
  examples.set(model, made)
  return made
}

const examples = new WeakMap<OperationModel, Examples>()

const parameterExamples = (
  model: OperationModel,
  { parameter, root, isValid }: ParameterModel,
): readonly Json[] =>
  distinct([
    ...(model.examples.parameters[parameter.name] ?? []),
    ...declaredExamples(model, parameter.pointer, root),
  ]).filter(isValid)

/**
 * How the values of a parameter look by the examples and the description of the document, whatever texts its schema allows; null if neither says
 * it. A guess: it chooses among valid values.
 */
export const shownForm = (model: OperationModel, parameter: ParameterModel): 'uuid' | 'digits' | null => {
  if (digitsAt(parameter.root) !== null) return 'digits'
  const shown = parameterExamples(model, parameter)
  const areAll = (isForm: (value: Json) => boolean): boolean => shown.length > 0 && shown.every(isForm)
  const { node } = follow(model.contract.requests.document, parameter.parameter.pointer)
  const { description } = asNode(node)
  const isSaid = shown.length === 0 && typeof description === 'string' && /\b[ug]uids?\b/i.test(description)
  if (isSaid || areAll(isUuid)) return 'uuid'
  return areAll(value => typeof value === 'string' && /^\d+$/.test(value)) ? 'digits' : null
}

/** The examples that stand beside the schema of a parameter or a media type, and those in it. */
const declaredExamples = (
  { contract }: OperationModel,
  at: Pointer,
  root: SchemaPlace | null,
): readonly Json[] => {
  const { document } = contract.requests
  const beside = namedExamples(document, follow(document, at).pointer).map(
    ({ pointer }) => valueAt(document, pointer) as Json,
  )
  return distinct([...beside, ...(root === null ? [] : schemaValues(root))])
}

const bodiesOf = (model: OperationModel): Examples['bodies'] => {
  const { body, isValidBody } = model
  if (body === null) return []
  const given = distinct([
    ...model.examples.bodies,
    ...declaredExamples(model, body.media.pointer, body.root),
  ])
  const whole = given.filter(isValidBody)
  if (whole.length > 0) return whole.slice(0, most).map(value => () => withFiles(model, value))
  // A document changes, and its examples are forgotten.
  const completed = (value: Json, number: number): Json => {
    const missing = body.root.required.filter(name => isObject(value) && !Object.hasOwn(value, name))
    return withPlainValues(model, value, missing, labelOf(number))
  }
  const nearly = given.filter(value => isObject(value) && isValidBody(completed(value, 0)))
  if (nearly.length > 0) return nearly.slice(0, most).map(value => (_, number) => completed(value, number))
  const lentTo = ({ pattern, keywords }: SchemaPlace): readonly Json[] =>
    keywords.some(({ keyword }) => keyword === 'example' || keyword === 'examples')
      ? []
      : (lentExamples(model.contract.requests.document).get(steps(pattern)[0] ?? '') ?? [])
  const { children, required } = body.root
  const shownAt = (index: number) =>
    children.flatMap(child => {
      const value = lentTo(child)[index] ?? exampleIn(child, index)
      return value === undefined ? [] : [[child.pattern, value] as const]
    })
  const lent = Math.max(0, ...children.map(child => lentTo(child).length))
  const count = Math.min(most, Math.max(mostExamples(body.root), lent === 0 ? 0 : lent + 1))
  const shown = Array.from({ length: count }, (_, index) => shownAt(index))
  // What an optional property names in an example may not exist.
  const needed = shown[0]?.filter(([pattern]) => required.includes(steps(pattern)[0] ?? '')) ?? []
  const hasOthers = needed.length > 0 && needed.length < (shown[0]?.length ?? 0)
  return [...shown.slice(0, 1), ...(hasOthers ? [needed] : []), ...shown.slice(1)].map(
    values => (plain, number) => {
      const start = isObject(plain) ? plain : withPlainValues(model, {}, required, labelOf(number))
      // One that the others rule out is left out.
      return values.reduce<Json>((rest, [pattern, value]) => {
        const next = setAt(rest, pattern, value)
        return isValidBody(next) ? next : rest
      }, start)
    },
  )
}

/**
 * Objects and lists that the document gives as examples of a property, by its name: requests and responses often have the same property, and only one
 * of them an example.
 */
const lentExamples = (document: object): ReadonlyMap<string, readonly Json[]> => {
  const known = lentOf.get(document)
  if (known !== undefined) return known
  const found = new Map<string, Json[]>()
  const visit = (node: Json): void => {
    if (isArray(node)) node.forEach(visit)
    if (!isObject(node)) return
    for (const [name, schema] of isObject(node.properties) ? Object.entries(node.properties) : [])
      for (const value of isObject(schema) ? examplesBeside(schema) : [])
        if ((isObject(value) || isArray(value)) && Object.keys(value).length > 0)
          found.set(name, distinct([...(found.get(name) ?? []), value]).slice(0, mostLent))
    Object.values(node).forEach(visit)
  }
  visit(document as Json)
  lentOf.set(document, found)
  return found
}

const lentOf = new WeakMap<object, ReadonlyMap<string, readonly Json[]>>()

/** Examples of one name that are lent. */
const mostLent = 2

const examplesBeside = ({ example, examples: listed }: Readonly<Record<string, Json>>): readonly Json[] => [
  ...(example === undefined ? [] : [example]),
  ...(listed !== undefined && isArray(listed) ? listed : []),
]

/** The most examples of any one place below this one. */
const mostExamples = ({ children }: SchemaPlace): number =>
  Math.max(
    0,
    ...children.map(child => {
      const own = schemaValues(child).length
      return own > 0 ? own : mostExamples(child)
    }),
  )

/** A valid value of a place that the document shows; undefined if it shows none. */
export const exampleAt = ({ contract }: OperationModel, place: SchemaPlace): Json | undefined => {
  const value = exampleIn(place, 0)
  return value !== undefined && isValidAt(contract.requests.schemas, place, value) ? value : undefined
}

/** The example of a place that has this index, as those of each place take turns: its own, else one of those below it. */
const exampleIn = (place: SchemaPlace, index: number): Json | undefined => {
  const own = schemaValues(place)
  if (own.length > 0) return own[index % own.length]
  const children = place.children.flatMap(child => {
    const value = exampleIn(child, index)
    return value === undefined ? [] : [[child.pattern.slice(place.pattern.length), value] as const]
  })
  if (children.length === 0) return undefined
  const items = children.find(([pattern]) => pattern === '/*')
  if (items !== undefined) return place.types?.includes('object') === true ? { a: items[1] } : [items[1]]
  return place.required.every(name => children.some(([pattern]) => pattern === step('', name)))
    ? children.reduce<Json>((rest, [pattern, value]) => setAt(rest, pattern, value), {})
    : undefined
}

const schemaValues = (place: SchemaPlace): readonly Json[] => {
  const { keywords } = place
  const valuesOf = (keyword: string): readonly unknown[] =>
    keywords.flatMap(use => (use.keyword === keyword ? [use.value] : []))
  const listed = valuesOf('examples').flatMap(value => (Array.isArray(value) ? value : []))
  const own = [...valuesOf('example'), ...listed, ...valuesOf('default')].filter(
    value => value !== null && value !== '',
  ) as Json[]
  return own.length > 0 ? own : describedFor(place)
}

/** What its description lists for a text that may be any. */
const describedFor = ({ keywords, types }: SchemaPlace): readonly Json[] => {
  const isAny = keywords.every(({ keyword }) => !['enum', 'const', 'format', 'pattern'].includes(keyword))
  if (!isAny || types?.includes('string') !== true) return []
  return keywords.flatMap(({ keyword, value }) =>
    keyword === 'description' && typeof value === 'string' ? describedValues(value) : [],
  )
}

const distinct = (values: readonly Json[]): readonly Json[] => [
  ...new Map(values.map(value => [JSON.stringify(value), value])).values(),
]
