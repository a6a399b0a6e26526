import type { Contract } from '../contract/contract.ts'
import type { Obligation } from '../obligations/obligation.ts'
import { idOf } from '../obligations/obligation-id.ts'
import type { Flow } from './flow.ts'

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
