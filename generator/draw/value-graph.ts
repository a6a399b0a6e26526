/**
 * Building values. Constraints become normal forms, each kind of value in a normal form becomes a plan (`string-plan.ts` and
 * the like), and all plans for one set of constraints are a node of the value graph. The plans for arrays and objects ask the
 * graph for the nodes of their children.
 */
import type { Json } from '../../spec/index.ts'
import { type Alternatives, findAlternatives } from '../constraints/alternatives.ts'
import { type Constraint, type ConstraintFactory, keyOf } from '../constraints/constraint.ts'
import { createDiscriminate, type Discriminate } from '../constraints/discriminators.ts'
import { kinds, type NormalForm } from '../constraints/normal-form.ts'
import { pick } from '../domains/language.ts'
import type { Evaluator } from '../oracles/evaluate.ts'
import type { SchemaDocument } from '../read/document.ts'
import { createArrayPlan } from './array-plan.ts'
import { createNumberPlan } from './number-plan.ts'
import { createObjectPlan, memoised, once } from './object-plan.ts'
import { createDistinct, createStringPlan } from './string-plan.ts'
import { firstIn, impractical, type ValueGraph, type ValueNode, type ValuePlan } from './value-plan.ts'

const deepest = 24
const mostForms = 40
const mostSteps = 4000
const mostCheckedBoundaries = 60
// That a property has no value is found out before the object around it is: so many objects deep, in so many steps.
const levelsAtSight = 2
const mostStepsAtSight = 60
// A schema with more sets of constraints than this is too complex: what is not worked out counts as impossible.
const mostNodes = 12_000

/** The alternatives of constraints, in their order, by their ids. */
export type KnownAlternatives = Map<string, Alternatives>

const mostKnown = 20_000

export type GraphOptions = {
  /** What graphs of the same document and factory, and with the same `guesses`, have found before. */
  readonly known?: KnownAlternatives | undefined
  /** Whether values are made without regard to what they must not be, and checked afterwards: simple ones are easy to find. */
  readonly guesses?: boolean
  /** Whether a pattern without anchors may match inside any other text: there are more such texts. */
  readonly anywhere?: boolean
}

/** A value satisfies or violates a schema if every one of the evaluators says so. */
export const createValueGraph = (
  document: SchemaDocument,
  constrain: ConstraintFactory,
  evaluators: readonly Evaluator[],
  formats: boolean,
  { known = new Map(), guesses = false, anywhere = false }: GraphOptions = {},
): ValueGraph => {
  const nodes = new Map<string, ValueNode>()
  const distinct = createDistinct()
  let stepsLeft = 1_200_000

  const satisfies = (constraints: readonly Constraint[], value: Json): boolean =>
    constraints.every(constraint => satisfiesOne(constraint, value))
  const satisfiesOne = (constraint: Constraint, value: Json): boolean => {
    if (constraint.kind === 'any-of') return constraint.members.some(member => satisfiesOne(member, value))
    // Omissions cannot be checked here: whoever leaves something out checks the whole value.
    if (constraint.kind !== 'satisfy' && constraint.kind !== 'negate') return true
    const isValid = (evaluator: Evaluator): boolean =>
      evaluator.isValid(constraint.schema, constraint.scope, value)
    return constraint.kind === 'satisfy' ? evaluators.every(isValid) : !evaluators.some(isValid)
  }

  const discriminateTo = (levels: number): Discriminate => {
    const deeper = once(() => discriminateTo(levels - 1))
    return createDiscriminate({ document, constrain }, satisfies, constraints => {
      if (levels === 0) return false
      const inside = { document, constrain, formats, guesses, discriminate: deeper() }
      const { forms, exhaustive } = findAlternatives(constraints, inside, 1, mostStepsAtSight)
      return exhaustive && forms.length === 0
    })
  }
  const discriminate = discriminateTo(levelsAtSight)

  const alternativesOf = (constraints: readonly Constraint[]): Alternatives => {
    const steps = Math.min(mostSteps, stepsLeft)
    const context = { document, constrain, formats, guesses, discriminate }
    const key = constraints.map(({ id }) => id).join(' ')
    // With fewer steps, others may be found.
    const isWhole = steps === mostSteps
    const alternatives =
      (isWhole ? known.get(key) : undefined) ?? findAlternatives(constraints, context, mostForms, steps)
    if (isWhole && known.size < mostKnown) known.set(key, alternatives)
    stepsLeft -= isWhole ? alternatives.forms.length * 10 : steps
    return alternatives
  }

  const graph: ValueGraph = {
    constrain,
    document,
    satisfies,
    nodeFor: constraints => {
      const key = keyOf(constraints)
      const node = nodes.get(key)
      if (node !== undefined) return node
      const made = nodes.size < mostNodes ? createNode(constraints) : notWorkedOut
      nodes.set(key, made)
      return made
    },
  }

  const createNode = (constraints: readonly Constraint[]): ValueNode => {
    // Worked out on demand, since a recursive schema has infinitely many nodes.
    const alternatives = once(() => {
      const { forms, exhaustive } = alternativesOf(constraints)
      return {
        plans: forms.flatMap(form =>
          plansOf(form, graph, constraints, !anywhere).map(plan =>
            form.approximate ? checked(plan, value => satisfies(constraints, value)) : plan,
          ),
        ),
        exhaustive,
      }
    })
    const fitsIn = memoised(
      (depth: number): boolean => depth >= 0 && alternatives().plans.some(plan => plan.fitsIn(depth)),
    )
    const isExhaustive = (): boolean =>
      alternatives().exhaustive && !alternatives().plans.some(plan => plan.isUncertain())
    const plansAt = memoised((depth: number): readonly ValuePlan[] =>
      alternatives().plans.filter(plan => plan.fitsIn(depth)),
    )
    const minDepth = once(
      () =>
        Array.from({ length: document.nesting + deepest + 1 }, (_, depth) => depth).find(fitsIn) ??
        Number.POSITIVE_INFINITY,
    )
    const boundaries = memoised((depth: number): Iterable<Json> => {
      const plans = plansAt(Math.max(depth, minDepth()))
      if (depth > 0) return distinct(Iterator.from(plans).flatMap(plan => plan.boundaries(depth)))
      for (const plan of plans) {
        const first = firstIn(plan.boundaries(0))
        if (first !== undefined) return [first]
      }
      return []
    })
    return {
      fitsIn,
      boundaries,
      get minDepth() {
        return minDepth()
      },
      get exhaustive() {
        return isExhaustive()
      },
      isUncertain: () => !isExhaustive(),
      get allValues() {
        const all = alternatives().plans.map(plan => plan.allValues)
        if (!isExhaustive() || all.some(values => values === null)) return null
        return [...distinct(all.flatMap(values => values ?? []))]
      },
      draw: (source, depth) => {
        const plans = plansAt(Math.max(depth, minDepth()))
        if (plans.length === 0) return undefined
        for (let attempt = 0; attempt < 6; attempt += 1) {
          const value = pick(source, plans).draw(source, depth)
          if (value !== undefined) return value
        }
        return undefined
      },
    }
  }
  return graph
}

const notWorkedOut: ValueNode = { ...impractical, minDepth: Number.POSITIVE_INFINITY, exhaustive: false }

/** The plan without the values that fail the check. */
const checked = (plan: ValuePlan, passes: (value: Json) => boolean): ValuePlan => ({
  ...plan,
  draw: (source, depth) => {
    const value = plan.draw(source, depth)
    return value !== undefined && passes(value) ? value : undefined
  },
  boundaries: depth => Iterator.from(plan.boundaries(depth)).take(mostCheckedBoundaries).filter(passes),
})

const plansOf = (
  form: NormalForm,
  graph: ValueGraph,
  constraints: readonly Constraint[],
  wholePatterns: boolean,
): readonly ValuePlan[] => {
  if (form.allowed !== null) {
    const allowed = form.allowed.filter(value => graph.satisfies(constraints, value))
    return allowed.length === 0 ? [] : [constantsPlan(allowed)]
  }
  const has = (mask: number): boolean => (form.kinds & mask) !== 0
  const constants = [...(has(kinds.null) ? [null] : []), ...(has(kinds.boolean) ? [true, false] : [])].filter(
    value => !form.excluded.has(String(value)),
  )
  return [
    ...(constants.length > 0 ? [constantsPlan(constants)] : []),
    ...(has(kinds.string) ? [createStringPlan(form, wholePatterns)] : []),
    ...(has(kinds.integer) ? [createNumberPlan(form, 'integer')] : []),
    ...(has(kinds.fraction) ? [createNumberPlan(form, 'fraction')] : []),
    ...(has(kinds.object) ? [createObjectPlan(form, graph)] : []),
    ...(has(kinds.array) ? [createArrayPlan(form, graph)] : []),
  ].filter(plan => plan !== null)
}

const constantsPlan = (values: readonly Json[]): ValuePlan => ({
  draw: source => pick(source, values),
  boundaries: depth => (depth === 0 ? values.slice(0, 1) : values),
  fitsIn: depth => depth >= 0,
  allValues: values,
  isUncertain: () => false,
})
