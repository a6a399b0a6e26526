import {
  bodyMedia,
  type CredentialKind,
  credentialKinds,
  header,
  isObject,
  isSamePlace,
  isVariant,
  type JsonObject,
  malformedKinds,
  malformedKindsOf,
  type ObligationId,
  operationContext,
  type RequestAspect,
  type Scheme,
  type Subject,
  testedScheme,
  type ValueLocation,
  violatedProperties,
  withoutBoundary,
} from '../../spec/index.ts'
import { unnoticedRejection } from './accept.ts'
import {
  isValid,
  type Mutant,
  type MutantInput,
  type MutationContext,
  misjudge,
  type Unbreakable,
} from './mutation.ts'

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

/** Accepts wrong credentials of one kind, or rejects right ones. */
export const misjudgeCredentials = (
  { operation, tokens }: MutationContext,
  { name, isAccepted }: Extract<Subject, { kind: 'credentials' }>,
): Mutant | Unbreakable => {
  const scheme = testedScheme({ operation })
  const kind = credentialKinds(operation).find(each => each.name === name)
  if (scheme === null || kind === undefined) return { reason: 'credentials of this scheme are not supported' }
  const templates = [...kind.variants.flat(), ...kind.extra.flat().map(({ value }) => value)].filter(text =>
    text.includes('{{'),
  )
  if (tokens === null && (templates.length > 0 || kind.needsToken))
    return { reason: 'any token is right: set one with --token' }
  const isSent = (input: MutantInput): boolean => isSentAs(kind, scheme, tokens ?? [''], input)
  if (isAccepted)
    return (
      unnoticedRejection(operation, 'credentials') ??
      misjudge(input => isValid(input) && isSent(input), 'credentials')
    )
  return misjudge(input => isOfKind(kind, input) && isSent(input), 'accept')
}

const isSentAs = (
  kind: CredentialKind,
  scheme: Scheme,
  tokens: readonly string[],
  input: MutantInput,
): boolean => tokens.some(token => isVariant(kind, scheme, token, input))

/** Whether a request has wrong credentials of the kind of this name. */
export const hasWrongCredentials = (
  { operation, tokens }: MutationContext,
  name: string,
  input: MutantInput,
): boolean => {
  const scheme = testedScheme({ operation })
  const kind = credentialKinds(operation).find(each => each.name === name)
  if (scheme === null || kind === undefined || kind.accepted) return false
  return isOfKind(kind, input) && isSentAs(kind, scheme, tokens ?? [''], input)
}

/** Whether the rest of the request, and the requests before it, are as the kind has them. */
const isOfKind = (
  { invalidBody, afterAccepted, name }: CredentialKind,
  { violations, before }: MutantInput,
): boolean => {
  if (!violations.some(({ part }) => part === 'credentials')) return false
  if (violations.every(({ part }) => part === 'credentials') === invalidBody) return false
  // The second of its connection, after one that was accepted.
  const follows = before.length === 1 && before[0] === true
  const hasTwin = name === 'absent' || name === 'wrong-token'
  return afterAccepted ? follows : !(hasTwin && follows)
}
