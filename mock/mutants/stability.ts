import {
  isSuccess,
  operationContext,
  placeOf,
  type RequestPart,
  rejectionStatuses,
  type SchemaPlace,
  type Subject,
  step,
} from '../../spec/index.ts'
import type { MockResponse } from '../engine/compiled-response.ts'
import { matchesNoOther, unnoticedRejection } from './accept.ts'
import { isUnusual, isValid, type Mutant, type MutationContext, type Unbreakable } from './mutation.ts'

const driftsAfter = 300
const wavers = 7
const losesEvery = 20

/** Responds wrongly because of earlier requests. */
export const breakStability = (
  context: MutationContext,
  { name }: Extract<Subject, { kind: 'stability' }>,
): Mutant | Unbreakable => {
  const { operation } = context
  const part = operation.body === null ? 'parameter' : 'body'
  switch (name) {
    case 'pairing':
      return hasEcho(context)
        ? swapResponses(context)
        : { reason: 'a response carries no text of its request by which a client could tell it' }
    case 'drift':
      return unnoticedRejection(operation, part) ?? drift(part)
    case 'consistency':
      return unnoticedRejection(operation, part) ?? waver(context, part)
    case 'recovery':
      return (
        unnoticedRejection(operation, part) ??
        (rejectionStatuses(operation, part).length === 0
          ? { reason: 'no request is rejected' }
          : resentRejection(part))
      )
    case 'connection':
      return loseConnections()
  }
}

/** Rejects all valid requests after the first few hundred. */
const drift = (part: RequestPart): Mutant => {
  let count = 0
  return (input, { usual, reject }) => {
    count += 1
    return input !== null && isValid(input) && count > driftsAfter ? reject(part) : usual()
  }
}

/** Rejects every seventh of the valid requests that look alike. */
const waver = (context: MutationContext, part: RequestPart): Mutant => {
  let count = 0
  return (input, { usual, reject }) => {
    if (input === null || !isValid(input) || !matchesNoOther(context, input)) return usual()
    count += 1
    return count % wavers === 0 ? reject(part) : usual()
  }
}

/** Resets the connection of some requests, whatever they are. */
const loseConnections = (): Mutant => {
  let count = 0
  return (_input, { usual }, context) => {
    count += 1
    if (count % losesEvery === 0) context.fault = 'reset'
    return usual()
  }
}

/** Rejects a valid request that follows a rejected one on its connection. */
const resentRejection =
  (part: RequestPart): Mutant =>
  (input, { usual, reject }) =>
    input !== null && isValid(input) && input.before.length === 1 && input.before[0] === false
      ? reject(part)
      : usual()

/** Gives each request the response to the one before. */
const swapResponses = (context: MutationContext): Mutant => {
  let last: MockResponse | null = null
  return async (input, { usual }) => {
    const response = await usual()
    if (input === null || !isValid(input) || !matchesNoOther(context, input) || isUnusual(context, input))
      return response
    const swapped = last ?? response
    last = response
    return swapped
  }
}

/** Whether a success carries free text that was sent. */
const hasEcho = ({ contract, operation, siblings }: MutationContext): boolean => {
  const { root } = operationContext(contract, operation).body ?? {}
  return siblings.some(
    ({ subject }) =>
      subject.kind === 'response' &&
      subject.aspect === 'echo' &&
      isSuccess(operation, Number(subject.status.replaceAll('X', '0'))) &&
      root !== undefined &&
      isFreeText(placeOf(root, step('', subject.name))),
  )
}

const isFreeText = (place: SchemaPlace | null): boolean =>
  place?.types?.includes('string') === true &&
  !place.keywords.some(({ keyword }) => ['format', 'pattern', 'enum', 'const'].includes(keyword))
