import type { Parameter } from '../../contract/contract.ts'
import { step } from '../../json/pointer.ts'
import { possiblePlaces } from '../../schema/closed.ts'
import { placesOf, type SchemaPlace } from '../../schema/locations.ts'
import { takesAnyText } from '../../schema/variants.ts'
import { absentValue } from '../../serialization/parse-parameter.ts'
import type { ObligationSpec } from '../obligation.ts'
import { bodyLocationOf, type OperationContext } from '../operation-context.ts'
import { sharedByParameter } from '../shared-by-parameter.ts'
import { type Shows, showsIn, showsOf } from '../shows.ts'
import type { Subject } from '../subject.ts'
import { locationText, parameterLocation } from '../value-location.ts'
import { keywordObligations } from './keywords.ts'
import { bytesObligations, partObligations } from './media-and-bytes.ts'
import { rejectRequirement } from './requirement.ts'

/** What breaks the contract in a request: it is rejected with a declared failure. */
export const rejectObligations = (context: OperationContext): readonly ObligationSpec[] => [
  ...bodyObligations(context),
  ...context.operation.parameters.flatMap(parameter =>
    parameterObligations(context, parameter).filter(
      ({ subject }) => !isOtherPath(context, parameter, subject),
    ),
  ),
  ...bytesObligations(context),
]

const parameterObligations = sharedByParameter(({ contract }, parameter) => {
  const root = parameter.schema === null ? null : placesOf(contract.requests.document, parameter.schema)
  const places = root === null ? [] : possiblePlaces(root)
  const obligations = places
    .flatMap(place =>
      root === null
        ? []
        : shownKeywords(
            showsOf(parameter, root, place.pattern),
            place,
          )(keywordObligations(contract.exact, place, parameterLocation(parameter, place.pattern))),
    )
    // Any text is a list or an object if it is serialized item by item.
    .filter(({ subject }) => parameter.content !== null || !isWrongText(subject, places))
  // Without its path parameter, a request is for another path.
  return parameter.required && parameter.in !== 'path' && absentValue(parameter, root) === undefined
    ? [missingParameter(parameter), ...obligations]
    : obligations
})

/** Whether only an empty text breaks a requirement, which makes it another path if the parameter is all that stands between two slashes. */
const isOtherPath = (
  { contract, operation }: OperationContext,
  parameter: Parameter,
  subject: Subject,
): boolean => {
  const { name, in: part, style, schema } = parameter
  if (
    part !== 'path' ||
    style !== 'simple' ||
    schema === null ||
    !operation.path.split('/').includes(`{${name}}`)
  )
    return false
  const { keywords } = placesOf(contract.requests.document, schema)
  return (
    subject.kind === 'keyword' &&
    subject.keyword === 'minLength' &&
    subject.location.place === '' &&
    keywords.every(({ keyword, value }) => keyword !== 'minLength' || Number(value) < 2)
  )
}

/** The requirements that a request can break visibly at a place. */
const shownKeywords =
  (shows: Shows, place: SchemaPlace) =>
  (specs: readonly ObligationSpec[]): readonly ObligationSpec[] => {
    if (!shows.any) return []
    const limitOf = (name: string): number => Number(place.keywords.find(use => use.keyword === name)?.value)
    return specs.filter(({ subject }) => {
      if (subject.kind !== 'keyword') return true
      switch (subject.keyword) {
        case 'additionalProperties':
        case 'unevaluatedProperties':
          return shows.undeclared
        case 'minItems':
        case 'minProperties':
          return (
            shows.empty || (limitOf(subject.keyword) > 1 && (shows.lists || subject.keyword !== 'minItems'))
          )
        case 'maxItems':
        case 'uniqueItems':
        case 'contains':
        case 'unevaluatedItems':
          return shows.lists
        case 'required':
          return shows.without(subject.detail)
        case 'anyOf':
        case 'oneOf':
          return subject.detail !== '' || !shows.texts || !takesAnyText(place)
        default:
          return true
      }
    })
  }

const missingParameter = (parameter: Parameter): ObligationSpec => {
  const location = parameterLocation(parameter)
  const input = `a request without ${locationText(location)}`
  return {
    family: 'reject',
    level: 'MUST',
    input,
    requirement: rejectRequirement(input),
    pointer: step(parameter.pointer, 'required'),
    subject: { kind: 'missing-parameter', location },
  }
}

const bodyObligations = ({ contract, body }: OperationContext): readonly ObligationSpec[] => {
  if (body === null) return []
  const { format } = body
  const obligations = body.places.flatMap(place =>
    shownKeywords(
      showsIn(body.format, body.root, place.pattern),
      place,
    )(keywordObligations(contract.exact, place, bodyLocationOf(body, place.pattern))),
  )
  if (format.kind === 'json') return obligations
  const inJson =
    format.kind !== 'form'
      ? []
      : format.fields.flatMap(({ name, content }) => (content === null ? [] : [step('', name)]))
  // Each item of a list is a part of its own, whatever its type.
  const lists = format.kind === 'multipart' ? format.parts.filter(({ isList }) => isList) : []
  const isOfList = ({ keyword, location }: Extract<Subject, { kind: 'keyword' }>): boolean =>
    keyword === 'type' && lists.some(({ name }) => step('', name) === location.place)
  return [
    ...obligations.filter(
      ({ subject }) =>
        subject.kind !== 'keyword' ||
        (subject.location.in === 'body' && !isOfList(subject)) ||
        inJson.includes(subject.location.place) ||
        !isWrongText(subject, body.places),
    ),
    ...partObligations(format),
  ]
}

const isWrongText = (subject: Subject, places: readonly SchemaPlace[]): boolean =>
  subject.kind === 'keyword' &&
  subject.keyword === 'type' &&
  places.some(
    ({ pattern, types }) =>
      pattern === subject.location.place && types?.some(type => type === 'array' || type === 'object'),
  )
