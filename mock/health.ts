import type { Contract } from '../spec/index.ts'
import { type OwnRoutes, ownJson } from './own.ts'

/** `GET /__plantstore/health`, for those who wait for the mock. */
export const healthRoutes = ({ title, version, operations }: Contract): OwnRoutes => ({
  'GET /health': () =>
    ownJson({ status: 'ok', contract: `${title} ${version}`.trim(), operations: operations.length }),
})
