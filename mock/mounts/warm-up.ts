import type { DeclaredResponse } from '../../spec/index.ts'
import { buildResponse } from '../engine/build-response.ts'
import { statusOf } from '../engine/compiled-response.ts'
import type { ServedDocument } from '../engine/context.ts'
import { type CompiledOperation, compiledOperation, compiledResponse, type Engine } from '../engine/engine.ts'
import { sampleOf } from '../engine/samples.ts'

/**
 * Makes up one response, if there is an operation that needs that: the first one takes a second, as Prism is loaded for it,
 * and later ones some milliseconds. Resolves at once if all values come from requests.
 */
export const warmUp = async (documents: readonly ServedDocument[]): Promise<void> => {
  for (const { engine } of documents)
    for (const operation of engine.contract.operations) {
      const compiled = compiledOperation(engine, operation)
      const declared = compiled.success
      if (declared === null || !needsValues(engine, compiled, declared)) continue
      await buildResponse(engine, operation, { declared, status: 200 })
      // An example may have been enough for that one.
      await sampleOf(engine, operation, declared, statusOf(declared, 200), 'random', 0)
      await engine.makers()
      return
    }
}

/** Whether a response to a valid request can need more than was sent. */
const needsValues = (engine: Engine, compiled: CompiledOperation, declared: DeclaredResponse): boolean => {
  if (declared.headers.length > 0) return true
  if (declared.media.length === 0) return false
  const { due } = compiledResponse(engine, compiled, declared)
  const parameters = compiled.operation.parameters.map(({ name }) => name)
  return due.length === 0 || due.some(name => !compiled.sendable.has(name) && !parameters.includes(name))
}
