import type { Constraint } from './constraint.ts'
import type { Discriminate } from './discriminators.ts'
import { type KeywordContext, type NormalForm, unconstrained } from './normal-form.ts'
import { rewrite } from './rewrite.ts'
import {
  applyNarrowing,
  type Branch,
  type Choice,
  type EvaluatedParts,
  nothingEvaluated,
  onArray,
  onObject,
  type RewriteStep,
} from './rewrite-steps.ts'

/** The ways to satisfy a set of constraints; `exhaustive` if there can be no others. */
export type Alternatives = { readonly forms: readonly NormalForm[]; readonly exhaustive: boolean }

type Unevaluated = Extract<RewriteStep, { kind: 'unevaluated' }>
type List<Item> = { readonly head: Item; readonly tail: List<Item> } | null

/**
 * A form with the work that is left to do on it. With `unevaluated…` in the document every schema tracks what it evaluates, and
 * so does everything in place inside it: `trackers` are the indexes, into `tracked`, of the schemas around a piece of work.
 */
type State = {
  readonly form: NormalForm
  readonly tracked: readonly EvaluatedParts[]
  readonly tasks: List<{ readonly constraint: Constraint; readonly trackers: readonly number[] }>
  readonly choices: readonly { readonly choice: Choice; readonly trackers: readonly number[] }[]
  readonly unevaluated: List<{ readonly step: Unevaluated; readonly trackers: readonly number[] }>
  /** The ids of the constraints that are rewritten already. */
  readonly done: ReadonlySet<number>
}

// A schema that refers to itself adds a tracker each time around.
const mostTracked = 200

type Context = Pick<KeywordContext, 'document' | 'constrain' | 'formats'> & {
  readonly discriminate: Discriminate
  /** Whether to leave out what a value must not be: the forms are approximate then. */
  readonly guesses: boolean
}

/** Finds at most `quota` ways to satisfy the constraints in at most `steps` steps, none of which contradicts itself at first sight. */
export const findAlternatives = (
  constraints: readonly Constraint[],
  context: Context,
  quota: number,
  steps: number,
): Alternatives => {
  const { excludes } = context.discriminate
  let left = steps
  let exhaustive = true

  const begin = (state: State, constraint: Constraint, outer: readonly number[]): State | null => {
    // Repeating a constraint adds nothing, unless each repetition evaluates for another tracker.
    if (!context.document.hasUnevaluated && state.done.has(constraint.id)) return state
    if (constraint.kind === 'negate') {
      // Nothing is left to do. Worked out, it would give the same values, and odd ones that break the schema in other ways as well.
      if (excludes(state.form, constraint.schema, constraint.scope)) return state
      if (context.guesses) return { ...state, form: { ...state.form, approximate: true } }
    }
    let now: State = { ...state, done: new Set([...state.done, constraint.id]) }
    let trackers = outer
    if (context.document.hasUnevaluated && constraint.kind !== 'any-of' && constraint.kind !== 'at-path') {
      trackers = [...outer, now.tracked.length]
      now = { ...now, tracked: [...now.tracked, nothingEvaluated] }
    }
    for (const choice of rewrite(constraint, context)) {
      if (choice.length === 1) {
        const next = take(now, choice[0] as Branch, trackers)
        if (next === null) return null
        now = next
      } else now = { ...now, choices: [...now.choices, { choice, trackers }] }
    }
    return now
  }

  const take = (state: State, branch: Branch, trackers: readonly number[]): State | null => {
    const form = afterBranch(state.form, branch, context)
    if (form === null) return null
    let now: State = { ...state, form }
    // Backwards, so that the first constraint is the first on the list.
    for (const step of branch.toReversed())
      if (step.kind === 'constraint')
        now = {
          ...now,
          tasks: {
            head: { constraint: step.constraint, trackers: step.counts ? trackers : [] },
            tail: now.tasks,
          },
        }
      else if (step.kind === 'evaluated') now = { ...now, tracked: track(now.tracked, trackers, step.parts) }
      else if (step.kind === 'unevaluated' && trackers.length > 0)
        now = { ...now, unevaluated: { head: { step, trackers }, tail: now.unevaluated } }
    return now
  }

  const complete = (from: State, share: number): readonly NormalForm[] => {
    let state = from
    for (;;) {
      left -= 1
      if (left < 0 || state.tracked.length > mostTracked) {
        exhaustive = false
        return []
      }
      let next: State | null
      if (state.tasks !== null) {
        const { head, tail } = state.tasks
        next = begin({ ...state, tasks: tail }, head.constraint, head.trackers)
      } else if (state.choices.length > 0) {
        const narrowest = narrowestChoice(state, context)
        if (narrowest === null) return []
        const { viable, trackers, rest } = narrowest
        if (viable.length > 1) return explore({ ...state, choices: rest }, viable, trackers, share)
        next = take({ ...state, choices: rest }, viable[0] as Branch, trackers)
      } else if (state.unevaluated !== null) {
        const { head, tail } = state.unevaluated
        next = constrainUnevaluated({ ...state, unevaluated: tail }, head.step, head.trackers)
      } else return [state.form]
      if (next === null) return []
      state = next
    }
  }

  const explore = (
    state: State,
    viable: Choice,
    trackers: readonly number[],
    share: number,
  ): readonly NormalForm[] => {
    const forms: NormalForm[] = []
    for (const [index, branch] of viable.entries()) {
      if (forms.length >= share) {
        exhaustive = false
        break
      }
      const next = take(state, branch, trackers)
      if (next !== null)
        forms.push(...complete(next, Math.ceil((share - forms.length) / (viable.length - index))))
    }
    return forms
  }

  const constrainUnevaluated = (
    state: State,
    step: Unevaluated,
    trackers: readonly number[],
  ): State | null => {
    const evaluated = state.tracked[trackers.at(-1) ?? -1] ?? nothingEvaluated
    const form = applyNarrowing(state.form, [unevaluatedStep(step, evaluated, context)])
    if (form === null) return null
    // A schema with `unevaluated…` has evaluated everything, as far as those around it can tell.
    const everything = step.of === 'names' ? { everyName: true } : { everyItem: true }
    return {
      ...state,
      form,
      tracked: step.all ? track(state.tracked, trackers.slice(0, -1), everything) : state.tracked,
    }
  }

  const start: State = {
    form: unconstrained,
    tracked: [],
    tasks: constraints.reduceRight<State['tasks']>(
      (tail, constraint) => ({ head: { constraint, trackers: [] }, tail }),
      null,
    ),
    choices: [],
    unevaluated: null,
    done: new Set(),
  }
  const forms = complete(start, quota)
  return { forms, exhaustive }
}

const afterBranch = (form: NormalForm, branch: Branch, { discriminate }: Context): NormalForm | null => {
  const after = applyNarrowing(form, branch)
  return after === null ? null : discriminate.narrowed(after)
}

const track = (
  tracked: readonly EvaluatedParts[],
  trackers: readonly number[],
  parts: Partial<EvaluatedParts>,
): readonly EvaluatedParts[] =>
  tracked.map((old, index) =>
    trackers.includes(index)
      ? {
          names: [...old.names, ...(parts.names ?? [])],
          patterns: [...old.patterns, ...(parts.patterns ?? [])],
          everyName: old.everyName || parts.everyName === true,
          items: Math.max(old.items, parts.items ?? 0),
          everyItem: old.everyItem || parts.everyItem === true,
          contained: [...old.contained, ...(parts.contained ?? [])],
        }
      : old,
  )

// The choice with the fewest viable branches comes first: it often settles the others without trying them.
const narrowestChoice = (state: State, context: Context) => {
  let best: { viable: Choice; at: number } | null = null
  for (const [at, { choice }] of state.choices.slice(0, 24).entries()) {
    const viable = choice.filter(branch => afterBranch(state.form, branch, context) !== null)
    if (viable.length === 0) return null
    if (best === null || viable.length < best.viable.length) best = { viable, at }
    if (viable.length === 1) break
  }
  if (best === null) return null
  const { viable, at } = best
  return {
    viable,
    trackers: state.choices[at]?.trackers ?? [],
    rest: state.choices.filter((_, index) => index !== at),
  }
}

const unevaluatedStep = (
  { of, constraint, all }: Unevaluated,
  evaluated: EvaluatedParts,
  { constrain }: Context,
): RewriteStep => {
  if (of === 'names') {
    const others = { names: evaluated.names, patterns: evaluated.patterns }
    if (evaluated.everyName) return onObject(({ max }) => ({ max: all ? max : -1 }))
    return all
      ? onObject(({ rules }) => ({ rules: [...rules, { others, constraint, relaxed: constraint }] }))
      : onObject(({ some }) => ({ some: [...some, { others, pattern: null, name: null, constraint }] }))
  }
  if (evaluated.everyItem) return onArray(({ max }) => ({ max: all ? max : -1 }))
  const from = evaluated.items
  if (!all)
    return onArray(({ some, min }) => ({
      some: [...some, { from, constraint }],
      min: Math.max(min, from + 1),
    }))
  const either =
    evaluated.contained.length > 0 ? constrain.anyOf([...evaluated.contained, constraint]) : constraint
  return onArray(({ rules }) => ({ rules: [...rules, { from, constraint: either, relaxed: either }] }))
}
