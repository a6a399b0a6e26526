import {
  bodyMedia,
  type Contract,
  contextOf,
  isObject,
  type Json,
  type JsonObject,
  type Obligation,
  type Operation,
  placesOf,
  plainValue,
  type SchemaPlace,
  setAt,
  valueAt,
  writeJson,
} from '../../spec/index.ts'
import type { Asked, Scene } from '../break/breaker.ts'
import { isWronglyGiven } from '../break/credentials.ts'
import { isOfBreach } from '../break/refuse.ts'
import { brokenSketches } from './broken-sketches.ts'
import { createDrawing } from './drawn.ts'
import { requestOf, type Sketch, writeSample } from './sample-request.ts'
import type { Sample } from './shape.ts'

const mostBroken = 120
const mostText = 4000
const mostDrawn = 10
const label = 'Sample'

export type SampleOptions = Pick<Scene, 'contract' | 'desk' | 'policy' | 'operation'> & {
  readonly obligations: readonly Obligation[]
  /** One that is right. */
  readonly token: string
}

/**
 * Requests of an operation to try: valid ones, from the document's examples and schemas, and for each way of breaking
 * the contract one that breaks it. Each was judged, so it is what its title says.
 */
export const samplesOf = async (options: SampleOptions): Promise<readonly Sample[]> => {
  const { operation, obligations } = options
  const sampleOf = (title: string, breaks: string | null, sketch: Sketch): Sample => ({
    title,
    breaks,
    ...writeSample(operation, sketch),
  })
  const valid = await validOf(options)
  const [first] = valid
  if (first === undefined) return []
  const broken = obligations
    .filter(({ family, subject }) => family === 'refuse' || subject.kind === 'credentials')
    .slice(0, mostBroken)
    .flatMap(obligation => {
      const own = valid
        .flatMap(({ sketch }) => brokenSketches(options, obligation.subject, sketch))
        .find(sketch => (sketch.text?.length ?? 0) < mostText && isBroken(options, obligation, sketch))
      return own === undefined ? [] : [sampleOf(obligation.promise, obligation.id, own)]
    })
  return [...valid.map(({ title, sketch }) => sampleOf(title, null, sketch)), ...broken]
}

/** The request as the engine reads it; null: it is none of a declared operation. */
const readOf = ({ operation, desk, token }: SampleOptions, sketch: Sketch): Asked | null => {
  const request = requestOf(operation.method, writeSample(operation, sketch), token)
  const read = desk.read(request)
  return read === null ? null : { ...read, request, before: [] }
}

/** Plain ones; where none of these is valid, what Prism draws; and where that is not either, a plain one all the same. */
const validOf = async (options: SampleOptions): Promise<readonly Titled[]> => {
  const { contract, operation } = options
  const plain = unique(validSketches(contract, operation))
  const isValid = ({ sketch }: Titled): boolean => readOf(options, sketch)?.breaches.length === 0
  const valid = plain.filter(isValid)
  if (valid.length > 0) return valid
  const draw = createDrawing(contract, operation)
  for (let attempt = 0; attempt < mostDrawn; attempt++) {
    const sketch = await draw(attempt).catch(() => none)
    const drawn = [sketch, leastOf(options, sketch)].map(own => ({
      title: 'drawn from the schema',
      sketch: own,
    }))
    const found = drawn.filter(isValid)
    if (found.length > 0) return found.slice(0, 1)
  }
  return plain
    .slice(0, 1)
    .map(({ sketch }) => ({ title: 'to be completed: no valid one could be made', sketch }))
}

const none: Sketch = { parameters: {}, body: undefined }

/** Only what is required of a body: alternatives that exclude one another are seldom met by chance. */
const leastOf = ({ contract, operation }: SampleOptions, sketch: Sketch): Sketch => {
  const required = contextOf(contract, operation).body?.root.required ?? []
  return isObject(sketch.body)
    ? {
        ...sketch,
        body: Object.fromEntries(Object.entries(sketch.body).filter(([name]) => required.includes(name))),
      }
    : sketch
}

/** Whether a request breaks this obligation, and little else. */
const isBroken = (options: SampleOptions, obligation: Obligation, sketch: Sketch): boolean => {
  const asked = readOf(options, sketch)
  if (asked === null || asked.breaches.length === 0) return false
  const { id, subject } = obligation
  const { breaches } = asked
  if (breaches.length < 3 && breaches.some(own => own.id === id)) return true
  const scene: Scene = { ...options, obligation, siblings: options.obligations, tokens: [options.token] }
  return subject.kind === 'credentials'
    ? isWronglyGiven(scene, subject.name, asked)
    : isOfBreach(scene, subject, asked)
}

type Titled = { readonly title: string; readonly sketch: Sketch }

const validSketches = (contract: Contract, operation: Operation): readonly Titled[] => {
  const { body } = contextOf(contract, operation)
  const roots = operation.parameters.map(({ name, required, schema }) => ({
    name,
    required,
    value: schema === null ? label : believable(placesOf(contract.document, schema)),
  }))
  const parameters = (which: 'required' | 'all'): JsonObject =>
    Object.fromEntries(
      roots.filter(own => own.required || which === 'all').map(({ name, value }) => [name, value]),
    )
  const least = body === null ? undefined : believable(body.root)
  const most = body === null ? undefined : withAll(contract, body.root, least ?? null)
  const media = bodyMedia(operation)
  return [
    ...(media === null ? [] : examplesAt(contract, media.pointer)).map(({ name, value }) => ({
      title: `the document's example${name === '' ? '' : ` ${name}`}`,
      sketch: { parameters: parameters('required'), body: value },
    })),
    { title: 'all that is declared', sketch: { parameters: parameters('all'), body: most } },
    { title: 'only what is required', sketch: { parameters: parameters('required'), body: least } },
    ...(operation.body?.required === false
      ? [{ title: 'without a body', sketch: { parameters: parameters('required'), body: undefined } }]
      : []),
  ]
}

const unique = (sketches: readonly Titled[]): readonly Titled[] =>
  [...new Map(sketches.toReversed().map(own => [writeKey(own.sketch), own])).values()].toReversed()

const writeKey = ({ parameters, body }: Sketch): string =>
  `${writeJson(parameters)} ${body === undefined ? '' : writeJson(body)}`

/** `example` and `examples` of a media type. */
const examplesAt = (
  { document }: Contract,
  pointer: string,
): readonly { readonly name: string; readonly value: Json }[] => {
  const media = valueAt(document, pointer) as
    | { example?: Json; examples?: Record<string, { value?: Json }> }
    | undefined
  return [
    ...(media?.example === undefined ? [] : [{ name: '', value: media.example }]),
    ...Object.entries(media?.examples ?? {}).flatMap(([name, { value }]) =>
      value === undefined ? [] : [{ name, value }],
    ),
  ]
}

/** The plainest value, with the examples that schemas give in the place of what is made up. */
const believable = (place: SchemaPlace): Json => {
  const own = exampleOf(place)
  if (own !== undefined) return own
  return place.children.reduce(
    (value, child) => {
      const example = child.pattern.includes('*') ? undefined : exampleOf(child)
      const isThere = valueAt(value, child.pattern) !== undefined
      return example === undefined || !isThere ? value : setAt(value, child.pattern, example)
    },
    plainValue(place, null, label),
  )
}

const exampleOf = ({ keywords }: SchemaPlace): Json | undefined => {
  const value = (keyword: string): unknown => keywords.find(use => use.keyword === keyword)?.value
  const listed = value('examples')
  return (value('example') ?? (Array.isArray(listed) ? listed[0] : undefined) ?? value('default')) as
    | Json
    | undefined
}

/** A property that cannot stand with the others stays away. */
const withAll = (contract: Contract, root: SchemaPlace, least: Json): Json =>
  root.children
    .filter(({ pattern }) => !pattern.endsWith('/*') && valueAt(least, pattern) === undefined)
    .reduce((value, child) => {
      const more = setAt(value, child.pattern, believable(child))
      const holds = root.schemas.every(schema => contract.schemas.validator(schema)(more).length === 0)
      return holds ? more : value
    }, least)
