import type { Family, Obligation } from '../../spec/index.ts'

/**
 * The cases of a plan for one family of obligations of one operation: the smallest part that can be sent by itself. The family
 * `response` has none, because every response is judged by it.
 */
export type PlanSlice = { readonly name: string; readonly operation: string; readonly family: Family }

/** The name of the slice that the cases of an obligation are in. */
export const sliceNameOf = ({ operation, family }: Pick<Obligation, 'operation' | 'family'>): string =>
  `${operation}/${family}`

/** The slices of these obligations, in their order. A run asks for them many times, and a contract may have a hundred thousand obligations. */
export const slicesOf = (obligations: readonly Obligation[]): readonly PlanSlice[] => {
  const known = slicesOfAll.get(obligations)
  if (known !== undefined) return known
  const slices = new Map<string, PlanSlice>()
  for (const { operation, family } of obligations) {
    const name = sliceNameOf({ operation, family })
    if (family !== 'response' && !slices.has(name)) slices.set(name, { name, operation, family })
  }
  const all = [...slices.values()]
  slicesOfAll.set(obligations, all)
  return all
}

const slicesOfAll = new WeakMap<readonly Obligation[], readonly PlanSlice[]>()
