import {
  isArray,
  isObject,
  isOfBody,
  type Json,
  nounOfPath,
  placeOf,
  step,
  type ValueLocation,
  writeJson,
} from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import { isReading, type OperationModel } from '../cases/operation-model.ts'
import { labelOf, withoutBody } from '../cases/with-optional.ts'
import { caseWith, isWithin, otherSpellings, withStars } from './bound-spec.ts'
import { withLastSegment } from './is-named.ts'
import type { Place } from './likeness.ts'
import { scalarsOf, withValuesAt } from './places-in-body.ts'
import { type KnownValue, noBody, type Pool, type ValuesByPlace } from './pool.ts'

/** The places of a request that a value may be known for, by their keys. */
export const placesIn = (
  { parameters, operation }: OperationModel,
  spec: RequestSpec,
): ReadonlyMap<string, Place> => {
  const places = new Map<string, Place>()
  for (const { parameter } of parameters) {
    const { name, in: part } = parameter
    if (!Object.hasOwn(spec.parameters, name)) continue
    const [before] = operation.path.split(`{${name}}`)
    const isInPath = part === 'path'
    places.set(`${part} ${name}`, {
      name,
      holder: isInPath ? nounOfPath(before ?? '') : '',
      isInPath,
    })
  }
  for (const { pointer, name, holder } of scalarsOf(spec.body))
    places.set(withStars(pointer), { name, holder, isInPath: false })
  return places
}

/**
 * What is known for the places of a request; `round` chooses among several. A path gets one only if the request reads, or only at these
 * parameters.
 */
export const valuesFor = (
  pool: Pool,
  model: OperationModel,
  spec: RequestSpec,
  round: number,
  inner: ReadonlySet<string> | null = null,
): ValuesByPlace => {
  const reads = isReading(model)
  const last = model.operation.path.split('{').at(-1)?.split('}')[0]
  const values = new Map<string, KnownValue>()
  for (const [key, place] of placesIn(model, spec)) {
    // What has such a name may be somebody else's: what changes or removes something names what the run has created.
    const isNamed = place.isInPath && !(inner?.has(place.name) ?? reads)
    const isRemoved = isNamed && model.operation.method === 'DELETE' && place.name === last
    if (isRemoved || isListed(model, key)) continue
    const known = (isNamed ? pool.ownValuesFor(place) : pool.valuesFor(place)).filter(each =>
      isFitting(model, spec, new Map([[key, each]])),
    )
    const chosen = known[round % Math.max(1, known.length)]
    if (chosen !== undefined) values.set(key, chosen)
  }
  return values
}

/** Whether the document itself lists the values of a place: then a rejected one names nothing that may be missing. */
export const isListed = ({ parameters, body }: OperationModel, key: string): boolean => {
  const root = parameters.find(({ parameter: { in: part, name } }) => `${part} ${name}` === key)?.root
  const place = root ?? (body === null || !key.startsWith('/') ? null : placeOf(body.root, key))
  return place?.keywords.some(({ keyword }) => keyword === 'enum' || keyword === 'const') === true
}

/**
 * What a request that was accepted has and another one of the operation has not, for others of the operation: its own label stands for
 * that of each, as a server may take a name only once.
 */
export const differences = (
  model: OperationModel,
  { spec: accepted, number }: TestCase,
  other: RequestSpec,
  of: Pick<KnownValue, 'source' | 'isName' | 'isTried'>,
): ValuesByPlace => {
  const values = new Map<string, KnownValue>()
  const note = (key: string, value: Json, before: Json | undefined): void => {
    if (before !== undefined && writeJson(before) === writeJson(value)) return
    const form = formOf(value, number)
    values.set(key, { ...of, ...(form ?? { value }), isAdded: before === undefined })
  }
  for (const { parameter } of model.parameters) {
    const { name, in: part } = parameter
    const value = accepted.parameters[name]
    if (value !== undefined && (part !== 'path' || isReading(model)))
      note(`${part} ${name}`, value, other.parameters[name])
  }
  const compare = (value: Json, before: Json, pointer: string): void => {
    if (!isObject(value) || !isObject(before)) {
      if (pointer !== '') note(pointer, value, before)
      return
    }
    for (const [key, member] of Object.entries(value))
      if (Object.hasOwn(before, key)) compare(member, before[key] as Json, step(pointer, key))
      else note(step(pointer, key), member, undefined)
  }
  if (accepted.body !== undefined && other.body !== undefined) compare(accepted.body, other.body, '')
  if (accepted.body === undefined && other.body !== undefined) values.set(noBody, { ...of, value: null })
  return values
}

/** A value with the label of this case in its texts as a form; null if it has none. */
const formOf = (value: Json, number: number): Pick<KnownValue, 'value' | 'isForm'> | null => {
  const labels = [labelOf(number, 'required'), labelOf(number, 'optional')]
  const form = mapTexts(value, text => labels.reduce((rest, label) => rest.replaceAll(label, '{}'), text))
  return writeJson(form) === writeJson(value) ? null : { value: form, isForm: true }
}

/** The value with other texts in its lists and objects, at any depth. */
const mapTexts = (value: Json, change: (text: string) => string): Json => {
  if (typeof value === 'string') return change(value)
  if (isArray(value)) return value.map(item => mapTexts(item, change))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, change)]))
}

/** Whether a request is as valid with these values as without. */
const isFitting = (model: OperationModel, spec: RequestSpec, values: ValuesByPlace): boolean => {
  const { body, parameters } = withValues(model, spec, values, null)
  return (
    (body === spec.body || body === undefined || model.isValidBody(body)) &&
    (body !== spec.body || parameters !== spec.parameters)
  )
}

/** The case with these values wherever it is about something else; as it was, if it would test something else then. */
export const withKnown = (
  model: OperationModel,
  testCase: TestCase,
  values: ValuesByPlace,
  token: string,
): TestCase => {
  if (values.size === 0 || testCase.spec.path !== model.operation.path) return testCase
  const { obligation, chain } = testCase
  const about = 'location' in obligation.subject ? obligation.subject.location : null
  const spec = withValues(model, testCase.spec, values, about, testCase.number)
  const known = values.has(noBody) && isWithoutBody(testCase, about) ? withoutBody(model, spec) : spec
  return caseWith(model, testCase, known, chain, token) ?? testCase
}

/** Whether a case shows the same without a body. */
const isWithoutBody = ({ obligation: { subject } }: TestCase, about: ValueLocation | null): boolean =>
  about === null ? ['valid', 'credentials', 'stability'].includes(subject.kind) : !isOfBody(about)

export const withValues = (
  model: OperationModel,
  spec: RequestSpec,
  values: ValuesByPlace,
  about: ValueLocation | null,
  number = 0,
): RequestSpec => {
  const fitting: Record<string, Json> = {}
  for (const { parameter, isValid } of model.parameters) {
    const { name, in: part } = parameter
    const known = values.get(`${part} ${name}`)
    const isTested = about?.in === part && about.name === name
    const exists = Object.hasOwn(spec.parameters, name) || known?.isAdded === true
    if (known === undefined || !exists || isTested) continue
    const chosen = filled(known, spec.parameters[name], number)
    const spellings = part === 'path' ? withLastSegment(chosen) : [chosen]
    const value = spellings.flatMap(each => [each, ...otherSpellings(each)]).find(isValid)
    if (value !== undefined) fitting[name] = value
  }
  const parameters = Object.keys(fitting).length === 0 ? spec.parameters : { ...spec.parameters, ...fitting }
  const place = about !== null && isOfBody(about) ? about.place : null
  const isAbout = (at: string): boolean => place !== null && (isWithin(place, at) || isWithin(at, place))
  // A text is sent as it is, whatever the value of the body.
  const isFilled = place !== '' && spec.encoding.kind !== 'text' && spec.body !== undefined
  const body = isFilled
    ? withValuesAt(values, spec.body as Json, (pointer, known, before) =>
        isAbout(withStars(pointer)) ? undefined : filled(known, before, number),
      )
    : spec.body
  return { ...spec, parameters, body, renewable: spec.renewable && body === spec.body }
}

/** The value for a request that has another one there: a form is filled with it, if it is a word, or else with the label of the case. */
const filled = ({ value, isForm }: KnownValue, before: Json | undefined, number: number): Json => {
  if (isForm !== true) return value
  const isWord = typeof before === 'string' && /^[a-z0-9]{2,40}$/i.test(before)
  return mapTexts(value, text => text.replaceAll('{}', isWord ? before : labelOf(number, 'optional')))
}

/** The place that a case is about, if there is a value for it: any other one may name nothing that exists. Null if there is none. */
export const knownPlaceOf = ({ obligation: { subject } }: TestCase, values: ValuesByPlace): string | null => {
  if (!('location' in subject)) return null
  const { location } = subject
  const isName = (key: string): boolean => values.get(key)?.isName === true
  if (!isOfBody(location)) return isName(`${location.in} ${location.name}`) ? location.name : null
  const key = [...values.keys()].find(
    each => isName(each) && (isWithin(each, location.place) || isWithin(location.place, each)),
  )
  return key ?? null
}
