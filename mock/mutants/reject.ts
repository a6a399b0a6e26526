import {
  bodyMedia,
  header,
  isObject,
  isSamePlace,
  type JsonObject,
  malformedKinds,
  malformedKindsOf,
  type ObligationId,
  operationContext,
  type RequestAspect,
  type Subject,
  type ValueLocation,
  violatedProperties,
  withoutBoundary,
} from '../../spec/index.ts'
import { type Mutant, type MutantInput, type MutationContext, misjudge } from './mutation.ts'

/** Accepts requests that are invalid in one way. */
export const acceptInvalid = (context: MutationContext): Mutant =>
  misjudge(input => isInvalidBy(context, context.obligation.subject, input), 'accept')

/** Whether a request is invalid in the way that an obligation of the family `reject` is about. */
export const isInvalidBy = (context: MutationContext, subject: Subject, input: MutantInput): boolean =>
  input.violations.length > 0 && isHit(context, subject, input)

const isHit = (context: MutationContext, subject: Subject, input: MutantInput): boolean => {
  const { id } = context.obligation
  const { violations, request } = input
  const isOnly = violations.every(violation => violation.id === id)
  switch (subject.kind) {
    case 'malformed': {
      const format = context.operation.body === null ? null : (bodyMedia(context.operation)?.format ?? null)
      const kind =
        format === null || format.kind === 'json'
          ? malformedKinds.find(({ name }) => name === subject.name)
          : malformedKindsOf(format).find(({ name }) => name === subject.name)
      return (
        violations.every(({ subject: { kind } }) => kind === 'malformed') &&
        kind?.is(request.body ?? new Uint8Array()) === true
      )
    }
    case 'media':
      return (
        violations.every(({ part }) => part === 'media') &&
        subject.contentTypes.includes(withoutBoundary(header(request.headers, 'content-type')))
      )
    case 'no-body':
      return subject.name === 'empty-object' ? isEmptyObject(input) : isOnly
    case 'displaced':
      return isDisplaced(context, input)
    case 'several-violations':
      return hasSeveral(input) && !isEmptyObject(input) && !isDisplaced(context, input)
    case 'keyword':
      if (subject.keyword === 'required')
        return (
          isOnly && !(subject.location.place === '' && (isEmptyObject(input) || isDisplaced(context, input)))
        )
      return subject.keyword === 'type' ? isWrongType(id, subject.location, input) : isOnly
    default:
      return isOnly
  }
}

const isEmptyObject = ({ violations, body }: MutantInput): boolean =>
  isObject(body) && Object.keys(body).length === 0 && violations.every(({ part }) => part === 'body')

/** Whether an object has properties, and none that the body should have. */
const isDisplaced = ({ contract, operation }: MutationContext, { violations, body }: MutantInput): boolean =>
  isObject(body) &&
  Object.keys(body).length > 0 &&
  isForeign(operationContext(contract, operation).body?.root.properties ?? [], body) &&
  violations.every(({ part }) => part === 'body')

/** Of an object with one property, whatever else there is instead is the lack of that one. */
const isForeign = (declared: readonly string[], body: JsonObject): boolean =>
  declared.length > 1 && !declared.some(name => Object.hasOwn(body, name))

/** Whether two properties of the body are invalid. */
const hasSeveral = ({ violations }: MutantInput): boolean =>
  violations.every(({ part }) => part === 'body') && violatedProperties(violations).size > 1

/** A value of a wrong type breaks other keywords of its place as well. */
const isWrongType = (id: ObligationId, location: ValueLocation, { violations }: MutantInput): boolean =>
  violations.some(violation => violation.id === id) &&
  violations.every(({ id: other, subject }) => other === id || isOfValue(subject, location))

/** Whether a whole value breaks another keyword than `type`. */
const isOfValue = (subject: RequestAspect, location: ValueLocation): boolean =>
  subject.kind === 'keyword' &&
  !['type', 'required'].includes(subject.keyword) &&
  ['', 'above', 'below'].includes(subject.detail) &&
  isSamePlace(subject.location, location)
