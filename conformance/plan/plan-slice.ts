import { createHash } from 'node:crypto'
import type { Family, Obligation } from '../../spec/index.ts'
import type { TestCase } from '../cases/case.ts'

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

/** SHA-256 over the planned requests of a slice. */
export type SliceDigest = { readonly slice: string; readonly digest: string }

/**
 * Digests of the requests of a plan in their order, one for each slice. They are equal for the same contract, seed and budget, at
 * any concurrency.
 */
export const createDigests = (slices: readonly PlanSlice[]) => {
  const hashes = new Map(slices.map(({ name }) => [name, createHash('sha256')]))
  return {
    add: ({ obligation, request, precondition }: TestCase): void => {
      const hash = hashes.get(sliceNameOf(obligation))
      if (hash === undefined) return
      const { method, target, headers, chunked, body, raw } = request
      const parts = [method, target, headers, chunked, precondition, body?.length ?? null]
      hash.update(JSON.stringify(raw === undefined ? parts : [...parts, raw]))
      if (body !== null) hash.update(body)
    },
    all: (): readonly SliceDigest[] =>
      [...hashes].map(([slice, hash]) => ({ slice, digest: hash.digest('hex') })),
  }
}

/** The digest of a whole plan from those of its slices, which stand in the order of the contract. */
export const digestOf = (slices: readonly SliceDigest[]): string =>
  createHash('sha256')
    .update(JSON.stringify(slices.map(({ slice, digest }) => [slice, digest])))
    .digest('hex')
