import {
  creatorOf,
  declaresRejection,
  type HttpResponse,
  isLogInName,
  isObject,
  isRejection,
  leadsToLogIn,
  type Operation,
  type Outcome,
  plainName,
  redirectPath,
  requestPatterns,
  resourcesOf,
  responseFor,
  statusOf,
  testedScheme,
} from '../../spec/index.ts'
import { absentCredentials, renderRequest } from '../cases/render.ts'
import { hasDone } from '../judge/expected-status.ts'
import { summary } from '../judge/observation-text.ts'
import { serverWords, withWords } from '../judge/server-words.ts'
import { isSecretKnown, tokenFor } from '../options/run-options.ts'
import { isAbsenceAsAccess, isNotFound } from '../pool/rejection-words.ts'
import type { Sent } from '../send/lost-connections.ts'
import type { OperationSession, RunSession } from '../session/session.ts'
import { keepsOut, undeclaredProblem } from '../set-up/undeclared-credentials.ts'
import { withFixtureHint } from '../state/fixtures.ts'
import { unknownValueReason } from './unknown-value.ts'

/**
 * Why an operation that accepted no valid request may be right to. `isGuess`: not if the token is right, which another operation may show;
 * `wants`: credentials that were not given, of a scheme or although the document asks for none anywhere; or others than those that were given.
 */
export type TokenProblem = {
  readonly reason: string
  readonly isGuess: boolean
  readonly wants?: 'declared' | 'undeclared' | 'others'
}

/** Null if the token explains nothing. Sends the request once without credentials, if the status alone does not tell. */
export const tokenProblem = async (
  { options }: RunSession,
  operation: OperationSession,
  sent: Sent,
): Promise<TokenProblem | null> => {
  const { outcome } = sent
  const certain = (reason: string | null): TokenProblem | null =>
    reason === null ? null : { reason, isGuess: false }
  const tested = operation.model.operation
  const problem = tokenFor(options, tested).problem()
  const isKnown = isSecretKnown(options, tested)
  if (problem !== null) return certain(problem)
  if (outcome.kind === 'failure') return null
  const { status } = outcome.response
  if (isOfPassword(tested, sent)) return certain(passwordReason(tested, status))
  const undeclared = undeclaredProblem(options, outcome)
  if (undeclared !== null) return { reason: undeclared, isGuess: false, wants: 'undeclared' }
  if (testedScheme(operation.model) === null) return certain(logInProblem(operation, status))
  const answer = summary(outcome)
  if (leadsToLogIn(outcome.response)) return logInRedirect(outcome.response, isKnown)
  if (status < 400 || status >= 500 || addressProblem(outcome) !== null) return null
  const isAboutCredentials = status === 401 || status === 403
  const isSame = !isAboutCredentials && (await answersTheSameWithout(operation, sent))
  // What comes without credentials as well is about the request, unless this status is what the document has for missing credentials.
  if (isSame && !mayRejectCredentials(operation.model.operation, status)) return null
  if (!isKnown)
    return {
      reason: `no token was given, and the server rejects a made-up one (${answer}): give the right one with --token or PLANTSTORE_TOKEN`,
      isGuess: !isAboutCredentials,
      wants: 'declared',
    }
  // What is not there is not about the token.
  if (isAboutCredentials && unknownValueReason(operation.model, sent, options.secrets) !== null) return null
  if (isAboutCredentials) {
    const isForbidden = status === 403
    const refusal = isForbidden
      ? `the server refuses this operation to the token (${answer})`
      : `the server rejects the token (${answer})`
    const advice = isForbidden
      ? 'check the permissions of the token'
      : 'check that it is valid, and has the permissions for this operation'
    const reason = `${withWords(refusal, outcome, options.secrets)}: ${advice}`
    return { reason, isGuess: false, ...(isForbidden ? {} : { wants: 'others' }) }
  }
  return isSame
    ? {
        reason: `the server answers as it does without credentials (${answer}): is the token right?`,
        isGuess: true,
      }
    : null
}

const logInRedirect = (response: HttpResponse, isTokenKnown: boolean): TokenProblem => {
  const answer = `${response.status} to ${redirectPath(response)}`
  return isTokenKnown
    ? { reason: `the server redirects to a login (${answer}): is the token right?`, isGuess: true }
    : {
        reason: `no token was given, and the server redirects to a login (${answer}): give the right one with --token or PLANTSTORE_TOKEN`,
        isGuess: false,
        wants: 'declared',
      }
}

/** Whether a status that is neither 401 nor 403 may be about credentials, by what the document declares. */
const mayRejectCredentials = (operation: Operation, status: number): boolean =>
  !declaresRejection(operation, 'credentials') ||
  (isRejection(operation, 'credentials', status, 'declared') &&
    !operation.responses.some(each => each.status === '401' || each.status === '403'))

/** Whether a login rejects the made-up password in a request, by its status or its words. */
const isOfPassword = ({ path }: Operation, { testCase, outcome }: Sent): boolean => {
  const { body } = testCase.spec
  const last = path.split('/').findLast(segment => segment !== '') ?? ''
  const isLogIn = isLogInName(last) && isObject(body) && Object.keys(body).some(isPassword)
  const status = statusOf(outcome)
  if (!isLogIn || ![400, 401, 403, 404, 422].includes(status)) return false
  return status === 401 || ofCredentials.test(serverWords({ testCase, outcome }))
}

const isPassword = (name: string): boolean => /^(?:pass(?:word|wd|phrase)?|pwd)$/.test(plainName(name))

const ofCredentials = /\b(?:credentials?|passwords?|log ?in|sign ?in|authenticat\w+|authori[sz]ed)\b/i

const passwordReason = ({ id }: Operation, status: number): string =>
  `the server answers ${status} to a made-up password: give a right one with --examples, or leave it out with --skip ${id}`

/** A login rejects all but the right password, and says so as the document declares. */
const logInProblem = ({ model: { operation } }: OperationSession, status: number): string | null =>
  (status === 401 || status === 403) && responseFor(operation, status) !== null
    ? `the server answers ${status}, as the document declares, although no security scheme applies: the request itself has to have credentials that a run does not know (leave it out with --skip ${operation.id})`
    : null

/** Why a server that accepts nothing at all may not be the one to test; null if its response does not look like that. */
export const addressProblem = (outcome: Outcome): string | null => {
  if (outcome.kind === 'failure') return null
  const { status } = outcome.response
  if (isRedirect(outcome)) return `the server redirects every request (${status}): is the base URL right?`
  if (status === 429) return 'the server throttles every request (429): try again later, or without a limit'
  if (status === 404 || status === 405)
    return `the server does not find the operation (${summary(outcome)}): is the base URL right?`
  // From 520 on those of Cloudflare.
  if ((status >= 502 && status <= 504) || (status >= 520 && status <= 530))
    return `a gateway answers that no server is behind it (${summary(outcome)}): is the server running?`
  return null
}

/** Whether a server redirects requests without credentials as well: then it is about the URL, not about what was accepted. */
export const isRedirectedAnyway = async (operation: OperationSession, sent: Sent): Promise<boolean> =>
  isRedirect(sent.outcome) &&
  !isDeclaredRedirect(operation.model.operation, sent.outcome) &&
  (await answersTheSameWithout(operation, sent))

/** Whether a redirect is what the document has for a success, and not the way to a login. */
const isDeclaredRedirect = ({ responses }: Operation, outcome: Outcome): boolean =>
  outcome.kind === 'response' &&
  responses.some(({ status }) => status === String(outcome.response.status)) &&
  !leadsToLogIn(outcome.response)

const isRedirect = (outcome: Outcome): boolean =>
  outcome.kind === 'response' && outcome.response.status >= 300 && outcome.response.status < 400

const answersTheSameWithout = async (operation: OperationSession, sent: Sent): Promise<boolean> => {
  const without = await sendWithout(operation, sent)
  return without !== null && summary(without.outcome) === summary(sent.outcome)
}

/** Sends the same request without credentials; null if the operation asks for none. */
const sendWithout = async (
  { model: { operation }, sender }: OperationSession,
  { testCase }: Sent,
): Promise<Sent | null> => {
  const credentials = absentCredentials(operation)
  if (credentials === null) return null
  const spec = { ...testCase.spec, credentials }
  return sender.send({ ...testCase, spec, request: renderRequest(operation, spec) })
}

/**
 * Whether a server that rejects a made-up token, which `sent` has, accepts the same request without credentials, as one that was set up without them does. If
 * so, no credentials are sent from now on.
 */
export const isOpen = async (
  { options }: RunSession,
  operation: OperationSession,
  sent: Sent,
): Promise<boolean> => {
  const tested = operation.model.operation
  const token = tokenFor(options, tested)
  if (isSecretKnown(options, tested) || !keepsOut(sent.outcome)) return false
  // Another operation may have shown it meanwhile.
  if (token.isLeftOut()) return true
  const without = await sendWithout(operation, sent)
  if (without === null || !hasDone(tested, without.outcome)) return false
  token.leaveOut()
  return true
}

/** Whether the path of a request names something of which nobody knows whether it exists, and the server says that it does not. */
export const isMadeUp = (sent: Sent): boolean =>
  sent.testCase.chain !== undefined &&
  !sent.testCase.chain.exists &&
  (isNotFound(sent.outcome, sent.testCase.chain.values) || isAbsenceAsAccess(sent.outcome))

export const madeUpReason = (
  { options: { contract, include } }: RunSession,
  { model: { operation } }: OperationSession,
): string => {
  const isIncluded = requestPatterns(contract, include, '--include').some(pattern =>
    pattern.matchesOperation(operation),
  )
  const graph = resourcesOf(contract)
  const names = graph.namesIn(operation)
  const last = names.at(-1)?.resource
  const creator = last === undefined ? null : creatorOf(last)
  const asked = last?.path ?? operation.path
  const list = last?.list ?? null
  const why =
    creator !== null
      ? `${creator.id}, which creates what ${asked} asks for, accepted no request, and the server has nothing of a made-up name`
      : list === null
        ? `no operation creates or lists what ${asked} asks for, and the server has nothing of a made-up name`
        : operation.method === 'GET'
          ? `no operation creates what ${asked} asks for, and ${operation.id} found none of what ${list.id} lists`
          : isIncluded
            ? `no operation creates what ${asked} asks for, and ${list.id} lists none`
            : `no operation creates what ${asked} asks for, and what ${list.id} lists is not changed without --include '${operation.method} ${operation.path}'`
  return withFixtureHint(why, graph, operation, names)
}
