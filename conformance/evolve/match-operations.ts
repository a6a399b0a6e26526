import type { Contract, Operation } from '../../spec/index.ts'

/** The operations of two documents by method and path; the names of path parameters do not matter. */
export type Matched = {
  readonly pairs: readonly (readonly [old: Operation, now: Operation])[]
  readonly gone: readonly Operation[]
  readonly added: readonly Operation[]
  /** Those that one of the documents describes in a way that cannot be used. */
  readonly unusable: readonly {
    readonly operation: string
    readonly contract: Contract
    readonly reason: string
  }[]
}

export const matchOperations = (old: Contract, now: Contract): Matched => {
  const unusable = [old, now].flatMap(contract =>
    contract.leftOut.map(({ method, path, problems: [problem] }) => ({
      operation: method === '*' ? path : `${method} ${path}`,
      contract,
      reason: problem?.message ?? 'the document describes it in a way that cannot be used',
    })),
  )
  const leftOut = new Set([old, now].flatMap(({ leftOut: all }) => all.map(shapeOf)))
  const isLeftOut = (operation: Operation): boolean =>
    leftOut.has(shapeOf(operation)) || leftOut.has(shapeOf({ ...operation, method: '*' }))
  const byShape = new Map(now.operations.map(operation => [shapeOf(operation), operation]))
  const shapes = new Set(old.operations.map(shapeOf))
  return {
    pairs: old.operations.flatMap(operation => {
      const other = byShape.get(shapeOf(operation))
      return other === undefined ? [] : [[operation, other] as const]
    }),
    gone: old.operations.filter(operation => !byShape.has(shapeOf(operation)) && !isLeftOut(operation)),
    added: now.operations.filter(operation => !shapes.has(shapeOf(operation)) && !isLeftOut(operation)),
    unusable,
  }
}

const shapeOf = ({ method, path }: Pick<Operation, 'method' | 'path'>): string =>
  `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}')}`
