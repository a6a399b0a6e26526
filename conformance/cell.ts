import type { Family, Obligation } from '../spec/index.ts'

/**
 * The part of a plan that is about one family of promises of one operation: the least that is sent by itself. The
 * family `answer` has none: answers are judged whatever was asked.
 */
export type Cell = { readonly name: string; readonly operation: string; readonly family: Family }

export const cellOf = ({ operation, family }: Pick<Obligation, 'operation' | 'family'>): string =>
  `${operation}/${family}`

/** The cells of these obligations, in their order. */
export const cellsOf = (obligations: readonly Obligation[]): readonly Cell[] => {
  const cells = new Map<string, Cell>()
  for (const { operation, family } of obligations) {
    const name = cellOf({ operation, family })
    if (family !== 'answer' && !cells.has(name)) cells.set(name, { name, operation, family })
  }
  return [...cells.values()]
}
