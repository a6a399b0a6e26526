import { shortJson } from '../http/describe-response.ts'
import { isObject, type Json, sameJson } from '../json/json.ts'
import { steps, valueAt } from '../json/pointer.ts'
import type { Echo } from '../obligations/echo.ts'
import type { JudgedMedia } from '../obligations/response-media.ts'
import { bodyLocation, placeText } from '../obligations/value-location.ts'
import { childPlace, dependentPlace, placeOf, type SchemaPlace } from '../schema/locations.ts'
import { brokenAt, constraintText, type SchemaViolation, twoText } from '../schema/schema-violation.ts'
import type { Validate } from '../schema/validator.ts'
import { shortPlace, shortText, shortValue } from '../text/shown-text.ts'
import { explainIf } from './explain-alternatives.ts'
import { repeats } from './repeats.ts'
import { violationMessage } from './request-violation.ts'
import type { DeclaredAspect, ResponseViolation } from './response-violation.ts'

/** The schema of the bodies of one media type. */
export type BodySchema = {
  readonly type: string
  readonly root: SchemaPlace
  readonly validate: Validate
  /** How a body that is not JSON is read; null if such bodies are not judged. */
  readonly format: JudgedMedia['format'] | null
  /** The properties that it repeats from the request. */
  readonly echoes: readonly Echo[]
}

/** A violation without its operation and status. `title`: what follows «answered 200». */
export type BodyViolation = Pick<ResponseViolation, 'expected' | 'actual' | 'kind'> & {
  readonly aspect: DeclaredAspect
  readonly title: string
}

/** Schema violations by the obligations that they break. */
export const schemaViolations = (
  { root }: BodySchema,
  violations: readonly SchemaViolation[],
  value: Json,
): readonly BodyViolation[] => {
  if (violations.length === 0) return []
  // A value of a wrong type breaks most other keywords of its place as well.
  const mistyped = new Set(
    violations
      .filter(violation => violation.keyword === 'type' && keywordAspect(root, violation) !== null)
      .map(({ at }) => at),
  )
  const named = violations.flatMap(violation => {
    if (violation.keyword !== 'type' && mistyped.has(violation.at)) return []
    const aspect = keywordAspect(root, violation)
    return aspect === null ? [] : [{ aspect, violation }]
  })
  const reported =
    named.length > 0
      ? named
      : violations.slice(0, 1).map(violation => ({ aspect: restAspect(root, violation), violation }))
  const unique = [
    ...new Map(reported.map(each => [`${each.aspect.place}/${each.aspect.keyword}`, each])).values(),
  ]
  const told = unique.map(({ violation }) => violation)
  return unique.flatMap(({ aspect, violation: broken }) => {
    const [violation] = explainIf(broken, violations, told) ?? [broken]
    if (violation === undefined) return []
    const actual = valueAt(value, violation.at) as Json | undefined
    return [
      {
        aspect,
        expected: violationMessage(bodyLocation(''), violation),
        actual: shortJson(actual),
        title: schemaTitle(violation, actual),
        ...(violation.keyword === 'type' ? { kind: typeName(actual) } : {}),
      },
    ]
  })
}

/** The JSON type of a value. */
const typeName = (value: Json | undefined): string => {
  if (value === null || Array.isArray(value)) return value === null ? 'null' : 'array'
  return isObject(value) ? 'object' : typeof value
}

const schemaTitle = (
  { at, keyword, constraint, fits }: SchemaViolation,
  actual: Json | undefined,
): string => {
  const place = placeText(at)
  const name = place === '' ? 'the body' : `\`${shortPlace(place)}\``
  if (keyword === 'required' || actual === undefined) return `with ${name} missing in the body`
  if (fits !== undefined) return `with ${shortValue(actual)} as ${name}, which ${twoText(fits)}`
  return keyword === 'additionalProperties' || keyword === 'unevaluatedProperties'
    ? `with the undeclared property ${name}`
    : `with ${shortValue(actual)} as ${name}, which must ${constraintText(keyword, constraint)}`
}

type SchemaAspect = Extract<DeclaredAspect, { readonly aspect: 'schema' }>

/** Null if the keyword belongs to a branch of another one: that obligation is broken instead. */
const keywordAspect = (root: SchemaPlace, violation: SchemaViolation): SchemaAspect | null => {
  const { at, keyword } = violation
  const isMissing = keyword === 'required'
  const place = placeOf(root, brokenAt(violation))
  if (place === null || !place.keywords.some(use => use.keyword === keyword)) return null
  return {
    aspect: 'schema',
    place: `${place.pattern}${isMissing ? at.slice(at.lastIndexOf('/')) : ''}`,
    keyword,
  }
}

/** For what only a part of a composite keyword requires, or what is too deep to have an obligation of its own. */
const restAspect = (root: SchemaPlace, { at }: SchemaViolation): SchemaAspect => {
  const place = dependentPlace(root, at)
  return place === null
    ? { aspect: 'schema', place: '', keyword: 'schema' }
    : { aspect: 'schema', place: place.pattern, keyword: 'dependentSchemas' }
}

/** The same of what a body does not repeat. A value that breaks the schema cannot be the one that was sent: its violation says enough. */
export const echoesBroken = (
  schema: BodySchema,
  broken: readonly SchemaViolation[],
  value: Json,
  sent: Json | undefined,
): readonly BodyViolation[] =>
  echoViolations(schema, value, sent)
    .filter(({ name }) => !broken.some(({ at }) => steps(at)[0] === name))
    .map(({ name, ...rest }) => ({ aspect: { aspect: 'echo', name }, ...rest }))

/** Properties that a response does not repeat as they were sent. */
const echoViolations = (
  { echoes, root, validate }: BodySchema,
  value: Json,
  sent: Json | undefined,
): readonly (Omit<BodyViolation, 'aspect'> & { readonly name: string })[] => {
  if (!isObject(sent) || !isObject(value)) return []
  return echoes.flatMap(({ name, isAbsentToo, isMerged }) => {
    const expected = sent[name]
    const actual = value[name]
    const property = `\`${shortText(name)}\``
    if (expected === undefined)
      return actual === undefined || actual === null || !isAbsentToo
        ? []
        : [
            {
              name,
              expected: `no \`${name}\`, as none was sent`,
              actual: shortJson(actual),
              title: `with ${shortValue(actual)} as ${property}, although none was sent`,
              kind: 'not sent',
            },
          ]
    if (repeats(expected, actual, childPlace(root, name))) return []
    if (isMerged && hasMerged(expected, actual)) return []
    // A response whose schema is narrower than that of the request cannot repeat every value.
    if (validate({ ...value, [name]: expected }).some(({ at }) => steps(at)[0] === name)) return []
    return [
      {
        name,
        expected: `\`${name}\` as it was sent: ${shortJson(expected)}`,
        actual: shortJson(actual),
        title:
          actual === undefined
            ? `without the ${property} that was sent`
            : `with ${shortValue(actual)} as ${property}, although ${shortValue(expected)} was sent`,
        kind: actual === undefined ? 'absent' : actual === null ? 'null' : 'another value',
      },
    ]
  })
}

/** Whether a value is what a merge of what was sent into another one can give (RFC 7396). */
const hasMerged = (sent: Json, actual: Json | undefined): boolean => {
  if (sent === null) return actual === undefined || actual === null
  if (actual === undefined) return false
  if (!isObject(sent) || !isObject(actual)) return sameJson(sent, actual)
  return Object.entries(sent).every(([name, value]) => hasMerged(value, actual[name]))
}
