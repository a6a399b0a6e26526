import { canonical, type Json } from '../../spec/index.ts'
import type { Demand } from './demand.ts'
import type { Facts } from './facts.ts'
import type { Node, Nodes } from './node.ts'
import { beyond, type Plan, sure } from './plan.ts'
import { once, pick, type Source, seededSource } from './source.ts'

const usual = 4
// More items than this are never made, however many a schema asks for.
const most = 2000

/** Makes arrays: first which demands go to which position, then an item for each. */
export const createArrayPlan = (facts: Facts, nodes: Nodes): Plan | null => {
  const { min, at, rules, contains, unique, repeated, some } = facts.array
  const wanted = contains.filter(rule => rule.min > 0)
  if (wanted.some(rule => rule.min > rule.max)) return null
  if (min > most || wanted.some(rule => rule.min > most)) return beyond
  const settledFrom = Math.max(
    0,
    ...[...at.keys()].map(index => index + 1),
    ...rules.map(rule => rule.from),
    ...some.map(({ from }) => from),
  )

  const demandsAt = (index: number, extra: readonly Demand[], odd: boolean): readonly Demand[] => [
    ...(at.get(index) ?? []),
    ...rules.filter(({ from }) => index >= from).map(rule => (odd ? rule.odd : rule.demand)),
    ...extra,
  ]
  const nodeAt = (index: number, extra: readonly Demand[] = [], odd = false): Node =>
    nodes.node(demandsAt(index, extra, odd))

  // Positions are alike from `settledFrom` on; the first that no item fits ends the array.
  const limits = new Map<number, number>()
  const limit = (depth: number): number => {
    const found = limits.get(depth)
    if (found !== undefined) return found
    let top = Math.min(facts.array.max, most)
    for (let index = 0; index <= settledFrom && index < top; index += 1)
      if (!nodeAt(index).reaches(depth)) top = index
    const rest = unique && top > settledFrom ? nodeAt(settledFrom).finite : null
    if (rest !== null) top = Math.min(top, settledFrom + rest.length)
    limits.set(depth, top)
    return top
  }

  /** Which positions meet an extra demand, and whether as the odd one; null where no position can. */
  type Layout = {
    readonly length: number
    readonly extras: ReadonlyMap<number, readonly Demand[]>
    readonly odd: number
  }
  const layout = (source: Source | null, depth: number): Layout | null => {
    const top = limit(depth)
    const extras = new Map<number, readonly Demand[]>()
    let odd = -1
    const place = (demand: Demand, from: number, oddly: boolean, count: number): boolean => {
      const room = Math.max(
        0,
        Math.min(Math.max(top, oddly ? min : 0), settledFrom + count + extras.size + 2) - from,
      )
      const positions = Array.from({ length: room }, (_, index) => from + index)
      const start = source === null || room === 0 ? 0 : once(source, 2) ? 0 : source.nextInt(0, room - 1)
      const order = [...positions.slice(start), ...positions.slice(0, start)]
      // Where an item has to be anyway comes before a longer array.
      let left = count
      for (const position of order) {
        if (left === 0) break
        const before = extras.get(position) ?? []
        if (before.includes(demand)) continue
        if (!nodeAt(position, [...before, demand], oddly).reaches(depth)) continue
        extras.set(position, [...before, demand])
        if (oddly) odd = position
        left -= 1
      }
      return left === 0
    }
    for (const { from, demand } of some) if (!place(demand, from, true, 1)) return null
    for (const rule of wanted) if (!place(rule.demand, 0, false, rule.min)) return null
    const needed = Math.max(min, ...[...extras.keys()].map(index => index + 1))
    const bound = odd >= 0 ? Math.max(top, odd + 1) : top
    if (needed > bound) return null
    const length = source === null ? needed : lengthOf(source, needed, bound, nodeAt(settledFrom).height)
    // What is counted from above must not happen by chance at the other positions.
    for (const rule of contains.filter(({ max }) => max < length)) {
      const demand = opposite(rule.demand, nodes)
      for (let index = 0, kept = 0; index < length; index += 1) {
        const before = extras.get(index) ?? []
        if (before.includes(rule.demand)) continue
        if (demand !== null && nodeAt(index, [...before, demand], index === odd).reaches(depth))
          extras.set(index, [...before, demand])
        else if (wanted.includes(rule) || kept >= rule.max) continue
        else kept += 1
      }
    }
    return { length, extras, odd }
  }

  const fill = (
    found: Layout,
    depth: number,
    item: (node: Node, used: ReadonlySet<string>) => Json | undefined,
  ): Json | undefined => {
    const items: Json[] = []
    const used = new Set<string>()
    for (let index = 0; index < found.length; index += 1) {
      const node = nodeAt(index, found.extras.get(index) ?? [], index === found.odd)
      if (!node.reaches(depth)) return undefined
      const made = repeated && index === 1 && canRepeat(found) ? items[0] : item(node, used)
      if (made === undefined) return undefined
      items.push(made)
      if (unique) used.add(canonical(made))
    }
    return holds(items) ? items : undefined
  }
  const canRepeat = (found: Layout): boolean =>
    found.length >= 2 && (found.extras.get(1) ?? []).length === 0 && settledFrom < 1

  const holds = (items: readonly Json[]): boolean => {
    if ((unique || repeated) && new Set(items.map(canonical)).size < items.length !== repeated) return false
    return contains.every(({ demand, min: least, max }) => {
      const count = items.filter(item => nodes.meets([demand], item)).length
      return count >= least && count <= max
    })
  }

  const distinctItem =
    (source: Source, depth: number) =>
    (node: Node, used: ReadonlySet<string>): Json | undefined => {
      const all = unique ? node.finite : null
      const left = all?.filter(value => !used.has(canonical(value)))
      if (left !== undefined) return left.length === 0 ? undefined : pick(source, left)
      for (let attempt = 0; attempt < 12; attempt += 1) {
        const value = node.draw(source, depth)
        if (value !== undefined && !(unique && used.has(canonical(value)))) return value
      }
      return undefined
    }

  const repeatedItems = (source: Source, depth: number): Json | undefined => {
    const found = layout(source, depth)
    if (found === null) return undefined
    const drawn = fill({ ...found, length: Math.max(2, found.length) }, depth, node =>
      node.draw(source, depth),
    )
    if (drawn !== undefined || settledFrom === 0) return drawn
    // Two positions with demands of their own: an item of one that suits the other.
    const [left, right] = [nodeAt(0), nodeAt(1)]
    const both = nodes.node([...demandsAt(0, [], false), ...demandsAt(1, [], false)])
    if (!both.reaches(depth) || !left.reaches(depth) || !right.reaches(depth)) return undefined
    const value = both.draw(source, depth)
    const rest = Array.from({ length: Math.max(0, min - 2) }, (_, index) =>
      nodeAt(index + 2).draw(source, depth),
    )
    const items = [value, value, ...rest].filter(item => item !== undefined)
    return holds(items) && items.length >= min ? items : undefined
  }

  const draw = (source: Source, depth: number): Json | undefined => {
    for (let attempt = 0; attempt < 8; attempt += 1) {
      if (repeated) {
        const value = repeatedItems(source, depth - 1)
        if (value !== undefined) return value
        continue
      }
      const found = layout(source, depth - 1)
      const value = found === null ? undefined : fill(found, depth - 1, distinctItem(source, depth - 1))
      if (value !== undefined) return value
    }
    return undefined
  }

  const simple = (length: number, depth: number): Json | undefined => {
    const found = layout(null, depth)
    if (found === null || length > Math.max(limit(depth), found.length)) return undefined
    const sized = { ...found, length: Math.max(found.length, length) }
    return fill(sized, depth, (node, used) => {
      const [simplest] = node.edges(0)
      if (!unique || simplest === undefined || !used.has(canonical(simplest))) return simplest
      return distinctItem(seededSource(used.size), depth)(node, used)
    })
  }

  const edges = (depth: number): readonly Json[] => {
    const inside = Math.max(depth, 1) - 1
    const top = limit(inside)
    const bounded = facts.array.max <= most
    const lengths = depth === 0 ? [min] : [min, min + 1, ...(bounded ? [top - 1, top] : [])]
    const sized = lengths
      .filter(length => length >= 0 && length <= Math.min(top, 200))
      .map(length => simple(length, inside))
    if (depth === 0) return sized.filter(value => value !== undefined)
    const size = Math.max(1, min)
    const base = simple(size, inside)
    const items =
      Array.isArray(base) && base.length > 0 && size <= top
        ? nodeAt(0)
            .edges(inside)
            .map(item => [item, ...(base as readonly Json[]).slice(1)])
            .filter(holds)
        : []
    return [...sized, ...items].filter(value => value !== undefined)
  }

  const reaches = (depth: number): boolean => {
    if (depth < 1) return depth === 0 && min === 0 && wanted.length === 0 && some.length === 0 && !repeated
    if (repeated && limit(depth - 1) < 2) return false
    return layout(null, depth - 1) !== null
  }
  return { draw, edges, reaches, finite: facts.array.max === 0 ? [[]] : null, unsure: sure }
}

// A few more of what nests deep would be very many in all.
const lengthOf = (source: Source, least: number, top: number, height: number): number => {
  if (height > 8) return Math.min(top, Math.max(least, 1))
  if (once(source, 10) && top <= 40) return top
  const more = height > 3 ? 1 : usual
  return source.nextInt(least, Math.max(least, Math.min(top, Math.max(least, 1) + more)))
}

const opposite = (demand: Demand, nodes: Nodes): Demand | null =>
  demand.kind === 'meet'
    ? nodes.demands.fail(demand.schema, demand.scope)
    : demand.kind === 'fail'
      ? nodes.demands.meet(demand.schema, demand.scope)
      : null
