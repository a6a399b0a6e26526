/** Plays the workflows of Arazzo documents: one request after the other, each with what those before it gave. */
import {
  type Exchange,
  evaluatedAll,
  type Flow,
  type FlowAction,
  FlowError,
  type FlowStep,
  type Json,
  type Known,
  loadPathsOf,
  type Outcome,
} from '../../spec/index.ts'
import type { ChainStep, TestCase } from '../cases/case.ts'
import { sentValue } from '../cases/encode.ts'
import { summary } from '../judge/observation-text.ts'
import { isSecretKnown, type RunOptions } from '../options/run-options.ts'
import { delay } from '../send/transport/time-limit.ts'
import type { Maker } from '../state/creator.ts'
import { inputsOf } from './flow-inputs.ts'
import { requestOfStep, type StepRequest } from './request-of-step.ts'
import { chosen, exchangeOf, type FlowProblem, next, noteOutputs, problemOf } from './step-outcome.ts'

/** A step of a workflow. */
export type FlowPlace = { readonly flow: string; readonly step: string; readonly isWhole?: boolean }

/** What a step would send, with what was sent before it. */
type Before = StepRequest & { readonly kind: 'before'; readonly steps: readonly ChainStep[] }
/** A step that was answered, with what was sent until then. */
type After = {
  readonly kind: 'after'
  readonly testCase: TestCase
  readonly outcome: Outcome
  readonly steps: readonly ChainStep[]
  readonly problem: FlowProblem | null
}
/** The workflow ended without it. */
type Missing = { readonly kind: 'missing'; readonly reason: string }
type Reached = Before | After | Missing

export type Player = {
  /** Runs a workflow up to a step, and does not send that. */
  readonly before: (place: FlowPlace) => Promise<Before | Missing>
  /** Runs a workflow until a step has been answered. */
  readonly after: (place: FlowPlace) => Promise<After | Missing>
  /** Runs a whole workflow, whatever comes of it. */
  readonly play: (flow: string) => Promise<void>
  /** The step whose place all requests of an operation take, as it accepts them nowhere else; undefined if it needs none. */
  readonly placeOf: (operation: string) => FlowPlace | undefined
  readonly setPlace: (operation: string, place: FlowPlace | undefined) => void
}

type PlayerParts = {
  readonly options: RunOptions
  readonly clock: { readonly deadline: () => number | null }
}

/** A workflow may go back to an earlier step, or start others, but has to end. */
const mostRequests = 200

/** Ends a run of a workflow from wherever it is. */
class Ended extends Error {
  readonly reached: Reached
  constructor(reached: Reached) {
    super('the workflow ended')
    this.reached = reached
  }
}

const missing = (reason: string): Ended => new Ended({ kind: 'missing', reason })

/** One run: the step that it is for, and what it has sent so far. */
type Run = {
  readonly goal: (FlowPlace & { readonly until: 'before' | 'after' }) | null
  readonly steps: ChainStep[]
  readonly workflows: Record<string, Json>
  /** The workflows that have begun, and not ended. */
  readonly active: Set<string>
}

const isGoal = ({ goal }: Run, flow: Flow, step: FlowStep): boolean =>
  goal?.flow === flow.id && goal.step === step.id

/** Null if there are no workflows. `note` has to see every request: it may create or remove something. */
export const playerOf = (
  { options, clock }: PlayerParts,
  makerOf: (operation: string) => Maker,
  note: (operation: string, testCase: TestCase, outcome: Outcome) => void,
): Player | null => {
  const { flows, flowInputs: inputs, target, signal } = options
  if (flows.length === 0) return null
  const waitLimits = { signal, deadline: clock.deadline() }
  const { flowOf, given, lacking, startOf } = inputsOf(flows, inputs)
  const send = async (
    run: Run,
    flow: Flow,
    step: FlowStep,
    operationId: string,
    known: Known,
  ): Promise<{
    readonly testCase: TestCase
    readonly outcome: Outcome
    readonly exchange: Exchange | null
  }> => {
    const maker = makerOf(operationId)
    const { model, sender } = maker
    const unset: string[] = []
    const made = requestOfStep(maker, step, known, unset, isSecretKnown(options, model.operation))
    if (made === null) throw missing(`no request can be made for step ${step.id}`)
    if (unset.length > 0) throw missing(`${unset[0]} has no value in step ${step.id} of ${flow.id}`)
    if (isGoal(run, flow, step) && run.goal?.until === 'before')
      throw new Ended({ kind: 'before', ...made, steps: run.steps })
    if (run.steps.length >= mostRequests) throw missing(`${flow.id} sends more than ${mostRequests} requests`)
    const sent = await sender.sendAsIs(made.testCase)
    if (sent.missing !== undefined)
      throw missing(`step ${step.id} of ${flow.id} was not sent: ${sent.missing}`)
    note(operationId, sent.testCase, sent.outcome)
    const { request } = sent.testCase
    const body = sentValue(model.operation, request)
    run.steps.push({
      operation: operationId,
      request,
      outcome: sent.outcome,
      role: 'flow',
      ...(body === undefined ? {} : { sent: body }),
    })
    return {
      testCase: sent.testCase,
      outcome: sent.outcome,
      exchange: exchangeOf(target, sent.testCase, sent.outcome),
    }
  }

  /** One step, again as often as its actions say. Gives where the workflow goes on. */
  const playStep = async (
    run: Run,
    flow: Flow,
    step: FlowStep,
    known: Known,
    attempt = 0,
  ): Promise<FlowAction['next'] | null> => {
    const { target: of } = step
    if (of.kind === 'message') throw missing(`step ${step.id} of ${flow.id} is a message of AsyncAPI`)
    if (of.kind === 'workflow') {
      const unset: string[] = []
      const values = evaluatedAll(
        Object.fromEntries(step.parameters.map(({ name, value }) => [name, value])),
        known,
        unset,
      )
      const outputs = await playFlow(run, flowOf(of.workflow), { ...given(flowOf(of.workflow)), ...values })
      noteOutputs(known, step, { exchange: null, values: { ...known.values, outputs } }, outputs)
      return next(step.onSuccess, known)
    }
    const { testCase, outcome, exchange } = await send(run, flow, step, of.operation, known)
    const seen: Known = { ...known, exchange }
    const problem = await problemOf(makerOf(of.operation).model, step, testCase, outcome, seen)
    if (problem === null) noteOutputs(known, step, seen)
    const action = await chosen(problem === null ? step.onSuccess : step.onFailure, seen)
    const isRetried = action?.retry != null && attempt < action.retry.limit
    if (isRetried) {
      await delay(action.retry.afterMs, waitLimits)
      await detour(run, flow, action.next, known)
      return playStep(run, flow, step, known, attempt + 1)
    }
    if (isGoal(run, flow, step))
      throw new Ended({ kind: 'after', testCase, outcome, steps: run.steps, problem })
    const goesOn = action !== null && action.retry === null && action.next.kind !== 'end'
    if (problem !== null && !goesOn)
      throw missing(
        `step ${step.id} of ${flow.id} did not succeed: ${summary(outcome)}, expected ${problem.expected}`,
      )
    return action?.next ?? null
  }

  /** What comes before a step is sent again. */
  const detour = async (run: Run, flow: Flow, to: FlowAction['next'], known: Known): Promise<void> => {
    if (to.kind === 'workflow') await playFlow(run, flowOf(to.workflow), given(flowOf(to.workflow)))
    const step = to.kind === 'step' ? flow.steps.find(({ id }) => id === to.step) : undefined
    if (step !== undefined) await playStep(run, flow, step, known)
  }

  const playFlow = async (
    run: Run,
    flow: Flow,
    values: Readonly<Record<string, Json>>,
  ): Promise<Readonly<Record<string, Json>>> => {
    if (run.active.has(flow.id)) throw missing(`the workflow ${flow.id} starts itself`)
    run.active.add(flow.id)
    for (const id of flow.dependsOn)
      if (!Object.hasOwn(run.workflows, id)) await playFlow(run, flowOf(id), given(flowOf(id)))
    const known: Known = {
      exchange: null,
      values: { inputs: values, steps: {}, workflows: run.workflows },
    }
    for (let index = 0; index < flow.steps.length; ) {
      const to = await playStep(run, flow, flow.steps[index] as FlowStep, known)
      if (to?.kind === 'end') break
      if (to?.kind === 'workflow') {
        await playFlow(run, flowOf(to.workflow), given(flowOf(to.workflow)))
        break
      }
      index = to?.kind === 'step' ? flow.steps.findIndex(({ id }) => id === to.step) : index + 1
    }
    const outputs = evaluatedAll(flow.outputs, known, [])
    run.active.delete(flow.id)
    run.workflows[flow.id] = { inputs: values, outputs }
    return outputs
  }

  const start = async (flow: Flow, goal: Run['goal']): Promise<Reached> => {
    await loadPathsOf(flows)
    try {
      await playFlow({ goal, steps: [], workflows: {}, active: new Set() }, flow, given(flow))
    } catch (error) {
      if (error instanceof Ended) return error.reached
      if (error instanceof FlowError) return { kind: 'missing', reason: `${flow.id}: ${error.message}` }
      throw error
    }
    return { kind: 'missing', reason: `${flow.id} ended without step ${goal?.step}` }
  }

  /** A run ends at its goal as that says, or without it. */
  const reach = async <Kind extends 'before' | 'after'>(
    place: FlowPlace,
    until: Kind,
  ): Promise<Extract<Reached, { readonly kind: Kind }> | Missing> => {
    const flow = startOf(place.flow)
    if (flow !== null)
      return (await start(flow, { ...place, until })) as Extract<Reached, { readonly kind: Kind }> | Missing
    const [name] = lacking(flowOf(place.flow))
    return {
      kind: 'missing',
      reason: `the input ${name} of the workflow ${place.flow} has no value: add --arazzo-input ${place.flow}.${name}=…`,
    }
  }

  const places = new Map<string, FlowPlace | undefined>()
  return {
    placeOf: operation => places.get(operation),
    setPlace: (operation, place) => places.set(operation, place),
    before: place => reach(place, 'before'),
    after: place => reach(place, 'after'),
    play: async id => {
      const flow = flowOf(id)
      if (lacking(flow).length === 0) await start(flow, null)
    },
  }
}
