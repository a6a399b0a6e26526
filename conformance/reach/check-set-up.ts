/** Asks the questions of `set-up` in a run. */
import { resourcesOf } from '../../spec/index.ts'
import type { Sent } from '../send/lost-connections.ts'
import { type OperationSession, type RunSession, testedOperations, wayOf } from '../session/session.ts'
import { answerOf } from '../set-up/api-answer.ts'
import { baseUrlProblem, proxyProblem, type Telling } from '../set-up/base-url.ts'
import { otherVersionProblem, type Tried } from '../set-up/other-version.ts'
import type { OpenTrial, Trial } from './probe.ts'

/** What a plain request of the first operation showed. */
export type FirstTrial = readonly [OperationSession, Trial | OpenTrial]

/**
 * Whether the first answer of a server is not that of the one that the document describes, and what to change. Null: it may be, and nothing more was
 * sent, or nothing explains it.
 */
export const setUpProblem = async (
  session: RunSession,
  [{ model }, trial]: FirstTrial,
): Promise<string | null> => {
  if (trial.result === 'elsewhere') return trial.reason
  const { operation } = model
  const isUnnamed = trial.result === 'unnamed' || (trial.result === 'open' && trial.unnamed !== null)
  const outcome = isUnnamed ? null : (trial.result === 'accepted' ? trial.sent : trial.last).outcome
  const problem = outcome === null ? null : proxyProblem(session.options, operation, outcome)
  if (problem !== null) return problem
  return outcome === null || answerOf(operation, outcome) === 'missing'
    ? baseUrlProblem(wayOf(session), tellingIn(session))
    : null
}

/** Why most operations are missing, if they are: they may be at another base URL. A 404 for what a path names does not count. */
export const versionProblem = async (
  session: RunSession,
  tried: readonly Tried[],
): Promise<string | null> => {
  const way = wayOf(session)
  const plain = tried.filter(({ operation }) => !namesAnything(session, operation))
  const problem = await otherVersionProblem(way, plain)
  if (problem === null) return null
  const lost = plain.filter(
    ({ operation, outcome }) => operation.method === 'GET' && answerOf(operation, outcome) === 'missing',
  )
  return (await baseUrlProblem(way, lost)) ?? problem
}

export const triedBy = ({ model }: OperationSession, { testCase, outcome }: Sent): Tried => ({
  operation: model.operation,
  request: testCase.request,
  outcome,
})

const namesAnything = ({ options }: RunSession, operation: Tried['operation']): boolean =>
  resourcesOf(options.contract).namesIn(operation).length > 0

/** The requests that tell most: the GET of a path without parameters; else that path itself, of an operation with another method. */
const tellingIn = (session: RunSession): readonly Telling[] =>
  testedOperations(session)
    .filter(({ model: { operation } }) => !operation.path.includes('{'))
    .toSorted((left, right) => rank(left) - rank(right))
    .slice(0, mostAsked)
    .flatMap(({ model: { operation }, sender, valid }): readonly Telling[] => {
      if (valid === undefined) return []
      const { request } = sender.validCase(valid, 'plain')
      // What the gate keeps from an operation holds for its path.
      if (session.gate.refusal(request) !== null) return []
      if (operation.method === 'GET') return [{ operation, request }]
      const [target = ''] = request.target.split('?')
      const headers = request.headers.filter(([name]) => !/^content-/i.test(name))
      return [
        { operation, request: { ...request, method: 'GET', target, headers, body: null, chunked: false } },
      ]
    })

/** The gate may refuse some of them. */
const mostAsked = 10

const rank = ({ model: { operation } }: OperationSession): number =>
  (operation.method === 'GET' ? 0 : 2) + (operation.parameters.some(({ required }) => required) ? 1 : 0)
