import { define, type Json } from '../../spec/index.ts'
import type { Constraint } from '../constraints/constraint.ts'
import type { NormalForm } from '../constraints/normal-form.ts'
import { oneIn, type RandomSource } from '../domains/language.ts'
import { createPropertyNames } from './property-names.ts'
import { firstIn, impractical, type ValueGraph, type ValuePlan } from './value-plan.ts'

const most = 500

/** Objects for the boundaries of its properties: in a tree of many branches each level would have as many times more. */
const mostOfValues = 1000
/** Of each property at least so many are tried. */
const leastShare = 40

/** The properties that an object gets; `relaxed` for those that carry a violation (see `ItemRule`). */
type Shape = Map<string, { readonly extra: readonly Constraint[]; readonly relaxed: boolean }>

/** Builds objects: first decides on the names, then builds a value for each. */
export const createObjectPlan = (form: NormalForm, graph: ValueGraph): ValuePlan | null => {
  const { min, max, properties, required, forbidden, patterns, some } = form.object
  if (max < 0) return null
  if (min > most) return impractical
  const names = createPropertyNames(form.object, graph)
  const nodeOf = (name: string, extra: readonly Constraint[] = [], relaxed = false) =>
    graph.nodeFor([...names.constraintsOf(name, relaxed), ...extra])
  if ([...required].some(name => !names.allows(name))) return null

  /** The optional properties whose values can have that depth. */
  const optionalIn = memoised((depth: number): readonly string[] =>
    [...properties.keys()].filter(
      name => !required.has(name) && !forbidden.has(name) && names.allows(name) && nodeOf(name).fitsIn(depth),
    ),
  )
  const takesOthers = !names.closed && (properties.size === 0 || names.mentionsOthers)

  /** The properties that have to exist; null if one of them cannot. */
  const requiredShape = (source: RandomSource | null, depth: number): Shape | null => {
    const shape: Shape = new Map([...required].map(name => [name, { extra: [], relaxed: false }]))
    for (const property of some) {
      const extra = property.constraint === null ? [] : [property.constraint]
      const extraOf = (name: string): readonly Constraint[] => [...(shape.get(name)?.extra ?? []), ...extra]
      const name = names.find(
        source,
        property,
        candidate =>
          !(shape.get(candidate)?.relaxed ?? false) &&
          nodeOf(candidate, extraOf(candidate), true).fitsIn(depth),
      )
      if (name === null) return null
      shape.set(name, { extra: extraOf(name), relaxed: true })
    }
    for (const [name, { extra, relaxed }] of shape)
      if (!nodeOf(name, extra, relaxed).fitsIn(depth)) return null
    return shape.size > max ? null : shape
  }
  const add = (shape: Shape, name: string): void => {
    if (!shape.has(name)) shape.set(name, { extra: [], relaxed: false })
  }
  /** Adds names until there are `count`, these ones first; false if no more can be found. */
  const growTo = (
    shape: Shape,
    count: number,
    source: RandomSource | null,
    depth: number,
    preferred: readonly string[],
  ): boolean => {
    for (const name of preferred) if (shape.size < count) add(shape, name)
    while (shape.size < count) {
      const name = names.find(
        source,
        null,
        candidate => !shape.has(candidate) && nodeOf(candidate).fitsIn(depth),
      )
      if (name === null) return false
      add(shape, name)
    }
    return true
  }

  const fill = (
    shape: Shape,
    build: (name: string, extra: readonly Constraint[], relaxed: boolean) => Json | undefined,
  ) => {
    const object: Record<string, Json> = {}
    // In declared order, so that the same names always give the same text.
    const declared = [...properties.keys()].filter(name => shape.has(name))
    for (const name of new Set([...declared, ...shape.keys()])) {
      const { extra, relaxed } = shape.get(name) ?? { extra: [], relaxed: false }
      const value = build(name, extra, relaxed)
      if (value === undefined) return undefined
      define(object, name, value)
    }
    return object
  }

  const drawOnce = (source: RandomSource, depth: number): Json | undefined => {
    const shape = requiredShape(source, depth)
    if (shape === null) return undefined
    const optional = optionalIn(depth)
    // One in eight objects has no optional property, and one in eight has all of them if they are few.
    const mode = source.nextInt(0, 7)
    const share = optional.length <= 4 || depth >= 3 ? 2 : Math.max(2, Math.ceil(optional.length / 2))
    for (const name of optional)
      if (shape.size < max && mode !== 0 && ((mode === 1 && optional.length <= 12) || oneIn(source, share)))
        add(shape, name)
    const others =
      takesOthers && depth > 0 ? source.nextInt(0, Math.min(2, Math.max(0, max - shape.size))) : 0
    if (!growTo(shape, Math.max(min, shape.size), source, depth, optional)) return undefined
    if (others > 0) growTo(shape, Math.min(max, shape.size + others), source, depth, [])
    return fill(shape, (name, extra, relaxed) => nodeOf(name, extra, relaxed).draw(source, depth))
  }
  const draw = (source: RandomSource, depth: number): Json | undefined => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const value = drawOnce(source, depth - 1)
      if (value !== undefined) return value
    }
    return undefined
  }

  const simplest = (present: readonly string[], count: number, depth: number): Json | undefined => {
    const shape = requiredShape(null, depth)
    if (shape === null) return undefined
    for (const name of present) add(shape, name)
    if (!growTo(shape, Math.max(count, min), null, depth, optionalIn(depth)) || shape.size > max)
      return undefined
    return fill(shape, (name, extra, relaxed) => firstIn(nodeOf(name, extra, relaxed).boundaries(0)))
  }

  function* allBoundaries(depth: number): Generator<Json | undefined> {
    const inside = Math.max(depth, 1) - 1
    if (depth === 0) {
      yield simplest([], 0, inside)
      return
    }
    const optional = optionalIn(inside)
    const ofSubsets = pairwiseSubsets(optional).map(present => simplest(present, 0, inside))
    yield* ofSubsets
    const counts = max <= 50 ? [min, min + 1, max - 1, max] : min > 0 ? [min, min + 1] : []
    if (takesOthers || min > 0)
      for (const count of counts) if (count >= min) yield simplest([], count, inside)
    const full = ofSubsets.find(
      value => value !== undefined && Object.keys(value as object).length >= required.size + optional.length,
    )
    const base = (full ?? simplest([], 0, inside)) as { readonly [name: string]: Json } | undefined
    const names = Object.keys(base ?? {})
    const share = Math.max(leastShare, Math.floor(mostOfValues / Math.max(1, names.length)))
    for (const name of names)
      for (const value of Iterator.from(nodeOf(name).boundaries(inside)).drop(1).take(share)) {
        const copy = { ...base }
        define(copy, name, value)
        yield copy
      }
  }
  const boundaries = (depth: number): Iterable<Json> =>
    Iterator.from(allBoundaries(depth)).filter(value => value !== undefined)

  const fitsAround = memoised((depth: number): boolean => {
    const shape = requiredShape(null, depth)
    return shape !== null && growTo(shape, min, null, depth, optionalIn(depth)) && shape.size <= max
  })
  let isAsked = false
  /** Whether a required property has no value because none was found. A schema that requires itself asks only once. */
  const lacksUncertain = (): boolean => {
    if (isAsked) return false
    isAsked = true
    const lacks = [...required].some(name => {
      const node = nodeOf(name)
      return !Number.isFinite(node.minDepth) && !node.exhaustive
    })
    isAsked = false
    return lacks
  }
  return {
    draw,
    boundaries,
    fitsIn: depth =>
      depth < 1
        ? depth === 0 && min === 0 && required.size === 0 && some.length === 0
        : fitsAround(depth - 1),
    // Names for patterns are searched for, not counted.
    isUncertain: () => patterns.length + form.object.names.length > 0 || lacksUncertain(),
    allValues: max === 0 && min === 0 && some.length === 0 && required.size === 0 ? [{}] : null,
  }
}

/**
 * Subsets of the optional names: all of them for six names or fewer, else a pairwise covering: for any two names there is a
 * subset with both, with neither, and with each one alone.
 */
const pairwiseSubsets = (names: readonly string[]): readonly (readonly string[])[] => {
  if (names.length <= 6)
    return Array.from({ length: 2 ** names.length }, (_, bits) =>
      names.filter((_name, at) => (bits >> at) & 1),
    )
  // Any two names differ in some binary digit of their positions: that digit's set and its complement part them both ways.
  const digits = Math.ceil(Math.log2(names.length))
  const split = Array.from({ length: digits }, (_, digit) => [
    names.filter((_, at) => (at >> digit) & 1),
    names.filter((_, at) => !((at >> digit) & 1)),
  ]).flat()
  return [[], names, ...split]
}

/** Makes a result on the first call and keeps it. */
export const once = <Result>(make: () => Result): (() => Result) => {
  let made: { readonly result: Result } | undefined
  return () => {
    made ??= { result: make() }
    return made.result
  }
}

/** Makes one result for each argument and keeps them. */
export const memoised = <Argument, Result>(
  make: (argument: Argument) => Result,
): ((argument: Argument) => Result) => {
  const results = new Map<Argument, Result>()
  return argument => {
    if (results.has(argument)) return results.get(argument) as Result
    const result = make(argument)
    results.set(argument, result)
    return result
  }
}
