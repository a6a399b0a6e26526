/** Reads Arazzo documents (1.0 and 1.1), for one contract. */
import type { Contract } from '../contract/contract.ts'
import type { Json } from '../json/json.ts'
import { type Pointer, step } from '../json/pointer.ts'
import { isTable } from '../openapi/walk-references.ts'
import {
  type ArazzoDocument,
  type At,
  inputsOf,
  openArazzo,
  readCriterion,
  similar,
  type Table,
  targetOf,
} from './arazzo-document.ts'
import type { Criterion, Flow, FlowAction, FlowParameter, FlowStep } from './flow.ts'
import { selectorIn, selectorType } from './selector.ts'

/** Gives the text of another document, as `url` of a source description names it, and its name in messages. */
export type OpenOther = (url: string, file: string) => { readonly text: string; readonly file: string }

/**
 * The workflows of an Arazzo document, and of others that it names, with the operations of the contract. `file`: as messages name it. Throws
 * DocumentError with what cannot be read or run, by line.
 */
export const readFlows = (
  text: string,
  file: string,
  contract: Contract,
  open: OpenOther,
): readonly Flow[] => {
  const read = new Map<string, string>()
  const flows: Flow[] = []
  /** Gives what the ids of the workflows of a document begin with: those of others are named by their source. */
  const add = (document: { readonly text: string; readonly file: string }, prefix: string): string => {
    const known = read.get(document.file)
    if (known !== undefined) return known
    read.set(document.file, prefix)
    const other = {
      read: (url: string, source: string): string => add(open(url, document.file), `${source}.`),
      has: (id: string): boolean => flows.some(flow => flow.id === id),
    }
    flows.push(...flowsIn(openArazzo(document.text, document.file), contract, prefix, other))
    return prefix
  }
  add({ text, file }, '')
  return flows
}

const flowsIn = (
  document: ArazzoDocument,
  contract: Contract,
  prefix: string,
  other: {
    readonly read: (url: string, source: string) => string
    readonly has: (id: string) => boolean
  },
): readonly Flow[] => {
  const { root, placeOf, fail, tableAt, listIn, textIn, entriesIn, resolvedAt } = document
  const criterionOf = (entry: At<unknown>): Criterion => readCriterion(document, entry)

  const parameterOf = (entry: At<unknown>): FlowParameter => {
    const { value: table, at } = resolvedAt(entry, 'a parameter')
    const place = table.in
    if (place !== undefined && !placesOfParameters.has(place as string))
      return fail(`a parameter is in path, query, header, cookie or querystring, not in ${String(place)}`, at)
    if (table.value === undefined) return fail('the parameter has no `value`', at)
    return {
      name: textIn({ value: table, at }, 'name'),
      in: (place ?? null) as FlowParameter['in'],
      value: table.value as Json,
    }
  }

  const sources = listIn({ value: root, at: '' }, 'sourceDescriptions').flatMap(({ value }) =>
    isTable(value) ? [value] : [],
  )
  const workflows = listIn({ value: root, at: '' }, 'workflows')
  if (workflows.length === 0) fail('the document has no `workflows`', '')
  const idsOfFlows = new Set(
    workflows.map(({ value, at }) => textIn({ value: tableAt(value, at, 'a workflow'), at }, 'workflowId')),
  )

  const workflowOf = (name: string, at: Pointer): string => {
    const [, source = '', inOther = ''] =
      /^\$sourceDescriptions\.([^.]+)\.(?:workflows\.)?(.+)$/.exec(name) ?? []
    if (source !== '') {
      const url = sources.find(each => each.name === source && each.type === 'arazzo')?.url
      if (typeof url !== 'string') return fail(`${source} is no source of type arazzo with a \`url\``, at)
      const id = `${other.read(url, source)}${inOther}`
      return other.has(id) ? id : fail(`${url} has no workflow ${inOther}`, at)
    }
    const id = name.replace(/^\$workflows\./, '')
    return idsOfFlows.has(id)
      ? `${prefix}${id}`
      : fail(`there is no workflow ${id}${similar(id, [...idsOfFlows])}`, at)
  }

  const actionOf = (entry: At<unknown>, idsOfSteps: ReadonlySet<string>): FlowAction => {
    const action = resolvedAt(entry, 'an action')
    const { type, stepId, workflowId, retryAfter, retryLimit } = action.value
    if (!['end', 'goto', 'retry'].includes(type as string))
      return fail(`an action has the type end, goto or retry, not ${String(type)}`, action.at)
    if (typeof stepId === 'string' && !idsOfSteps.has(stepId))
      return fail(`there is no step ${stepId}${similar(stepId, [...idsOfSteps])}`, action.at)
    if (type === 'goto' && stepId === undefined && workflowId === undefined)
      return fail('the action names no `stepId` and no `workflowId`', action.at)
    const there: FlowAction['next'] =
      typeof stepId === 'string'
        ? { kind: 'step', step: stepId }
        : typeof workflowId === 'string'
          ? { kind: 'workflow', workflow: workflowOf(workflowId, action.at) }
          : { kind: 'same' }
    return {
      criteria: listIn(action, 'criteria').map(criterionOf),
      retry:
        type === 'retry'
          ? { afterMs: 1000 * Math.max(0, Number(retryAfter ?? 0)), limit: Number(retryLimit ?? 1) }
          : null,
      next: type === 'end' ? { kind: 'end' } : there,
    }
  }

  /** A selector that cannot be evaluated is not sent as a value. */
  const checkSelectors = (value: unknown, at: Pointer): void => {
    if (typeof value !== 'object' || value === null) return
    const { context, selector, type, ...rest } = value as Table
    const isSelector = [context, selector].every(each => typeof each === 'string') && type !== undefined
    if (isSelector && Object.keys(rest).length === 0 && selectorIn(value as Json) === null)
      fail(`selectors of type ${String(selectorType(type))} are not supported: use ${usableSelectors}`, at)
    for (const [key, member] of Object.entries(value)) checkSelectors(member, step(at, key))
  }

  const bodyOf = (of: At<Table>): FlowStep['body'] => {
    if (of.value.requestBody === undefined) return null
    const at = step(of.at, 'requestBody')
    const body = tableAt(of.value.requestBody, at, '`requestBody`')
    return {
      contentType: typeof body.contentType === 'string' ? body.contentType : null,
      payload: body.payload as Json | undefined,
      replacements: listIn({ value: body, at }, 'replacements').map(entry => {
        const replacement = tableAt(entry.value, entry.at, 'a replacement')
        const written = textIn({ value: replacement, at: entry.at }, 'target')
        const kind = selectorType(replacement.targetSelectorType ?? 'jsonpointer')
        const isPath = kind === 'jsonpath'
        if (!isPath && kind !== 'jsonpointer')
          return fail(
            `targets of type ${String(kind)} are not supported: use jsonpath or jsonpointer`,
            entry.at,
          )
        const target = isPath ? written : written.replace(/^#/, '')
        if (!isPath && target !== '' && !target.startsWith('/'))
          return fail(`the target ${target} is no JSON pointer, such as /name`, entry.at)
        return { target, isPath, value: (replacement.value ?? null) as Json }
      }),
    }
  }

  return workflows.map(({ value, at }) => {
    const of: At<Table> = { value: tableAt(value, at, 'a workflow'), at }
    const shared = listIn(of, 'parameters').map(parameterOf)
    checkSelectors(of.value.outputs, step(at, 'outputs'))
    const entries = listIn(of, 'steps').map(entry => ({
      value: tableAt(entry.value, entry.at, 'a step'),
      at: entry.at,
    }))
    if (entries.length === 0) fail('the workflow has no `steps`', at)
    const ids = new Set(entries.map(entry => textIn(entry, 'stepId')))
    const ofWorkflow = (name: string): readonly FlowAction[] =>
      listIn(of, name).map(entry => actionOf(entry, ids))
    const [successes, failures] = [ofWorkflow('successActions'), ofWorkflow('failureActions')]
    return {
      id: `${prefix}${textIn(of, 'workflowId')}`,
      ...inputsOf(
        of.value.inputs === undefined
          ? {}
          : resolvedAt({ value: of.value.inputs, at: step(at, 'inputs') }, '`inputs`').value,
      ),
      dependsOn: [
        ...new Set([
          ...listIn(of, 'dependsOn').map(entry => workflowOf(String(entry.value), entry.at)),
          ...namedIn(of.value).flatMap(id =>
            idsOfFlows.has(id) && id !== of.value.workflowId ? [`${prefix}${id}`] : [],
          ),
        ]),
      ],
      steps: entries.map((entry): FlowStep => {
        checkSelectors(entry.value, entry.at)
        const { workflowId } = entry.value
        const own = listIn(entry, 'parameters').map(parameterOf)
        const isOwn = ({ name, in: place }: FlowParameter): boolean =>
          own.some(parameter => parameter.name === name && parameter.in === place)
        const actions = (name: string): readonly FlowAction[] =>
          listIn(entry, name).map(action => actionOf(action, ids))
        return {
          id: textIn(entry, 'stepId'),
          target:
            typeof workflowId === 'string'
              ? { kind: 'workflow', workflow: workflowOf(workflowId, step(entry.at, 'workflowId')) }
              : targetOf(document, contract, sources, entry),
          parameters: [...own, ...shared.filter(parameter => !isOwn(parameter))],
          body: bodyOf(entry),
          criteria: listIn(entry, 'successCriteria').map(criterionOf),
          onSuccess: [...actions('onSuccess'), ...successes],
          onFailure: [...actions('onFailure'), ...failures],
          outputs: entriesIn(entry, 'outputs'),
          place: placeOf(entry.at),
        }
      }),
      outputs: entriesIn(of, 'outputs'),
      place: placeOf(at),
    }
  })
}

const usableSelectors = 'jsonpath, jsonpointer or xpath'

const placesOfParameters: ReadonlySet<string> = new Set(['path', 'query', 'header', 'cookie', 'querystring'])

/** The workflows whose outputs the expressions of a value ask for: they have to run before. */
const namedIn = (value: unknown): readonly string[] =>
  Array.from(JSON.stringify(value).matchAll(/\$workflows\.([\w-]+)\.outputs/g), ([, id = '']) => id)
