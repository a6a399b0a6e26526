import {
  criterionText,
  type Exchange,
  evaluatedAll,
  type FlowAction,
  type FlowStep,
  firstUnmet,
  type Json,
  type Known,
  type Outcome,
  valuesText,
} from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'
import { violationsOf } from '../cases/expectation.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { hasDone } from '../judge/expected-status.ts'
import { summary } from '../judge/observation-text.ts'

/** What is wrong with the outcome of a step. */
export type FlowProblem = { readonly expected: string; readonly actual: string }

/** What expressions may ask of a request and its response; null without one. */
export const exchangeOf = (target: URL, { request, spec }: TestCase, outcome: Outcome): Exchange | null =>
  outcome.kind === 'failure'
    ? null
    : {
        url: target.href.replace(/\/$/, '') + request.target,
        method: request.method,
        status: outcome.response.status,
        path: Object.fromEntries(
          Object.entries(spec.parameters).map(([name, value]) => [name, String(value)]),
        ),
        request: { headers: request.headers, body: request.body },
        response: { headers: outcome.response.headers, body: outcome.response.body },
      }

/** Without criteria, what was asked has to be done. */
export const problemOf = async (
  model: OperationModel,
  { criteria }: FlowStep,
  testCase: TestCase,
  outcome: Outcome,
  known: Known,
): Promise<FlowProblem | null> => {
  if (outcome.kind === 'failure') return { expected: 'a response', actual: summary(outcome) }
  if (criteria.length === 0)
    return hasDone(model.operation, outcome)
      ? null
      : { expected: 'a success', actual: `${summary(outcome)}${invalidText(model, testCase)}` }
  const unmet = await firstUnmet(criteria, known)
  if (unmet === null) return null
  const values = valuesText(unmet, known)
  const actual = `${summary(outcome)}${values === '' ? '' : `, ${values}`}`
  return { expected: criterionText(unmet), actual: `${actual}${invalidText(model, testCase)}` }
}

/** Why the document rules the request of a step out: then the workflow is at fault, and not the server. */
const invalidText = (model: OperationModel, { spec, request }: TestCase): string => {
  const [violation] = violationsOf(model, spec.path, request, '').filter(({ part }) => part !== 'credentials')
  return violation === undefined
    ? ''
    : `; the document does not allow the request of the step: ${violation.message}`
}

/** The first action whose criteria hold. */
export const chosen = async (actions: readonly FlowAction[], known: Known): Promise<FlowAction | null> => {
  for (const action of actions) if ((await firstUnmet(action.criteria, known)) === null) return action
  return null
}

export const next = async (
  actions: readonly FlowAction[],
  known: Known,
): Promise<FlowAction['next'] | null> => (await chosen(actions, known))?.next ?? null

/** What later steps may ask for: of a step that calls a workflow, the outputs of that as well. */
export const noteOutputs = (
  known: Known,
  { id, outputs }: FlowStep,
  seen: Known,
  inherited: Readonly<Record<string, Json>> = {},
): void => {
  const steps = known.values.steps as Record<string, Json>
  steps[id] = { outputs: { ...inherited, ...evaluatedAll(outputs, seen, []) } }
}
