import { type DeclaredResponse, obligationIn } from '../../spec/index.ts'
import {
  type Compile,
  type ReadDocument,
  readDocuments,
  type Serving,
  servedBasePath,
  sourcesOf,
  withUniqueIds,
} from '../documents/documents.ts'
import { buildResponse } from '../engine/build-response.ts'
import { statusOf } from '../engine/compiled-response.ts'
import type { ServedDocument } from '../engine/context.ts'
import {
  type CompiledOperation,
  compiledOperation,
  compiledResponse,
  createEngine,
  type Engine,
  type StatefulResponder,
} from '../engine/engine.ts'
import { sampleOf } from '../engine/samples.ts'
import { createFitting } from '../resources/fitting.ts'
import { checkRules } from '../rules/check.ts'
import { givesTokens } from '../rules/grants.ts'
import type { Mutate } from '../scenarios/activate.ts'
import type { GivenTokens } from '../tokens/given.ts'
import { createExamples } from '../values/examples.ts'
import type { Settings } from './options.ts'

export type CheckedServing = Serving & {
  /** Validates all examples, and from then on those of documents that are read again. */
  readonly checkExamples: () => Promise<void>
}

/** Reads, compiles and, if the settings say so, watches the documents. */
export const serveDocuments = async (
  settings: Settings,
  mutate: Mutate,
  statefulResponderAt: (prefix: string) => StatefulResponder | null,
  given: GivenTokens,
): Promise<CheckedServing> => {
  const { refs, warn } = settings
  const closing = new AbortController()
  let isChecking = false
  const check = async (documents: readonly ServedDocument[]): Promise<void> => {
    await Promise.all(documents.map(({ examples }) => examples.checkAll(closing.signal)))
  }
  const compile: Compile = async documents => {
    const compiled = await compileDocuments(settings, mutate, statefulResponderAt, given, documents)
    if (isChecking) void check(compiled)
    return compiled
  }
  const options = { sources: sourcesOf(settings.documents), refs, compile, warn }
  const serving = settings.watch
    ? await (await import('../documents/watch-documents.ts')).watchDocuments(options)
    : await readDocuments(options)
  try {
    checkRules(
      settings.rules,
      serving.documents().map(({ contract }) => contract),
    )
  } catch (error) {
    await serving.close()
    throw error
  }
  return {
    documents: serving.documents,
    checkExamples: () => {
      isChecking = true
      return check(serving.documents())
    },
    close: () => {
      closing.abort()
      return serving.close()
    },
  }
}

const compileDocuments = (
  { tokens, unauthenticated, breaks, rules, values, basePath, warn }: Settings,
  mutate: Mutate,
  statefulResponderAt: (prefix: string) => StatefulResponder | null,
  given: GivenTokens,
  documents: readonly ReadDocument[],
): Promise<readonly ServedDocument[]> => {
  const unique = withUniqueIds(documents)
  const isOwner = ({ contract }: ReadDocument): boolean =>
    breaks !== null && obligationIn(contract, unauthenticated, breaks) !== undefined
  // An obligation of no document goes to the first one, which reports it as unknown.
  const broken = breaks === null ? undefined : (unique.find(isOwner) ?? unique[0])
  // A login of one document may be for another.
  const isGiven = unique.some(({ contract }) => givesTokens(contract))
    ? (token: string): boolean => given.find(token)?.use === 'access'
    : null
  return Promise.all(
    unique.map(async document => {
      const { prefix, contract, problem } = document
      const examples = createExamples(contract, warn)
      const engine = createEngine({
        contract,
        tokens,
        isGiven,
        unauthenticated,
        examples,
        warn,
        values,
        fitting: createFitting(rules, prefix),
        statefulResponder: statefulResponderAt(prefix),
      })
      const mutant = breaks !== null && document === broken ? await mutate(engine, breaks) : null
      return {
        prefix,
        basePath: servedBasePath(contract, basePath),
        contract,
        problem,
        engine,
        examples,
        mutant,
      }
    }),
  )
}

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
