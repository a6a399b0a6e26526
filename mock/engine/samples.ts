import type { DeclaredResponse, Operation } from '../../spec/index.ts'
import type { PrismSample, SampleSource } from '../values/prism.ts'
import { repairedSample } from '../values/repaired.ts'
import { headersOf, writeResponse } from './compiled-response.ts'
import { compiledOperation, compiledResponse, type Engine } from './engine.ts'
import type { MaybePromise } from './maybe-promise.ts'

/** Prism makes so many samples of a response for different requests; ids in them are each request's own. */
export const variants = 8

/** Whether a sample of Prism conforms. A request's own values do not count: the next request has others. */
export const hasUsable = async (
  engine: Engine,
  operation: Operation,
  declared: DeclaredResponse,
  status: number,
): Promise<boolean> => {
  const inputs = { parts: { operation, declared }, data: { status } }
  const { isUsable } = await engine.usable(inputs, async ({ parts, data }) => {
    const compiled = compiledOperation(engine, parts.operation)
    const response = compiledResponse(engine, compiled, parts.declared)
    for (let variant = 0; variant < variants; variant++) {
      const sample = await sampleOf(engine, parts.operation, parts.declared, data.status, 'document', variant)
      const headers = headersOf(engine, parts.declared, data.status, sample, String(variant))
      const written = writeResponse(response, data.status, headers, sample.body)
      if (compiled.judgeResponse(written, undefined).length === 0) return { isUsable: true }
    }
    return { isUsable: false }
  })
  return isUsable
}

/** A sample that is kept for later requests. */
export const sampleOf = (
  engine: Engine,
  operation: Operation,
  declared: DeclaredResponse,
  status: number,
  source: SampleSource,
  seed: number,
): MaybePromise<PrismSample> =>
  engine.samples(
    { parts: { operation, declared }, data: { status, source, seed } },
    async ({ parts, data }) => {
      // Prism fails on some schemas (an endless one, a pattern that nothing matches); the client gets a response even so.
      const sample = await engine
        .sampler(parts.operation, parts.declared, data.status, data.source, data.seed)
        .catch(() => ({ headers: {}, body: undefined, size: 0 }))
      const response = compiledResponse(engine, compiledOperation(engine, parts.operation), parts.declared)
      return { ...sample, body: await repairedSample(engine.generated, response, sample.body) }
    },
  )
