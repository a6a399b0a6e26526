import type { Contract } from '../contract/contract.ts'
import type { Json } from '../json/json.ts'
import type { Obligation } from '../obligations/obligation.ts'
import { idOf } from '../obligations/obligation-id.ts'
import type { Place } from '../openapi/diagnostic.ts'

/** What of a workflow cannot be evaluated. */
export class FlowError extends Error {
  override readonly name = 'FlowError'
}

/** A condition of an Arazzo document; all of a list have to hold. */
export type Criterion = {
  readonly kind: 'simple' | 'regex' | 'jsonpath' | 'xpath'
  /** The runtime expression that a pattern or a path is about; null for a simple condition, which has its own. */
  readonly context: string | null
  readonly condition: string
}

/** What comes after a step, if its criteria hold. */
export type FlowAction = {
  readonly criteria: readonly Criterion[]
  /** Milliseconds before a step is sent again, and how often it is at most. */
  readonly retry: { readonly afterMs: number; readonly limit: number } | null
  /** The step or the workflow that is next; before the step again, if that is sent again. */
  readonly next:
    | { readonly kind: 'step'; readonly step: string }
    | { readonly kind: 'workflow'; readonly workflow: string }
    | { readonly kind: 'end' }
    | { readonly kind: 'same' }
}

/** `in` is null for an input of a workflow. A value may be, or hold, runtime expressions. */
export type FlowParameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'querystring' | null
  readonly value: Json
}

/** `target`: a JSON pointer, or a JSONPath. */
export type FlowReplacement = { readonly target: string; readonly isPath: boolean; readonly value: Json }

export type FlowStep = {
  readonly id: string
  /** The id of the operation in the contract, or of another workflow; a message of an AsyncAPI document, which nothing here sends or takes. */
  readonly target:
    | { readonly kind: 'operation'; readonly operation: string }
    | { readonly kind: 'workflow'; readonly workflow: string }
    | { readonly kind: 'message' }
  readonly parameters: readonly FlowParameter[]
  /** `payload` is undefined if only parts of the usual body are replaced. */
  readonly body: {
    readonly contentType: string | null
    readonly payload: Json | undefined
    readonly replacements: readonly FlowReplacement[]
  } | null
  readonly criteria: readonly Criterion[]
  readonly onSuccess: readonly FlowAction[]
  readonly onFailure: readonly FlowAction[]
  readonly outputs: Readonly<Record<string, Json>>
  readonly place: Place
}

/** A workflow of an Arazzo document: requests in an order, each with what those before it gave. */
export type Flow = {
  readonly id: string
  /** Each input with its default, if it has one. */
  readonly inputs: Readonly<Record<string, Json | undefined>>
  /** Those that have to have a value. */
  readonly required: readonly string[]
  readonly dependsOn: readonly string[]
  readonly steps: readonly FlowStep[]
  readonly outputs: Readonly<Record<string, Json>>
  readonly place: Place
}

/** That each step of the workflows succeeds which sends a request. */
export const flowObligationsOf = (contract: Contract, flows: readonly Flow[]): readonly Obligation[] =>
  flows.flatMap(({ id: flow, steps }) =>
    steps.flatMap(({ id: step, target, place }): readonly Obligation[] => {
      if (target.kind !== 'operation') return []
      const operation = contract.operations.find(({ id }) => id === target.operation)
      if (operation === undefined) return []
      const subject = { kind: 'flow', flow, step } as const
      return [
        {
          id: idOf(operation.id, subject),
          operation: operation.id,
          family: 'flow',
          level: 'MUST',
          input: `the request of step ${step}, after the steps before it`,
          requirement: `step ${step} of the workflow ${flow} succeeds`,
          clause: { pointer: operation.pointer, place, rule: null },
          subject,
        },
      ]
    }),
  )
