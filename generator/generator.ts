/**
 * The generator compiles a JSON Schema to fast-check arbitraries of valid values, and of values that violate one keyword at one
 * location and nothing else. A schema passes through the sub-rooms in this order:
 *
 * - `read`: the document, its identifiers and references;
 * - `constraints`: what a value has to satisfy, rewritten to normal forms;
 * - `build`: a plan for each kind of value in a normal form, and arbitraries that draw from the plans;
 * - `violate`: the constraints on a value that is to be invalid.
 *
 * `domains` holds what strings and numbers are drawn from, `oracles` what confirms the values afterwards.
 */
import type { Json } from '../spec/index.ts'
import { type ConstraintFactory, createConstraintFactory } from './constraints/constraint.ts'
import { seededRandomSource } from './domains/language.ts'
import { jsonArbitrary } from './draw/arbitrary.ts'
import type { fc } from './draw/fast-check.ts'
import { memoised, once } from './draw/object-plan.ts'
import { createValueGraph, type GraphOptions, type KnownAlternatives } from './draw/value-graph.ts'
import type { ValueNode } from './draw/value-plan.ts'
import { findMetaSchema } from './oracles/ajv-oracle.ts'
import { createEvaluator } from './oracles/evaluate.ts'
import { createExactOracle } from './oracles/exact-oracle.ts'
import { openDocument } from './read/document.ts'
import { throwOnInfiniteRecursion } from './read/infinite-recursion.ts'
import type { Schema } from './read/keywords.ts'
import { attempt, isUnsupported, throwUnsupported, type Unsupported } from './read/unsupported.ts'
import { type ViolationRecipe, type ViolationTarget, violationRecipes } from './violate/targets.ts'

export type Generator = {
  /** Random valid values; they shrink towards small valid ones. */
  readonly valid: fc.Arbitrary<Json> | Unsupported
  /** Valid values at and next to every bound, with every set of optional properties, of every branch. */
  readonly boundaries: readonly Json[]
  /** Values that violate this keyword at this location and nothing else. */
  readonly invalid: (target: ViolationTarget) => fc.Arbitrary<Json> | Unsupported
  /** Every target for which such a value was found. */
  readonly targets: readonly ViolationTarget[]
}

const usualDepth = 5
const mostBoundaries = 500
const mostSearches = 60

/**
 * Compiles a schema to generators of values. `root` is the document that its `#/…` references point into; by default that is
 * the schema itself. Formats are assertions: `int64` is a range, `email` a syntax.
 */
export const compileGenerator = (schema: Schema, root?: object): Generator => {
  const generator = attempt(() => compile(schema, root))
  return isUnsupported(generator)
    ? { valid: generator, boundaries: [], invalid: () => generator, targets: [] }
    : generator
}

const compile = (schema: Schema, root: object | undefined): Generator => {
  const document = openDocument(schema, root, findMetaSchema)
  throwOnInfiniteRecursion(document)
  const evaluator = createEvaluator(document, true)
  const whole = root ?? schema
  const shared = document.isPlain && typeof whole === 'object' ? sharedBy(whole) : null
  const constrain = shared?.constrain ?? createConstraintFactory()
  const isConfirmed = createExactOracle(schema, root)
  const isValid = (value: Json): boolean => evaluator.isValid(schema, document.scope, value)

  const known = shared?.alternatives
  const made = (options: GraphOptions) => {
    const graph = createValueGraph(document, constrain, [evaluator], true, options)
    const node = graph.nodeFor([constrain.satisfy(schema, document.scope)])
    return { graph, node, valid: attempt(() => arbitraryOf(node, isValid, isConfirmed)) }
  }
  const first = made({ known })
  // There may be too few texts that match as a whole; and what rules out all alternatives of a large union but one can be too much to work out.
  const others =
    isUnsupported(first.valid) && !isImpossible(first.node)
      ? [{ known, anywhere: true }, { guesses: true }]
      : []
  const { graph, node, valid } =
    Iterator.from(others)
      .map(made)
      .find(other => !isUnsupported(other.valid)) ?? first
  const boundaries = once(() => {
    if (isUnsupported(valid)) return []
    const confirmed = Iterator.from(node.boundaries(usualDepth)).filter(isValid).filter(isConfirmed)
    return Array.from(confirmed.take(mostBoundaries))
  })
  const violating = ({ constraints, isHit }: ViolationRecipe): fc.Arbitrary<Json> =>
    arbitraryOf(
      graph.nodeFor(constraints),
      value => isHit(evaluator.violations(schema, document.scope, value)),
      value => !isConfirmed(value),
    )
  const recipesOf = once(() =>
    Map.groupBy(violationRecipes(document, constrain), ([{ target }]) => keyOf(target)),
  )
  // Of the hundreds of targets of a large schema, most are never asked for.
  const invalid = memoised((key: string): fc.Arbitrary<Json> | Unsupported => {
    for (const recipes of recipesOf().get(key)?.toReversed() ?? [])
      for (const recipe of recipes) {
        const values = attempt(() => violating(recipe))
        if (!isUnsupported(values)) return values
      }
    return { unsupported: 'no value was found that violates only this' }
  })
  const targets = once(() =>
    [...recipesOf()].flatMap(([key, [recipes]]) =>
      isUnsupported(invalid(key)) || recipes === undefined ? [] : [recipes[0].target],
    ),
  )

  return {
    valid,
    get boundaries() {
      return boundaries()
    },
    invalid: target => invalid(keyOf(target)),
    get targets() {
      return targets()
    },
  }
}

/** What all schemas of a document have in common: for a large one, what a schema comes to takes most of the time. */
const sharedBy = (root: object): Shared => {
  const shared = sharedParts.get(root) ?? { constrain: createConstraintFactory(), alternatives: new Map() }
  sharedParts.set(root, shared)
  return shared
}

type Shared = { readonly constrain: ConstraintFactory; readonly alternatives: KnownAlternatives }

const sharedParts = new WeakMap<object, Shared>()

const isImpossible = (node: ValueNode): boolean => !Number.isFinite(node.minDepth) && node.exhaustive

/** The values of a node that are suitable. At least one of them has to be confirmed. */
const arbitraryOf = (
  node: ValueNode,
  isSuitable: (value: Json) => boolean,
  isConfirmed: (value: Json) => boolean,
): fc.Arbitrary<Json> => {
  if (isImpossible(node)) return throwUnsupported('no value is possible')
  if (!Number.isFinite(node.minDepth))
    return throwUnsupported('no value was found: the schema is too complex')
  const depth = Math.max(usualDepth, node.minDepth)
  const witness = firstOf(node, depth, value => isSuitable(value) && isConfirmed(value))
  if (witness === undefined) return throwUnsupported('no value was found that the validator confirms')
  return jsonArbitrary({ draw: source => node.draw(source, depth), accepts: isSuitable, witness })
}

/** The simplest value if it is suitable, else the first suitable one drawn. */
const firstOf = (node: ValueNode, depth: number, isSuitable: (value: Json) => boolean): Json | undefined => {
  const simplest = Iterator.from(node.boundaries(0)).find(isSuitable)
  if (simplest !== undefined) return simplest
  const source = seededRandomSource(1)
  for (let attempts = 0; attempts < mostSearches; attempts += 1) {
    const value = node.draw(source, depth)
    if (value !== undefined && isSuitable(value)) return value
  }
  return undefined
}

const keyOf = ({ instance, keyword, detail }: ViolationTarget): string =>
  JSON.stringify([instance, keyword, detail])
