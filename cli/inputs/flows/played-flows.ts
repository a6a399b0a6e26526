/** Workflows as scenarios of the mock. */
import type { Scenario, ScenarioSets } from '../../../mock/index.ts'
import {
  type Contract,
  type Criterion,
  criterionText,
  type Flow,
  type FlowStep,
  type Json,
  parseJson,
  steps,
  successStatuses,
} from '../../../spec/index.ts'
import { say } from '../../process/terminal.ts'
import { flowsOf } from './flows.ts'

/**
 * The workflows of these files as scenario sets of their names: the n-th request for an operation is answered as its n-th step wants it. A
 * criterion that is no equation of a status or of a value in a JSON body is named, and left to the client. Throws UsageError, and
 * DocumentError with the lines that cannot be read.
 */
export const playedFlows = (files: readonly string[], contract: Contract): ScenarioSets => {
  const { flows = [] } = flowsOf({ arazzo: files }, contract)
  // Several workflows may run the same step.
  const unplayed = new Set<string>()
  const sets = flows.map(flow => [flow.id, setOf(flow, flows, contract, unplayed)] as const)
  unplayed.forEach(say)
  return Object.fromEntries(sets)
}

const setOf = (
  flow: Flow,
  flows: readonly Flow[],
  contract: Contract,
  unplayed: Set<string>,
): Record<string, readonly Scenario[]> => {
  const set: Record<string, Scenario[]> = {}
  const counts = new Map<string, number>()
  for (const { operation, step, flow: of } of stepsOf(flow, flows)) {
    const turn = (counts.get(operation) ?? 0) + 1
    counts.set(operation, turn)
    const { wanted, others } = wantedBy(step, of.inputs, isUsual(contract, operation))
    for (const other of others)
      unplayed.add(
        `${of.id}/${step.id}: the mock does not play \`${other}\`: it plays $statusCode == NUMBER and $response.body#/POINTER == VALUE`,
      )
    if (Object.keys(wanted).length === 0) continue
    const ofOperation = set[operation] ?? []
    set[operation] = ofOperation
    ofOperation.push({ ...wanted, times: 1, ...(turn === 1 ? {} : { every: turn }) })
  }
  return set
}

type Played = { readonly operation: string; readonly step: FlowStep; readonly flow: Flow }

/** The steps in their order, with those of the workflows that they run. */
const stepsOf = (flow: Flow, flows: readonly Flow[], outer: readonly Flow[] = []): readonly Played[] =>
  outer.includes(flow)
    ? []
    : flow.steps.flatMap((step): readonly Played[] => {
        const { target } = step
        if (target.kind === 'operation') return [{ operation: target.operation, step, flow }]
        const inner = target.kind === 'workflow' ? flows.find(({ id }) => id === target.workflow) : undefined
        return inner === undefined ? [] : stepsOf(inner, flows, [...outer, flow])
      })

/** Whether valid requests of an operation get this status anyway. */
const isUsual =
  ({ operations }: Contract, id: string) =>
  (status: number): boolean => {
    const operation = operations.find(each => each.id === id)
    const [first] = operation === undefined ? [] : successStatuses(operation)
    return first === String(status)
  }

/** What the criteria of a step say of the response; `others`: those that say something else. */
const wantedBy = (
  { criteria }: FlowStep,
  inputs: Flow['inputs'],
  isUsualStatus: (status: number) => boolean,
): { readonly wanted: Pick<Scenario, 'status' | 'patch'>; readonly others: readonly string[] } => {
  let status: number | null = null
  let patch: Patch = {}
  const others: string[] = []
  for (const criterion of criteria) {
    for (const part of equationsIn(criterion)) {
      const [, code] = /^\s*\$statusCode\s*==\s*([1-5]\d\d)\s*$/.exec(part) ?? []
      const [, pointer, text] = /^\s*\$response\.body#((?:\/[^\s/=]+)+)\s*==\s*(\S.*)$/.exec(part) ?? []
      const value = text === undefined ? undefined : literalIn(text.trim(), inputs)
      if (code !== undefined) status = Number(code)
      else if (pointer !== undefined && value !== undefined && !isOfList(pointer))
        patch = patched(patch, steps(pointer), value)
      else others.push(criterion.kind === 'simple' ? part.trim() : criterionText(criterion))
    }
  }
  return {
    wanted: {
      ...(status === null || isUsualStatus(status) ? {} : { status }),
      ...(Object.keys(patch).length === 0 ? {} : { patch }),
    },
    others,
  }
}

/** The equations of a criterion, or its condition. A pattern such as `^paid$` allows one text, and is an equation as well. */
const equationsIn = ({ kind, context, condition }: Criterion): readonly string[] => {
  if (kind === 'simple') return condition.split('&&')
  const [, text] = kind === 'regex' ? (/^\^([\w -]*)\$$/.exec(condition) ?? []) : []
  return [text === undefined ? condition : `${context} == '${text}'`]
}

type Literal = string | number | boolean
const isScalar = (value: Json): value is Literal => ['string', 'number', 'boolean'].includes(typeof value)
type Patch = { readonly [name: string]: Literal | Patch }

/** Conditions have texts in single quotes, and inputs, of which the default counts. Undefined: it is no text, number or boolean. */
const literalIn = (text: string, inputs: Flow['inputs']): Literal | undefined => {
  const [, input] = /^\$inputs\.([\w-]+)$/.exec(text) ?? []
  const given = input === undefined ? undefined : inputs[input]
  if (given !== undefined) return isScalar(given) ? given : undefined
  const [, quoted] = /^'([^']*)'$/.exec(text) ?? []
  if (quoted !== undefined) return quoted
  if (!/^(?:true|false|-?\d[\d.]*|"[^"]*")$/.test(text)) return undefined
  try {
    return parseJson(text) as Literal
  } catch {
    return undefined
  }
}

/** A merge patch replaces lists as a whole. */
const isOfList = (pointer: string): boolean => steps(pointer).some(key => /^(?:\d+|-)$/.test(key))

const patched = (patch: Patch, [key = '', ...rest]: readonly string[], value: Literal): Patch => {
  const inner = patch[key]
  return {
    ...patch,
    [key]: rest.length === 0 ? value : patched(typeof inner === 'object' ? inner : {}, rest, value),
  }
}
