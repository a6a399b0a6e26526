import type { Contract } from '../spec/index.ts'
import type { Engine } from './engine.ts'

/** Paths below this are the mock's own: no document has them. */
const own = '/__plantstore'

/** Answers `GET /__plantstore/health` for those who wait for the mock, without looking at credentials. */
export const withHealth = (engine: Engine, { title, version, operations }: Contract): Engine => {
  const body = new TextEncoder().encode(
    `${JSON.stringify({ status: 'ok', contract: `${title} ${version}`.trim(), operations: operations.length })}\n`,
  )
  return request =>
    request.target === `${own}/health` && (request.method === 'GET' || request.method === 'HEAD')
      ? Promise.resolve({ status: 200, headers: [['Content-Type', 'application/json']], body })
      : engine(request)
}
