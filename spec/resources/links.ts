import type { Contract, Operation } from '../contract/contract.ts'
import { asNode, follow } from '../json/follow-refs.ts'
import { localReference, step } from '../json/pointer.ts'

/** A link of a response: where the values of the parameters of another operation are (OpenAPI 3.1, Link Object). */
export type Link = {
  readonly from: Operation
  readonly status: string
  readonly to: Operation
  /** Runtime expressions by the name of the parameter. */
  readonly parameters: Readonly<Record<string, string>>
}

/** The links of a contract that lead to one of its operations. */
export const linksOf = ({ document, operations }: Contract): readonly Link[] =>
  operations.flatMap(from =>
    from.responses.flatMap(({ status, pointer }) => {
      const at = step(pointer, 'links')
      return Object.keys(asNode(follow(document, at).node)).flatMap(name => {
        const { node } = follow(document, step(at, name))
        const to = operations.find(operation => isTarget(operation, node))
        return to === undefined ? [] : [{ from, status, to, parameters: expressionsIn(node.parameters) }]
      })
    }),
  )

const isTarget = (
  { id, pointer }: Operation,
  { operationId, operationRef }: Readonly<Record<string, unknown>>,
): boolean =>
  typeof operationId === 'string'
    ? operationId === id
    : typeof operationRef === 'string' && localReference(operationRef) === pointer

/** By the bare name: `path.id` says where the parameter is. Values that are no expressions are the same for all resources. */
const expressionsIn = (parameters: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(asNode(parameters)).flatMap(([name, value]) =>
      typeof value === 'string' && value.includes('$') ? [[name.replace(/^path\./, ''), value] as const] : [],
    ),
  )
