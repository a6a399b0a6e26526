import {
  callbackObligationsOf,
  errorCodes,
  obligationsOf,
  ownershipObligationsOf,
  type Subject,
  stateObligationsOf,
  unknownObligation,
} from '../../spec/index.ts'
import { noBody } from '../engine/compiled-response.ts'
import type { Middleware } from '../engine/context.ts'
import type { Engine } from '../engine/engine.ts'
import { judge } from '../engine/judge.ts'
import { reject } from '../engine/reject.ts'
import { accept } from '../engine/respond.ts'
import { MutantError } from '../errors.ts'
import { rejectValid } from './accept.ts'
import type { Mutant, MutantResponses, MutationContext, Unbreakable } from './mutation.ts'
import { acceptInvalid, misjudgeCredentials } from './reject.ts'
import { corruptResponse } from './response.ts'
import { breakStability } from './stability.ts'
import { breakState } from './state.ts'
import { flipUnspecified } from './unspecified.ts'

/**
 * Makes the middleware that breaks one obligation of a contract and keeps all others. Throws MutantError if there is no such
 * obligation, or no way to break it.
 */
export const mutate = async (engine: Engine, id: string): Promise<Middleware> => {
  const { contract, tokens, unauthenticated } = engine
  const obligations = [
    ...obligationsOf(contract, unauthenticated),
    ...stateObligationsOf(contract),
    ...ownershipObligationsOf(contract),
    ...callbackObligationsOf(contract),
  ]
  const obligation = obligations.find(each => each.id === id)
  const operation = contract.operations.find(each => each.id === obligation?.operation)
  if (obligation === undefined || operation === undefined)
    throw new MutantError(
      unknownObligation(
        id,
        obligations.map(each => each.id),
      ),
      null,
    )
  const siblings = obligations.filter(each => each.operation === operation.id)
  const context = { contract, operation, obligation, siblings, tokens, unauthenticated, engine }
  const middleware = await middlewareFor(context)
  if (typeof middleware !== 'function')
    throw new MutantError(`${id} cannot be broken: ${middleware.reason}`, middleware.reason)
  return middleware
}

/** What a mock keeps shows in requests for several operations, and all else in those for one. */
const middlewareFor = async (context: MutationContext): Promise<Middleware | Unbreakable> => {
  const { engine, operation, obligation } = context
  const { subject } = obligation
  if (subject.kind === 'state') return breakState(engine, operation, subject)
  if (subject.kind === 'callback') return breakCallback(engine, operation.id, subject)
  const mutant = await mutantFor(context, subject)
  return typeof mutant === 'function' ? asMiddleware(engine, operation.id, mutant) : mutant
}

const maxHistory = 8

/** Lets a mutant respond to the requests for its operation, and to those for none. */
const asMiddleware = (engine: Engine, operationId: string, mutant: Mutant): Middleware => {
  const histories = new WeakMap<object, readonly boolean[]>()
  return async (context, next) => {
    const { connection } = context.request
    const judged = judge(engine, context)
    const before = histories.get(connection) ?? []
    histories.set(connection, [...before, judged?.violations.length === 0].slice(-maxHistory))
    const usual = () => next(context)
    if (judged === null) return mutant(null, { usual, accept: usual, reject: usual }, context)
    if (judged.operation.id !== operationId) return usual()
    const reason = { code: errorCodes.otherRule, messages: ['rejected'] }
    const responses: MutantResponses = {
      usual,
      accept: () => accept(engine, judged),
      reject: part => reject(engine, judged.operation, part, reason),
    }
    const response = await mutant({ ...judged, before }, responses, context)
    context.scenario = 'break'
    return response
  }
}

const mutantFor = async (
  context: MutationContext,
  subject: Exclude<Subject, { kind: 'state' | 'callback' }>,
): Promise<Mutant | Unbreakable> => {
  switch (subject.kind) {
    case 'valid':
    case 'combined':
    case 'presence':
    case 'value':
    case 'layout':
    case 'framing':
    case 'query-escapes':
    case 'size':
    case 'extra':
    case 'branch':
      return rejectValid(context)
    case 'media':
      return subject.isAccepted ? rejectValid(context) : acceptInvalid(context)
    case 'keyword':
    case 'malformed':
    case 'part':
    case 'no-body':
    case 'displaced':
    case 'several-violations':
    case 'missing-parameter':
      return acceptInvalid(context)
    case 'credentials':
      return misjudgeCredentials(context, subject)
    case 'response':
      return corruptResponse(context, subject)
    case 'stability':
      return breakStability(context, subject)
    case 'unspecified':
      return flipUnspecified(context, subject)
    case 'flow':
      return { reason: 'no contract has workflows' }
    case 'response-time':
      return { reason: 'no contract has a limit for response times' }
    case 'protocol':
      return { reason: 'the server handles HTTP itself before any mutant does' }
    default:
      return subject satisfies never
  }
}

/** Has a callback or webhook break one requirement: what sends it asks the context. */
export const breakCallback = (
  engine: Engine,
  operation: string,
  { callback, name }: Extract<Subject, { kind: 'callback' }>,
): Middleware | Unbreakable => {
  if (name === 'repeated') return { reason: 'whether it comes again after a 503 is only observed' }
  let isRefused = false
  const answered = (status: number): void => {
    if (name === 'refused' && status === 503) isRefused = true
  }
  return (context, next) => {
    const { operation: of } = judge(engine, context) ?? {}
    // A webhook comes after requests for other operations than the one that gives its URL.
    if (of !== undefined) context.sending = { callback, name, answered }
    if (of?.id !== operation || !isRefused) return next(context)
    isRefused = false
    context.scenario = 'break'
    return { status: 500, headers: [], body: noBody }
  }
}
