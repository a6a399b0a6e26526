import { obligationIn } from '../../spec/index.ts'
import { servedBasePath } from '../documents/base-path.ts'
import {
  type Compile,
  type ReadDocument,
  readDocuments,
  type Serving,
  sourcesOf,
  withUniqueIds,
} from '../documents/documents.ts'
import type { ServedDocument } from '../engine/context.ts'
import { createEngine, type StatefulResponder } from '../engine/engine.ts'
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
