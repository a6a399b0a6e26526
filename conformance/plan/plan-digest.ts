import { createHash } from 'node:crypto'
import type { TestCase } from '../cases/case.ts'
import { type PlanSlice, sliceNameOf } from './plan-slice.ts'

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
