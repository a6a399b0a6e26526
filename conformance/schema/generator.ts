import type { Json } from '../../spec/index.ts'
import type { fc } from '../random.ts'
import { jsonArbitrary } from './arbitrary.ts'
import { createDemands } from './demand.ts'
import { openDocument } from './document.ts'
import { refuseEndless } from './endless.ts'
import { createJudge } from './evaluate.ts'
import { exactOpinion } from './exact-opinion.ts'
import { knownSchema } from './first-opinion.ts'
import type { Schema } from './keywords.ts'
import { createNodes, distinct, type Node } from './node.ts'
import { attempt, isRefusal, type Refusal, refuse } from './refusal.ts'
import { seededSource } from './source.ts'
import { type Attack, attacksOn, type Target } from './targets.ts'

export type Generator = {
  /** Random valid values; they shrink towards small valid ones. */
  readonly valid: fc.Arbitrary<Json> | Refusal
  /** Valid values at and next to every bound, with every set of optional properties, of every branch. */
  readonly boundaries: readonly Json[]
  /** Values that break this keyword at this place and nothing else. */
  readonly invalid: (target: Target) => fc.Arbitrary<Json> | Refusal
  /** Every place and keyword for which such a value was found. */
  readonly targets: readonly Target[]
}

const depth = 5
const mostBoundaries = 500
const searches = 60

/**
 * Compiles a schema to generators of values. `root` is the document in which its `#/…` references point; without
 * it that is the schema itself. Formats are assertions: `int64` is a range, `email` a shape.
 */
export const compileGenerator = (schema: Schema, root?: object): Generator => {
  const generator = attempt(() => compile(schema, root))
  return isRefusal(generator)
    ? { valid: generator, boundaries: [], invalid: () => generator, targets: [] }
    : generator
}

const compile = (schema: Schema, root: object | undefined): Generator => {
  const document = openDocument(schema, root, knownSchema)
  refuseEndless(document)
  const judge = createJudge(document, true)
  const demands = createDemands()
  const nodes = createNodes(document, demands, [judge], true)
  const confirms = exactOpinion(schema, root)
  const accepts = (value: Json): boolean => judge.holds(schema, document.scope, value)
  const node = nodes.node([demands.meet(schema, document.scope)])

  const arbitrary = (from: Node, suits: (value: Json) => boolean, confirmed: (value: Json) => boolean) => {
    if (!Number.isFinite(from.height))
      return refuse(from.complete ? 'no value is possible' : 'no value was found: the schema is too tangled')
    const nesting = Math.max(depth, from.height)
    const witness = firstOf(from, nesting, value => suits(value) && confirmed(value))
    if (witness === undefined) return refuse('no value was found that the validator confirms')
    return jsonArbitrary({ draw: chance => from.draw(chance, nesting), accepts: suits, witness })
  }

  const found = once(() => {
    const kept = new Map<string, { readonly target: Target; readonly values: fc.Arbitrary<Json> }>()
    for (const ways of attacksOn(document, demands))
      for (const attack of ways) {
        const values = attempt(() => attacking(attack))
        if (isRefusal(values)) continue
        kept.set(keyOf(attack.target), { target: attack.target, values })
        break
      }
    return kept
  })
  const attacking = (attack: Attack): fc.Arbitrary<Json> =>
    arbitrary(
      nodes.node(attack.demands),
      value => attack.hits(judge.breaches(schema, document.scope, value)),
      value => !confirms(value),
    )
  const valid = attempt(() => arbitrary(node, accepts, confirms))
  const boundaries = once(() =>
    isRefusal(valid)
      ? []
      : Array.from(
          distinct(node.edges(depth)).values().filter(accepts).filter(confirms).take(mostBoundaries),
        ),
  )
  const targets = once(() => [...found().values()].map(({ target }) => target))

  return {
    valid,
    get boundaries() {
      return boundaries()
    },
    invalid: target =>
      found().get(keyOf(target))?.values ?? { refused: 'no value breaks this and nothing else' },
    get targets() {
      return targets()
    },
  }
}

/** The simplest value that suits, or else the first that comes up. */
const firstOf = (from: Node, nesting: number, suits: (value: Json) => boolean): Json | undefined => {
  const simplest = from.edges(0).find(suits)
  if (simplest !== undefined) return simplest
  const source = seededSource(1)
  for (let attempts = 0; attempts < searches; attempts += 1) {
    const value = from.draw(source, nesting)
    if (value !== undefined && suits(value)) return value
  }
  return undefined
}

const keyOf = ({ instance, keyword, detail }: Target): string => JSON.stringify([instance, keyword, detail])

const once = <Result>(make: () => Result): (() => Result) => {
  let made: { readonly result: Result } | undefined
  return () => {
    made ??= { result: make() }
    return made.result
  }
}
