import { isObject, isOfBody, type Json, type Obligation, steps as stepsOf } from '../../spec/index.ts'
import type { RequestSpec, TestCase } from '../cases/case.ts'
import type { OperationModel } from '../cases/operation-model.ts'
import { caseWith, isOfOperation } from '../pool/bound-spec.ts'
import { type Binder, unbound } from '../pool/instance.ts'
import type { Player } from './player.ts'
import type { StepRequest } from './request-of-step.ts'

/**
 * The binder of an operation that workflows have steps for: a case at such a step is sent after the steps before it, with the values that it has
 * in the workflow. Null if there is nothing to bind.
 */
export const withFlows = (
  binder: Binder | null,
  model: OperationModel,
  player: Player | null,
  token: () => string,
): Binder | null => {
  if (player === null) return binder
  const usual = binder ?? unbound
  return {
    ...usual,
    bind: async (testCase, isKnown) => {
      const place = testCase.flow ?? player.placeOf(model.operation.id)
      if (place === undefined || !isOfOperation(model, testCase)) return usual.bind(testCase, isKnown)
      const reached = await player.before(place)
      const bound =
        reached.kind === 'before'
          ? caseWith(
              model,
              testCase,
              specInFlow(model, testCase, reached, place.isWhole !== false),
              { steps: reached.steps, values: [], exists: true },
              token(),
            )
          : null
      const since = performance.now()
      if (bound !== null)
        return {
          kind: 'bound',
          mayBeGone: () => false,
          testCase: bound,
          done: (outcome, asSent = bound) => usual.note(asSent, outcome, since),
          doneBefore: (outcome, asSent) => usual.note(asSent, outcome, since),
        }
      if (testCase.flow === undefined) return usual.bind(testCase, isKnown)
      const reason = `the request of step ${place.step} cannot be varied like this`
      return { kind: 'missing', reason: reached.kind === 'missing' ? reached.reason : reason }
    },
    runChain: async testCase => {
      const { subject } = testCase.obligation
      if (subject.kind !== 'flow') return usual.runChain(testCase)
      const reached = await player.after(subject)
      if (reached.kind === 'missing') return reached
      const { testCase: sent, outcome, steps, problem } = reached
      return {
        kind: 'done',
        outcome,
        testCase: {
          ...testCase,
          spec: sent.spec,
          request: sent.request,
          flow: { flow: subject.flow, step: subject.step, problem },
          chain: { steps, values: [], exists: false },
        },
      }
    },
  }
}

/**
 * The request of the workflow with what a case is about: all of it, or only what earlier steps gave, so that the rest is as varied as in any
 * other case.
 */
export const specInFlow = (
  { parameters }: OperationModel,
  { spec, obligation: { subject } }: Pick<TestCase, 'spec' | 'obligation'>,
  { testCase: { spec: inFlow }, learned }: StepRequest,
  isWhole: boolean,
): RequestSpec => {
  const location = 'location' in subject ? subject.location : null
  const isFromFlow = (name: string): boolean => isWhole || learned.has(name)
  const about = location === null || isOfBody(location) ? null : location.name
  const inPath = new Set(
    parameters.flatMap(({ parameter }) => (parameter.in === 'path' ? [parameter.name] : [])),
  )
  const others = isWhole
    ? Object.entries(spec.parameters).filter(([name]) => name === about)
    : Object.entries(spec.parameters)
  const given = Object.entries(inFlow.parameters).filter(
    ([name]) => name !== about && (inPath.has(name) || isFromFlow(name)),
  )
  return {
    ...spec,
    parameters: Object.fromEntries([...others, ...given]),
    body: bodyWith(
      spec.body,
      inFlow.body,
      location !== null && isOfBody(location) ? testedNames(location.place, subject) : [],
      isFromFlow,
    ),
    renewable: false,
  }
}

/** The properties of the body that a case is about; none: the body as a whole. */
const testedNames = (place: string, subject: Obligation['subject']): readonly string[] => {
  const [name] = stepsOf(place)
  if (name !== undefined) return [name]
  return subject.kind === 'keyword' && subject.keyword === 'required' ? [subject.detail] : []
}

/** The body with what that of the workflow has, but for these names. */
const bodyWith = (
  body: Json | undefined,
  inFlow: Json | undefined,
  tested: readonly string[],
  isFromFlow: (name: string) => boolean,
): Json | undefined => {
  if (!isObject(body) || !isObject(inFlow)) return body
  const given = Object.entries(inFlow).filter(([name]) => !tested.includes(name) && isFromFlow(name))
  const names = new Set(given.map(([name]) => name))
  return Object.fromEntries([...given, ...Object.entries(body).filter(([name]) => !names.has(name))])
}
