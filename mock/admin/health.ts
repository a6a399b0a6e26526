import type { Contract } from '../../spec/index.ts'
import type { Served } from '../documents/documents.ts'
import { type AdminRoutes, jsonResponse } from './routes.ts'

/** `GET /__plantstore/health`, for scripts that wait for the mock; `problem`: why an older document is still served. */
export const healthRoutes = (documents: () => readonly Served[]): AdminRoutes => ({
  'GET /health': () => {
    const [first, ...more] = documents()
    return jsonResponse({
      status: 'ok',
      ...(first === undefined ? {} : healthOf(first)),
      ...(more.length === 0 ? {} : { more: more.map(healthOf) }),
    })
  },
})

const healthOf = ({ prefix, contract, problem }: Served): object => ({
  ...(prefix === '' ? {} : { prefix }),
  contract: nameOf(contract),
  operations: contract.operations.length,
  ...(problem === null ? {} : { problem }),
})

const nameOf = ({ title, version }: Contract): string => `${title} ${version}`.trim()
