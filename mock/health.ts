import type { Contract } from '../spec/index.ts'
import type { Served } from './documents.ts'
import { type OwnRoutes, ownJson } from './own.ts'

/** `GET /__plantstore/health`, for those who wait for the mock; `problem`: why an older document is still served. */
export const healthRoutes = (documents: () => readonly Served[]): OwnRoutes => ({
  'GET /health': () => {
    const [first, ...more] = documents()
    return ownJson({
      status: 'ok',
      ...(first === undefined ? {} : told(first)),
      ...(more.length === 0 ? {} : { more: more.map(told) }),
    })
  },
})

const told = ({ prefix, contract, problem }: Served): object => ({
  ...(prefix === '' ? {} : { prefix }),
  contract: nameOf(contract),
  operations: contract.operations.length,
  ...(problem === null ? {} : { problem }),
})

const nameOf = ({ title, version }: Contract): string => `${title} ${version}`.trim()
