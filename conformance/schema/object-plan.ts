import type { Json } from '../../spec/index.ts'
import type { Demand } from './demand.ts'
import type { Facts } from './facts.ts'
import { createNames } from './names.ts'
import type { Nodes } from './node.ts'
import { beyond, type Plan } from './plan.ts'
import { presenceSets } from './presence.ts'
import { once, type Source } from './source.ts'

const most = 500

/** Makes objects: the names first, then for each name a value that meets all that is said of it. */
export const createObjectPlan = (facts: Facts, nodes: Nodes): Plan | null => {
  const { min, known, required, absent, some } = facts.object
  if (facts.object.max < 0) return null
  if (min > most) return beyond
  const names = createNames(facts.object, nodes)
  const node = (name: string, extra: readonly Demand[] = [], odd = false) =>
    nodes.node([...names.demandsOf(name, odd), ...extra])
  if ([...required].some(name => !names.allows(name))) return null

  const optionalAt = new Map<number, readonly string[]>()
  const optional = (depth: number): readonly string[] => {
    const found = optionalAt.get(depth)
    if (found !== undefined) return found
    const made = [...known.keys()].filter(
      name => !required.has(name) && !absent.has(name) && names.allows(name) && node(name).reaches(depth),
    )
    optionalAt.set(depth, made)
    return made
  }
  const free = !names.closed && (known.size === 0 || names.invited)

  /** The names to use with extra demands of theirs; null where a wanted one cannot be found. */
  type Shape = Map<string, { readonly extra: readonly Demand[]; readonly odd: boolean }>
  const shape = (source: Source | null, depth: number): Shape | null => {
    const chosen: Shape = new Map([...required].map(name => [name, { extra: [], odd: false }]))
    for (const wanted of some) {
      const extra = wanted.demand === null ? [] : [wanted.demand]
      const name = names.find(
        source,
        wanted,
        candidate =>
          !(chosen.get(candidate)?.odd ?? false) &&
          node(candidate, [...(chosen.get(candidate)?.extra ?? []), ...extra], true).reaches(depth),
      )
      if (name === null) return null
      chosen.set(name, { extra: [...(chosen.get(name)?.extra ?? []), ...extra], odd: true })
    }
    for (const [name, { extra, odd }] of chosen) if (!node(name, extra, odd).reaches(depth)) return null
    return chosen.size > facts.object.max ? null : chosen
  }
  const add = (chosen: Shape, name: string): void => {
    if (!chosen.has(name)) chosen.set(name, { extra: [], odd: false })
  }
  /** Adds names until there are `count`; false where no more can be found. */
  const grow = (
    chosen: Shape,
    count: number,
    source: Source | null,
    depth: number,
    own: readonly string[],
  ): boolean => {
    for (const name of own) if (chosen.size < count) add(chosen, name)
    while (chosen.size < count) {
      const name = names.find(
        source,
        null,
        candidate => !chosen.has(candidate) && node(candidate).reaches(depth),
      )
      if (name === null) return false
      add(chosen, name)
    }
    return true
  }

  const fill = (
    chosen: Shape,
    value: (name: string, extra: readonly Demand[], odd: boolean) => Json | undefined,
  ) => {
    const made: Record<string, Json> = {}
    // In declared order, so that the same names always make the same text.
    const order = [...known.keys()].filter(name => chosen.has(name))
    for (const name of new Set([...order, ...chosen.keys()])) {
      const { extra, odd } = chosen.get(name) ?? { extra: [], odd: false }
      const child = value(name, extra, odd)
      if (child === undefined) return undefined
      define(made, name, child)
    }
    return made
  }

  const tryDraw = (source: Source, depth: number): Json | undefined => {
    const chosen = shape(source, depth)
    if (chosen === null) return undefined
    const own = optional(depth)
    const { max } = facts.object
    const mode = source.nextInt(0, 7)
    const share = own.length <= 4 || depth >= 3 ? 2 : Math.max(2, Math.ceil(own.length / 2))
    for (const name of own)
      if (chosen.size < max && mode !== 0 && ((mode === 1 && own.length <= 12) || once(source, share)))
        add(chosen, name)
    const extra = free && depth > 0 ? source.nextInt(0, Math.min(2, Math.max(0, max - chosen.size))) : 0
    if (!grow(chosen, Math.max(min, chosen.size), source, depth, own)) return undefined
    if (extra > 0) grow(chosen, Math.min(max, chosen.size + extra), source, depth, [])
    return fill(chosen, (name, demands, odd) => node(name, demands, odd).draw(source, depth))
  }
  const draw = (source: Source, depth: number): Json | undefined => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const value = tryDraw(source, depth - 1)
      if (value !== undefined) return value
    }
    return undefined
  }

  const simple = (present: readonly string[], count: number, depth: number): Json | undefined => {
    const chosen = shape(null, depth)
    if (chosen === null) return undefined
    for (const name of present) add(chosen, name)
    if (!grow(chosen, Math.max(count, min), null, depth, optional(depth)) || chosen.size > facts.object.max)
      return undefined
    return fill(chosen, (name, extra, odd) => node(name, extra, odd).edges(0)[0])
  }

  const edges = (depth: number): readonly Json[] => {
    const inside = Math.max(depth, 1) - 1
    if (depth === 0) return [simple([], 0, inside)].filter(value => value !== undefined)
    const own = optional(inside)
    const subsets = presenceSets(own).map(present => simple(present, 0, inside))
    const full = subsets.find(
      value => value !== undefined && Object.keys(value as object).length >= required.size + own.length,
    )
    const base = (full ?? simple([], 0, inside)) as { readonly [name: string]: Json } | undefined
    const inner =
      base === undefined
        ? []
        : Object.keys(base).flatMap(name =>
            node(name)
              .edges(inside)
              .slice(1)
              .map(value => {
                const copy = { ...base }
                define(copy, name, value)
                return copy
              }),
          )
    const counts =
      facts.object.max <= 50
        ? [min, min + 1, facts.object.max - 1, facts.object.max]
        : min > 0
          ? [min, min + 1]
          : []
    const sized =
      free || min > 0 ? counts.filter(count => count >= min).map(count => simple([], count, inside)) : []
    return [...subsets, ...sized, ...inner].filter(value => value !== undefined)
  }

  const reachable = new Map<number, boolean>()
  const reaches = (depth: number): boolean => {
    if (depth < 1) return depth === 0 && min === 0 && required.size === 0 && some.length === 0
    const found = reachable.get(depth)
    if (found !== undefined) return found
    const chosen = shape(null, depth - 1)
    const answer =
      chosen !== null &&
      grow(chosen, min, null, depth - 1, optional(depth - 1)) &&
      chosen.size <= facts.object.max
    reachable.set(depth, answer)
    return answer
  }
  return {
    draw,
    edges,
    reaches,
    // Names that a pattern asks for are searched, not counted.
    unsure: () => facts.object.patterns.length + facts.object.names.length > 0,
    finite: facts.object.max === 0 && min === 0 && some.length === 0 && required.size === 0 ? [{}] : null,
  }
}

// Assigning `__proto__` would set the prototype and make no property.
const define = (object: Record<string, Json>, name: string, value: Json): void => {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}
