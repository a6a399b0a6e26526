import { statusOf } from '../../spec/index.ts'
import { judgeCase } from '../judge/judge-case.ts'
import type { Incident } from '../judge/run-stats.ts'
import { isAbsence, isAbsenceInWords } from '../pool/rejection-words.ts'
import type { RunSession } from '../session/session.ts'
import type { TrialAnswer } from '../session/trial-answers.ts'
import type { OperationTrial } from './trials.ts'

/**
 * What valid requests show that were sent while operations were tried: those that were rejected before another one was accepted, and those that
 * got a server error, whatever came of the search.
 */
export const trialIncidents = (
  session: RunSession,
  trials: ReadonlyMap<string, OperationTrial>,
): readonly Incident[] => {
  const crashes = session.answers.takeCrashes()
  return [...session.operations].flatMap(([id, operation]) => {
    const trial = trials.get(id)?.[1]
    const before: readonly TrialAnswer[] =
      trial?.result === 'accepted' ? trial.before.filter(each => !mayHaveComeToBe(each)) : []
    const told = new Set(before.map(({ testCase }) => testCase.number))
    const others = (crashes.get(id) ?? []).filter(({ testCase }) => !told.has(testCase.number))
    // They come again with the values that they had, whatever the requests of the operation have now.
    for (const { testCase } of others) session.pool.exempt(id, testCase.number)
    return [...before, ...others].flatMap(({ testCase, outcome }): readonly Incident[] => {
      const { violation } = judgeCase(operation.model, testCase, outcome, session.options)
      return violation === null ? [] : [{ testCase, outcome, violation }]
    })
  })
}

/** Whether nothing was there for a request that names nothing itself: others have created it since. */
const mayHaveComeToBe = ({ testCase: { chain }, outcome }: TrialAnswer): boolean =>
  chain?.exists !== true &&
  (isAbsence(statusOf(outcome)) || (statusOf(outcome) < 500 && isAbsenceInWords(outcome)))
