import type { Constants } from './constants.ts'
import type { Demand } from './demand.ts'
import { type Facts, noFacts } from './facts.ts'
import { meaning, type Reading } from './meaning.ts'
import {
  type Choice,
  type Clause,
  type Looked,
  type Move,
  narrowed,
  nothingLooked,
  onArray,
  onObject,
} from './moves.ts'

/** The ways in which a set of demands can be met; `complete` when there can be no other. */
export type Ways = { readonly facts: readonly Facts[]; readonly complete: boolean }

type Close = Extract<Move, { kind: 'close' }>
type List<Item> = { readonly head: Item; readonly tail: List<Item> } | null

type State = {
  readonly facts: Facts
  /** What was looked at, by the schemas that will ask. */
  readonly looked: readonly Looked[]
  readonly tasks: List<{ readonly demand: Demand; readonly askers: readonly number[] }>
  readonly choices: readonly { readonly choice: Choice; readonly askers: readonly number[] }[]
  readonly closes: List<{ readonly close: Close; readonly askers: readonly number[] }>
  readonly done: ReadonlySet<number>
}

// A schema that refers to itself adds an asker each time around.
const mostAskers = 200

type Context = Pick<Reading, 'document' | 'demands' | 'formats'> & { readonly constants: Constants }

/** Works out ways to meet the demands: at most `quota`, none that contradicts itself at first sight. */
export const expand = (demands: readonly Demand[], context: Context, quota: number, steps: number): Ways => {
  let left = steps
  let cut = false

  const task = (state: State, demand: Demand, outer: readonly number[]): State | null => {
    // Said already, so nothing new; where `unevaluated…` asks who looked, each saying counts.
    if (!context.document.hasUnevaluated && state.done.has(demand.id)) return state
    let now: State = { ...state, done: new Set([...state.done, demand.id]) }
    let askers = outer
    if (context.document.hasUnevaluated && demand.kind !== 'some' && demand.kind !== 'below') {
      askers = [...outer, now.looked.length]
      now = { ...now, looked: [...now.looked, nothingLooked] }
    }
    for (const choice of meaning(demand, context)) {
      if (choice.length === 1) {
        const next = make(now, choice[0] as Clause, askers)
        if (next === null) return null
        now = next
      } else now = { ...now, choices: [...now.choices, { choice, askers }] }
    }
    return now
  }

  const make = (state: State, clause: Clause, askers: readonly number[]): State | null => {
    const facts = tightened(state.facts, clause, context)
    if (facts === null) return null
    let now: State = { ...state, facts }
    // Backwards, for the first demand to be the first on the list.
    for (const move of clause.toReversed())
      if (move.kind === 'demand')
        now = {
          ...now,
          tasks: { head: { demand: move.demand, askers: move.seen ? askers : [] }, tail: now.tasks },
        }
      else if (move.kind === 'looked') now = { ...now, looked: remember(now.looked, askers, move.looked) }
      else if (move.kind === 'close' && askers.length > 0)
        now = { ...now, closes: { head: { close: move, askers }, tail: now.closes } }
    return now
  }

  const settleAll = (from: State, share: number): readonly Facts[] => {
    let state = from
    for (;;) {
      left -= 1
      if (left < 0 || state.looked.length > mostAskers) {
        cut = true
        return []
      }
      if (state.tasks !== null) {
        const { head, tail } = state.tasks
        const next = task({ ...state, tasks: tail }, head.demand, head.askers)
        if (next === null) return []
        state = next
      } else if (state.choices.length > 0) {
        const found = narrowest(state, context)
        if (found === null) return []
        const { viable, askers, rest } = found
        if (viable.length === 1) {
          const next = make({ ...state, choices: rest }, viable[0] as Clause, askers)
          if (next === null) return []
          state = next
        } else return branch({ ...state, choices: rest }, viable, askers, share)
      } else if (state.closes !== null) {
        const { head, tail } = state.closes
        const next = closed({ ...state, closes: tail }, head.close, head.askers)
        if (next === null) return []
        state = next
      } else return [state.facts]
    }
  }

  const branch = (
    state: State,
    viable: Choice,
    askers: readonly number[],
    share: number,
  ): readonly Facts[] => {
    const found: Facts[] = []
    for (const [index, clause] of viable.entries()) {
      if (found.length >= share) {
        cut = true
        break
      }
      const next = make(state, clause, askers)
      if (next !== null)
        found.push(...settleAll(next, Math.ceil((share - found.length) / (viable.length - index))))
    }
    return found
  }

  const closed = (state: State, close: Close, askers: readonly number[]): State | null => {
    const seen = state.looked[askers.at(-1) ?? -1] ?? nothingLooked
    const facts = narrowed(state.facts, [closing(close, seen, context)])
    if (facts === null) return null
    // A schema that closes has looked at everything, for those around it.
    const everything = close.what === 'names' ? { everyName: true } : { everyItem: true }
    return {
      ...state,
      facts,
      looked: close.all ? remember(state.looked, askers.slice(0, -1), everything) : state.looked,
    }
  }

  const start: State = {
    facts: noFacts,
    looked: [],
    tasks: demands.reduceRight<State['tasks']>(
      (tail, demand) => ({ head: { demand, askers: [] }, tail }),
      null,
    ),
    choices: [],
    closes: null,
    done: new Set(),
  }
  const facts = settleAll(start, quota)
  return { facts, complete: !cut }
}

const tightened = (facts: Facts, clause: Clause, { constants }: Context): Facts | null => {
  const narrow = narrowed(facts, clause)
  return narrow === null ? null : constants(narrow)
}

const remember = (
  looked: readonly Looked[],
  askers: readonly number[],
  what: Partial<Looked>,
): readonly Looked[] =>
  looked.map((old, index) =>
    askers.includes(index)
      ? {
          names: [...old.names, ...(what.names ?? [])],
          patterns: [...old.patterns, ...(what.patterns ?? [])],
          everyName: old.everyName || what.everyName === true,
          items: Math.max(old.items, what.items ?? 0),
          everyItem: old.everyItem || what.everyItem === true,
          contained: [...old.contained, ...(what.contained ?? [])],
        }
      : old,
  )

// The choice with the fewest ways left comes first: most are then settled without trying.
const narrowest = (state: State, context: Context) => {
  let best: { viable: Choice; at: number } | null = null
  for (const [at, { choice }] of state.choices.slice(0, 24).entries()) {
    const viable = choice.filter(clause => tightened(state.facts, clause, context) !== null)
    if (viable.length === 0) return null
    if (best === null || viable.length < best.viable.length) best = { viable, at }
    if (viable.length === 1) break
  }
  if (best === null) return null
  const { viable, at } = best
  return {
    viable,
    askers: state.choices[at]?.askers ?? [],
    rest: state.choices.filter((_, index) => index !== at),
  }
}

const closing = (close: Close, seen: Looked, { demands }: Context): Move => {
  if (close.what === 'names') {
    const others = { names: seen.names, patterns: seen.patterns }
    if (seen.everyName) return onObject(({ max }) => ({ max: close.all ? max : -1 }))
    return close.all
      ? onObject(({ rules }) => ({ rules: [...rules, { others, demand: close.demand, odd: close.demand }] }))
      : onObject(({ some }) => ({
          some: [...some, { others, pattern: null, name: null, demand: close.demand }],
        }))
  }
  if (seen.everyItem) return onArray(({ max }) => ({ max: close.all ? max : -1 }))
  const from = seen.items
  if (!close.all)
    return onArray(({ some, min }) => ({
      some: [...some, { from, demand: close.demand }],
      min: Math.max(min, from + 1),
    }))
  const demand = seen.contained.length > 0 ? demands.some([...seen.contained, close.demand]) : close.demand
  return onArray(({ rules }) => ({ rules: [...rules, { from, demand, odd: demand }] }))
}
