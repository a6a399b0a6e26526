import { type Json, writeJson } from '../spec/index.ts'
import { createConstraintFactory } from './constraints/constraint.ts'
import { seededRandomSource, shuffled } from './domains/language.ts'
import { fallbackValues } from './draw/fallback-values.ts'
import { createValueGraph } from './draw/value-graph.ts'
import type { ValueNode } from './draw/value-plan.ts'
import { createAgreement } from './oracles/agreement.ts'
import { findMetaSchema } from './oracles/ajv-oracle.ts'
import { createDisputedCheck } from './oracles/disputed.ts'
import { createEvaluator } from './oracles/evaluate.ts'
import { openDocument } from './read/document.ts'
import { throwOnInfiniteRecursion } from './read/infinite-recursion.ts'
import type { Schema, SchemaLookup } from './read/keywords.ts'
import { attempt, isUnsupported, throwUnsupported, type Unsupported } from './read/unsupported.ts'

export type SampleOptions = {
  readonly kind: 'valid' | 'invalid'
  /** How many texts to return. If the schema has fewer values, they repeat from the first. */
  readonly count: number
  readonly seed: number
  /** Other schemas that references may lead to, by absolute URI. Nothing is ever fetched. */
  readonly documents?: Readonly<Record<string, Schema>>
}

export type Sample = { readonly texts: readonly string[] }

const usualDepth = 5
const extraTries = 400
const mostNonterminating = 4
// With branches that refer to the schema itself, a validator's work grows as a power of the depth.
const usualSteps = 4000
const mostSteps = 100_000

/**
 * JSON texts that are valid, or invalid, under a schema. Each is confirmed, as read back from its text, by two independent
 * validators. The same seed gives the same texts. Unsupported, with the reason, if no such value can be found.
 */
export const sampleSchema = async (schema: Schema, options: SampleOptions): Promise<Sample | Unsupported> => {
  const { documents = {} } = options
  let isSelfContained = true
  const lookup: SchemaLookup = uri => {
    if (!Object.hasOwn(documents, uri)) return findMetaSchema(uri)
    isSelfContained = false
    return documents[uri]
  }
  const compiled = attempt(() => compile(schema, options.kind, lookup))
  if (isUnsupported(compiled)) return compiled
  const agreement = await createAgreement(schema, lookup, isSelfContained)
  if (isUnsupported(agreement)) return agreement

  const expected = options.kind === 'valid'
  const verdicts = new Map<string, boolean | null>()
  let nonterminating = 0
  const isConfirmed = (text: string): boolean => {
    if (nonterminating > mostNonterminating)
      return throwUnsupported('a validator does not terminate on this schema')
    if (!verdicts.has(text)) {
      const value = JSON.parse(text) as Json
      const verdict = attempt(() =>
        compiled.isValid.every(isValid => isValid(value) === expected) ? agreement(value) : !expected,
      )
      if (isUnsupported(verdict)) nonterminating += 1
      verdicts.set(text, isUnsupported(verdict) ? null : verdict)
    }
    return verdicts.get(text) === expected
  }
  const texts = attempt(() => collect(compiled, options, isConfirmed, createDisputedCheck(schema)))
  if (isUnsupported(texts)) return texts
  if (texts.length === 0) return { unsupported: whyNone(compiled.node, [...verdicts.values()], expected) }
  return { texts: Array.from({ length: options.count }, (_, index) => texts[index % texts.length] as string) }
}

const compile = (schema: Schema, kind: SampleOptions['kind'], lookup: SchemaLookup) => {
  const document = openDocument(schema, undefined, lookup)
  throwOnInfiniteRecursion(document)
  // Some validators assert formats and some do not: a value has to suit both.
  const evaluator = createEvaluator(document, false)
  const evaluators = document.hasFormats ? [evaluator, createEvaluator(document, true)] : [evaluator]
  const constrain = createConstraintFactory()
  const graph = createValueGraph(document, constrain, evaluators, false, { anywhere: true })
  const constraint = kind === 'valid' ? constrain.satisfy : constrain.negate
  const node = graph.nodeFor([constraint(schema, document.scope)])
  return {
    // Copied, so that an unsupported schema is found out before any validator compiles it.
    node: { ...node },
    isValid: evaluators.map(
      ({ isValid }) =>
        (value: Json): boolean =>
          isValid(schema, document.scope, value),
    ),
    isCheap: (value: Json, steps: number): boolean => evaluator.isCheap(schema, document.scope, value, steps),
  }
}

const collect = (
  { node, isCheap }: Pick<ReturnType<typeof compile>, 'node' | 'isCheap'>,
  { count, seed }: SampleOptions,
  isConfirmed: (text: string) => boolean,
  isDisputed: (value: Json) => boolean,
): readonly string[] => {
  const source = seededRandomSource(seed)
  const texts = new Set<string>()
  const disputed = new Set<string>()
  let depth = Math.max(usualDepth, node.minDepth)
  const take = (value: Json | undefined): void => {
    if (value === undefined || texts.size >= count) return
    const canBeShallower = depth > node.minDepth
    if (!isCheap(value, canBeShallower ? usualSteps : mostSteps)) {
      if (canBeShallower) depth -= 1
      return
    }
    const text = writeJson(value)
    if (isConfirmed(text)) (isDisputed(value) ? disputed : texts).add(text)
  }
  if (Number.isFinite(node.minDepth)) {
    for (const value of shuffled(source, [...node.boundaries(2)]).slice(0, Math.ceil(count / 4))) take(value)
    const tries = count * 3 + extraTries
    for (let attempts = 0; attempts < tries && texts.size < count; attempts += 1) {
      // The values of a small schema are soon exhausted: drawing goes on only while new ones keep coming.
      if (attempts > extraTries && texts.size < attempts / 100) break
      take(node.draw(source, depth))
    }
  }
  if (texts.size + disputed.size === 0) for (const value of fallbackValues) take(value)
  return [...(texts.size > 0 ? texts : disputed)].slice(0, count)
}

const whyNone = (node: ValueNode, verdicts: readonly (boolean | null)[], expected: boolean): string => {
  const kind = expected ? 'valid' : 'invalid'
  if (!Number.isFinite(node.minDepth) && node.exhaustive)
    return expected
      ? 'no value is valid: the schema contradicts itself, or requires infinite nesting'
      : 'every value is valid'
  const disputed = verdicts.filter(verdict => verdict === null).length
  return disputed > 0
    ? `Ajv and @hyperjump/json-schema contradict each other on all ${disputed} values tried that may be ${kind}`
    : `no ${kind} value was found`
}
