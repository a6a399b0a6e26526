import { canonical, type Json } from '../../spec/index.ts'
import { createArrayPlan } from './array-plan.ts'
import { createConstants } from './constants.ts'
import { type Demand, type Demands, keyOf } from './demand.ts'
import type { SchemaDocument } from './document.ts'
import type { Judge } from './evaluate.ts'
import { expand } from './expand.ts'
import { type Facts, kinds } from './facts.ts'
import { createNumberPlan } from './number-plan.ts'
import { createObjectPlan } from './object-plan.ts'
import { beyond, type Plan, sure } from './plan.ts'
import { pick } from './source.ts'
import { createStringPlan } from './string-plan.ts'

/** A set of demands and all ways to meet it. */
export type Node = Plan & {
  /** The nesting that a value needs at least; infinite where none was found. */
  readonly height: number
  /** True when no way was left out: without a way there is then no value. */
  readonly complete: boolean
}

export type Nodes = {
  readonly demands: Demands
  readonly document: SchemaDocument
  readonly node: (demands: readonly Demand[]) => Node
  readonly meets: (demands: readonly Demand[], value: Json) => boolean
}

const deepest = 24
const mostWays = 40
const mostSteps = 4000
const mostGuarded = 60
// Beyond this many sets of demands a schema is judged too tangled, and what is not worked out counts as impossible.
const mostNodes = 12_000

/** The ways to meet demands; a value meets or fails a schema where every one of the judges says so. */
export const createNodes = (
  document: SchemaDocument,
  demands: Demands,
  judges: readonly Judge[],
  formats: boolean,
): Nodes => {
  const known = new Map<string, Node>()
  let steps = 1_200_000

  const meets = (wanted: readonly Demand[], value: Json): boolean =>
    wanted.every(demand => meetsOne(demand, value))
  const meetsOne = (demand: Demand, value: Json): boolean => {
    if (demand.kind === 'meet') return judges.every(judge => judge.holds(demand.schema, demand.scope, value))
    if (demand.kind === 'fail') return !judges.some(judge => judge.holds(demand.schema, demand.scope, value))
    // What is left out cannot be judged here; whoever leaves something out judges the whole value.
    return demand.kind === 'some' ? demand.of.some(member => meetsOne(member, value)) : true
  }

  const constants = createConstants(meets)

  const nodes: Nodes = {
    demands,
    document,
    meets,
    node: wanted => {
      const key = keyOf(wanted)
      const found = known.get(key)
      if (found !== undefined) return found
      const made = known.size < mostNodes ? make(wanted) : nothing
      known.set(key, made)
      return made
    },
  }

  const make = (wanted: readonly Demand[]): Node => {
    let ways: { readonly plans: readonly Plan[]; readonly complete: boolean } | undefined
    const open = () => {
      if (ways === undefined) {
        const budget = Math.min(mostSteps, steps)
        const found = expand(wanted, { document, demands, formats, constants }, mostWays, budget)
        steps -= budget === mostSteps ? found.facts.length * 10 : budget
        ways = {
          plans: found.facts.flatMap(facts =>
            plansOf(facts, nodes, wanted).map(plan => guarded(plan, facts, wanted)),
          ),
          complete: found.complete,
        }
      }
      return ways
    }
    const guarded = (plan: Plan, facts: Facts, judged: readonly Demand[]): Plan =>
      !facts.loose
        ? plan
        : {
            ...plan,
            draw: (source, depth) => {
              const value = plan.draw(source, depth)
              return value !== undefined && meets(judged, value) ? value : undefined
            },
            edges: depth =>
              plan
                .edges(depth)
                .slice(0, mostGuarded)
                .filter(value => meets(judged, value)),
          }
    const reached = new Map<number, boolean>()
    const usable = new Map<number, readonly Plan[]>()
    const reaches = (depth: number): boolean => {
      if (depth < 0) return false
      const found = reached.get(depth)
      if (found !== undefined) return found
      const answer = open().plans.some(plan => plan.reaches(depth))
      reached.set(depth, answer)
      return answer
    }
    const isComplete = (): boolean => open().complete && !open().plans.some(plan => plan.unsure())
    let height: number | undefined
    const plansAt = (depth: number): readonly Plan[] => {
      const found = usable.get(depth)
      if (found !== undefined) return found
      const plans = open().plans.filter(plan => plan.reaches(depth))
      usable.set(depth, plans)
      return plans
    }
    const heightOf = (): number => {
      height ??=
        Array.from({ length: document.nesting + deepest + 1 }, (_, depth) => depth).find(reaches) ??
        Number.POSITIVE_INFINITY
      return height
    }
    const edged = new Map<number, readonly Json[]>()
    const edgesAt = (depth: number): readonly Json[] => {
      const all = plansAt(Math.max(depth, heightOf()))
      if (depth > 0) return distinct(all.flatMap(plan => plan.edges(depth)))
      for (const plan of all) {
        const [first] = plan.edges(0)
        if (first !== undefined) return [first]
      }
      return []
    }
    return {
      reaches,
      get height() {
        return heightOf()
      },
      get complete() {
        return isComplete()
      },
      unsure: () => !isComplete(),
      get finite() {
        const all = open().plans.map(plan => plan.finite)
        if (!isComplete() || all.some(values => values === null)) return null
        return distinct(all.flatMap(values => values ?? []))
      },
      draw: (source, depth) => {
        const plans = plansAt(Math.max(depth, heightOf()))
        if (plans.length === 0) return undefined
        for (let attempt = 0; attempt < 6; attempt += 1) {
          const value = pick(source, plans).draw(source, depth)
          if (value !== undefined) return value
        }
        return undefined
      },
      edges: depth => {
        const found = edged.get(depth) ?? edgesAt(depth)
        edged.set(depth, found)
        return found
      },
    }
  }
  return nodes
}

const nothing: Node = { ...beyond, height: Number.POSITIVE_INFINITY, complete: false }

export const distinct = (values: readonly Json[]): readonly Json[] => [
  ...new Map(values.map(value => [canonical(value), value])).values(),
]

const plansOf = (facts: Facts, nodes: Nodes, wanted: readonly Demand[]): readonly Plan[] => {
  if (facts.members !== null) {
    const members = facts.members.filter(member => nodes.meets(wanted, member))
    return members.length === 0 ? [] : [constants(members)]
  }
  const has = (mask: number): boolean => (facts.kinds & mask) !== 0
  const fixed = [...(has(kinds.null) ? [null] : []), ...(has(kinds.boolean) ? [true, false] : [])].filter(
    value => !facts.excluded.has(String(value)),
  )
  return [
    ...(fixed.length > 0 ? [constants(fixed)] : []),
    ...(has(kinds.string) ? [createStringPlan(facts)] : []),
    ...(has(kinds.integer) ? [createNumberPlan(facts, 'integer')] : []),
    ...(has(kinds.fraction) ? [createNumberPlan(facts, 'fraction')] : []),
    ...(has(kinds.object) ? [createObjectPlan(facts, nodes)] : []),
    ...(has(kinds.array) ? [createArrayPlan(facts, nodes)] : []),
  ].filter(plan => plan !== null)
}

const constants = (values: readonly Json[]): Plan => ({
  draw: source => pick(source, values),
  edges: depth => (depth === 0 ? values.slice(0, 1) : values),
  reaches: depth => depth >= 0,
  finite: values,
  unsure: sure,
})
