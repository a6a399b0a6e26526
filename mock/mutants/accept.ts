import {
  isOfBody,
  isOneOfFew,
  matches,
  type Operation,
  operationContext,
  type RequestPart,
  rejectionStatuses,
  type Subject,
  steps,
  type ValueLocation,
} from '../../spec/index.ts'
import {
  isUnusual,
  isValid,
  type Mutant,
  type MutantInput,
  type MutationContext,
  mayBeUnusual,
  misjudge,
  type Unbreakable,
} from './mutation.ts'

/** Rejects the valid requests that an obligation of the family `accept` is about. */
export const rejectValid = (context: MutationContext): Mutant | Unbreakable => {
  const { operation, obligation } = context
  const part = operation.body === null ? 'parameter' : 'body'
  return (
    unnoticedRejection(operation, part) ??
    (obligation.subject.kind === 'valid' ? indistinguishable(context) : null) ??
    misjudge(input => isValid(input) && isHit(context, obligation.subject, input), part)
  )
}

/** Why the rejection of a valid request would break nothing; null: it would. */
export const unnoticedRejection = (operation: Operation, part: RequestPart): Unbreakable | null => {
  const [status] = rejectionStatuses(operation, part)
  if (status === undefined) return { reason: 'no failure is declared that a valid request could get' }
  return status === '404' && operation.path.includes('{')
    ? { reason: 'the only declared failure is 404, which is right for any path that names something' }
    : null
}

/** Whether a valid request is of the kind that an obligation to accept is about. */
export const isOfKind = (
  { contract, operation, tokens }: MutationContext,
  subject: Subject,
  input: MutantInput,
): boolean => matches(operationContext(contract, operation), subject, input, tokens ?? [])

const isHit = (context: MutationContext, subject: Subject, input: MutantInput): boolean =>
  subject.kind === 'valid' ? isDistinguishable(context, input) : isOfKind(context, subject, input)

/** Whether no other obligation is about a valid request, except those that are about every request. */
export const matchesNoOther = (context: MutationContext, input: MutantInput): boolean =>
  !context.siblings.some(
    ({ subject }) => !matchesEvery(context, subject) && isOfKind(context, subject, input),
  )

/** Why every valid request looks like those that other obligations are about; null: some do not. */
export const indistinguishable = (context: MutationContext): Unbreakable | null =>
  mayBeUnusual(context)
    ? null
    : { reason: 'all valid requests look like requests of other obligations, which would be broken as well' }

/** Whether a valid request looks like none that another obligation is about. */
export const isDistinguishable = (context: MutationContext, input: MutantInput): boolean =>
  matchesNoOther(context, input) && isUnusual(context, input)

/** Whether a subject is one of few alternatives, of which every request has one. */
const matchesEvery = (context: MutationContext, subject: Subject): boolean => {
  switch (subject.kind) {
    case 'presence':
      return true
    case 'branch':
      return (
        subject.keyword !== 'dependentSchemas' &&
        (isOfBody(subject.location) || isAlwaysPresent(context, subject.location))
      )
    case 'value':
      return isOneOfFew(subject) && (subject.name !== 'null' || isAlwaysPresent(context, subject.location))
    default:
      return false
  }
}

const isAlwaysPresent = ({ contract, operation }: MutationContext, location: ValueLocation): boolean => {
  if (!isOfBody(location))
    return operation.parameters.some(
      ({ name, in: part, required }) => name === location.name && part === location.in && required,
    )
  const [first] = steps(location.place)
  return (
    first === undefined || operationContext(contract, operation).body?.root.required.includes(first) === true
  )
}
