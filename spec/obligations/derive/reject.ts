import type { Parameter } from '../../contract/contract.ts'
import { step } from '../../json/pointer.ts'
import { listPlaces, placesOf, type SchemaPlace } from '../../schema/locations.ts'
import type { ObligationSpec } from '../obligation.ts'
import { bodyLocationOf, type OperationContext } from '../operation-context.ts'
import { sharedByParameter } from '../shared-by-parameter.ts'
import type { Subject } from '../subject.ts'
import { locationPath, locationText, parameterLocation } from '../value-location.ts'
import { keywordObligations } from './keywords.ts'
import { bytesObligations, partObligations } from './media-and-bytes.ts'
import { rejectRequirement } from './requirement.ts'

/** What breaks the contract in a request: it is rejected with a declared failure. */
export const rejectObligations = (context: OperationContext): readonly ObligationSpec[] => [
  ...bodyObligations(context),
  ...context.operation.parameters.flatMap(parameter => parameterObligations(context, parameter)),
  ...bytesObligations(context),
]

const parameterObligations = sharedByParameter(({ contract }, parameter) => {
  const places =
    parameter.schema === null ? [] : listPlaces(placesOf(contract.requests.document, parameter.schema))
  const obligations = places
    .flatMap(place => keywordObligations(contract.exact, place, parameterLocation(parameter, place.pattern)))
    // Any text is a list or an object if it is serialized item by item.
    .filter(({ subject }) => parameter.content !== null || !isWrongText(subject, places))
  // Without its path parameter, a request is for another path.
  return parameter.required && parameter.in !== 'path'
    ? [missingParameter(parameter), ...obligations]
    : obligations
})

const missingParameter = (parameter: Parameter): ObligationSpec => {
  const location = parameterLocation(parameter)
  const input = `a request without ${locationText(location)}`
  return {
    path: `${locationPath(location)}/required`,
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
    keywordObligations(contract.exact, place, bodyLocationOf(body, place.pattern)),
  )
  if (format.kind === 'json') return obligations
  const inJson =
    format.kind !== 'form'
      ? []
      : format.fields.flatMap(({ name, content }) => (content === null ? [] : [step('', name)]))
  return [
    ...obligations.filter(
      ({ subject }) =>
        subject.kind !== 'keyword' ||
        subject.location.in === 'body' ||
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
