import { canonical, isArray, type Json } from '../../spec/index.ts'
import type { Constraint, ConstraintFactory } from '../constraints/constraint.ts'
import type { NormalForm } from '../constraints/normal-form.ts'
import { oneIn, pick, type RandomSource, seededRandomSource } from '../domains/language.ts'
import { memoised } from './object-plan.ts'
import { firstIn, impractical, type ValueGraph, type ValueNode, type ValuePlan } from './value-plan.ts'

const usualExtra = 4
// More items than this are never built, however many a schema requires.
const most = 2000

/** Which positions carry which extra constraints, and which one is relaxed (see `ItemRule`); -1 for none. */
type Layout = {
  readonly length: number
  readonly extras: ReadonlyMap<number, readonly Constraint[]>
  readonly relaxed: number
}

/** Builds arrays: first decides which constraints go to which position, then builds an item for each position. */
export const createArrayPlan = (form: NormalForm, graph: ValueGraph): ValuePlan | null => {
  const { min, positions, rules, contains, unique, repeated, some } = form.array
  const required = contains.filter(rule => rule.min > 0)
  if (required.some(rule => rule.min > rule.max)) return null
  if (min > most || required.some(rule => rule.min > most)) return impractical
  // All positions from here on are alike.
  const alikeFrom = Math.max(
    0,
    ...[...positions.keys()].map(index => index + 1),
    ...rules.map(rule => rule.from),
    ...some.map(({ from }) => from),
  )

  const constraintsAt = (
    index: number,
    extra: readonly Constraint[],
    relaxed: boolean,
  ): readonly Constraint[] => [
    ...(positions.get(index) ?? []),
    ...rules.filter(({ from }) => index >= from).map(rule => (relaxed ? rule.relaxed : rule.constraint)),
    ...extra,
  ]
  const nodeAt = (index: number, extra: readonly Constraint[] = [], relaxed = false): ValueNode =>
    graph.nodeFor(constraintsAt(index, extra, relaxed))

  /** The greatest length with items of that depth: the array ends at the first position that no item fits. */
  const greatestLength = memoised((depth: number): number => {
    let top = Math.min(form.array.max, most)
    for (let index = 0; index <= alikeFrom && index < top; index += 1)
      if (!nodeAt(index).fitsIn(depth)) top = index
    const rest = unique && top > alikeFrom ? nodeAt(alikeFrom).allValues : null
    return rest === null ? top : Math.min(top, alikeFrom + rest.length)
  })

  /** A layout at random, or the shortest without a source; null if some constraint fits nowhere. */
  const layOut = (source: RandomSource | null, depth: number): Layout | null => {
    const top = greatestLength(depth)
    const extras = new Map<number, readonly Constraint[]>()
    let relaxed = -1
    const place = (constraint: Constraint, from: number, isRelaxed: boolean, count: number): boolean => {
      const end = Math.min(Math.max(top, isRelaxed ? min : 0), alikeFrom + count + extras.size + 2)
      const room = Math.max(0, end - from)
      const candidates = Array.from({ length: room }, (_, index) => from + index)
      const start = source === null || room === 0 ? 0 : oneIn(source, 2) ? 0 : source.nextInt(0, room - 1)
      let left = count
      for (const position of [...candidates.slice(start), ...candidates.slice(0, start)]) {
        if (left === 0) break
        const before = extras.get(position) ?? []
        if (before.includes(constraint)) continue
        if (!nodeAt(position, [...before, constraint], isRelaxed).fitsIn(depth)) continue
        extras.set(position, [...before, constraint])
        if (isRelaxed) relaxed = position
        left -= 1
      }
      return left === 0
    }
    for (const { from, constraint } of some) if (!place(constraint, from, true, 1)) return null
    for (const rule of required) if (!place(rule.constraint, 0, false, rule.min)) return null
    const least = Math.max(min, ...[...extras.keys()].map(index => index + 1))
    const greatest = relaxed >= 0 ? Math.max(top, relaxed + 1) : top
    if (least > greatest) return null
    const length = source === null ? least : drawLength(source, least, greatest, nodeAt(alikeFrom).minDepth)
    // Items at the other positions must not exceed `maxContains` by chance.
    for (const rule of contains.filter(({ max }) => max < length)) {
      const avoided = opposite(rule.constraint, graph.constrain)
      for (let index = 0, kept = 0; index < length; index += 1) {
        const before = extras.get(index) ?? []
        if (before.includes(rule.constraint)) continue
        if (avoided !== null && nodeAt(index, [...before, avoided], index === relaxed).fitsIn(depth))
          extras.set(index, [...before, avoided])
        else if (required.includes(rule) || kept >= rule.max) continue
        else kept += 1
      }
    }
    return { length, extras, relaxed }
  }

  const fill = (
    layout: Layout,
    depth: number,
    build: (node: ValueNode, used: ReadonlySet<string>) => Json | undefined,
  ): Json | undefined => {
    const items: Json[] = []
    const used = new Set<string>()
    for (let index = 0; index < layout.length; index += 1) {
      const node = nodeAt(index, layout.extras.get(index) ?? [], index === layout.relaxed)
      if (!node.fitsIn(depth)) return undefined
      const item = repeated && index === 1 && canRepeatFirst(layout) ? items[0] : build(node, used)
      if (item === undefined) return undefined
      items.push(item)
      if (unique) used.add(canonical(item))
    }
    return isValid(items) ? items : undefined
  }
  const canRepeatFirst = (layout: Layout): boolean =>
    layout.length >= 2 && (layout.extras.get(1) ?? []).length === 0 && alikeFrom < 1

  /** Checks what the layout alone cannot guarantee. */
  const isValid = (items: readonly Json[]): boolean => {
    if ((unique || repeated) && new Set(items.map(canonical)).size < items.length !== repeated) return false
    return contains.every(({ constraint, min: least, max }) => {
      const count = items.filter(item => graph.satisfies([constraint], item)).length
      return count >= least && count <= max
    })
  }

  const unusedItem =
    (source: RandomSource, depth: number) =>
    (node: ValueNode, used: ReadonlySet<string>): Json | undefined => {
      const all = unique ? node.allValues : null
      const left = all?.filter(value => !used.has(canonical(value)))
      if (left !== undefined) return left.length === 0 ? undefined : pick(source, left)
      for (let attempt = 0; attempt < 12; attempt += 1) {
        const value = node.draw(source, depth)
        if (value !== undefined && !(unique && used.has(canonical(value)))) return value
      }
      return undefined
    }

  const drawRepeated = (source: RandomSource, depth: number): Json | undefined => {
    const layout = layOut(source, depth)
    if (layout === null) return undefined
    const drawn = fill({ ...layout, length: Math.max(2, layout.length) }, depth, node =>
      node.draw(source, depth),
    )
    if (drawn !== undefined || alikeFrom === 0) return drawn
    // The first two positions have constraints of their own: draw an item that satisfies both.
    const both = graph.nodeFor([...constraintsAt(0, [], false), ...constraintsAt(1, [], false)])
    if (![both, nodeAt(0), nodeAt(1)].every(node => node.fitsIn(depth))) return undefined
    const value = both.draw(source, depth)
    const rest = Array.from({ length: Math.max(0, min - 2) }, (_, index) =>
      nodeAt(index + 2).draw(source, depth),
    )
    const items = [value, value, ...rest].filter(item => item !== undefined)
    return isValid(items) && items.length >= min ? items : undefined
  }

  const drawOnce = (source: RandomSource, depth: number): Json | undefined => {
    if (repeated) return drawRepeated(source, depth)
    const layout = layOut(source, depth)
    return layout === null ? undefined : fill(layout, depth, unusedItem(source, depth))
  }
  const draw = (source: RandomSource, depth: number): Json | undefined => {
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const value = drawOnce(source, depth - 1)
      if (value !== undefined) return value
    }
    return undefined
  }

  const simplest = (length: number, depth: number): Json | undefined => {
    const layout = layOut(null, depth)
    if (layout === null || length > Math.max(greatestLength(depth), layout.length)) return undefined
    return fill({ ...layout, length: Math.max(layout.length, length) }, depth, (node, used) => {
      const first = firstIn(node.boundaries(0))
      if (!unique || first === undefined || !used.has(canonical(first))) return first
      return unusedItem(seededRandomSource(used.size), depth)(node, used)
    })
  }

  function* boundaries(depth: number): Generator<Json> {
    const inside = Math.max(depth, 1) - 1
    const top = greatestLength(inside)
    const isBounded = form.array.max <= most
    const lengths = depth === 0 ? [min] : [min, min + 1, ...(isBounded ? [top - 1, top] : [])]
    for (const length of lengths) {
      if (length < 0 || length > Math.min(top, 200)) continue
      const value = simplest(length, inside)
      if (value !== undefined) yield value
    }
    if (depth === 0) return
    const size = Math.max(1, min)
    const base = simplest(size, inside)
    if (!isArray(base) || base.length === 0 || size > top) return
    for (const item of nodeAt(0).boundaries(inside)) {
      const value = [item, ...base.slice(1)]
      if (isValid(value)) yield value
    }
  }

  const fitsIn = (depth: number): boolean => {
    if (depth < 1) return depth === 0 && min === 0 && required.length === 0 && some.length === 0 && !repeated
    if (repeated && greatestLength(depth - 1) < 2) return false
    return layOut(null, depth - 1) !== null
  }
  return {
    draw,
    boundaries,
    fitsIn,
    allValues: form.array.max === 0 ? [[]] : null,
    isUncertain: () => false,
  }
}

// Deeply nested arrays stay short, since their values multiply.
const drawLength = (source: RandomSource, least: number, greatest: number, itemDepth: number): number => {
  if (itemDepth > 8) return Math.min(greatest, Math.max(least, 1))
  if (oneIn(source, 10) && greatest <= 40) return greatest
  const extra = itemDepth > 3 ? 1 : usualExtra
  return source.nextInt(least, Math.max(least, Math.min(greatest, Math.max(least, 1) + extra)))
}

const opposite = (constraint: Constraint, constrain: ConstraintFactory): Constraint | null =>
  constraint.kind === 'satisfy'
    ? constrain.negate(constraint.schema, constraint.scope)
    : constraint.kind === 'negate'
      ? constrain.satisfy(constraint.schema, constraint.scope)
      : null
