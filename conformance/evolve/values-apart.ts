import { compileGenerator, createSampler, type Generator } from '../../generator/index.ts'
import {
  asNode,
  childPlace,
  type Direction,
  itemPlace,
  type Json,
  type KeywordUse,
  type Pointer,
  placeOf,
  placesOf,
  plainValue,
  type SchemaPlace,
  type SchemaViolation,
  setAt,
  step,
  steps,
  valueAt,
  writeJson,
} from '../../spec/index.ts'
import { nearMisses } from '../cases/near-misses.ts'
import { hasDeclaredNames } from './declared-names.ts'
import type { JoinedSchemas } from './joined-schemas.ts'
import { annotations, type Comparison } from './same-schema.ts'

/** Values are made by one document, and judged by the other: `from` makes them. */
export type Sides = {
  readonly from: Direction
  readonly to: Direction
  readonly isSame: Comparison
  readonly join: JoinedSchemas
  readonly seed: number
  /** Whether a value is ruled out because it fits two alternatives of `oneOf`. */
  readonly areTwoMeant: boolean
  /** The pairs of schemas whose values were found before. */
  readonly done: Set<string>
}

type PlaceValues = {
  readonly values: readonly Json[]
  /** Why there may be others; null if there are none. */
  readonly doubt: string | null
}

export type ValuesApart = {
  /** Values that are valid under `from` and not under `to`: the smallest for each keyword at each place. */
  readonly values: readonly ValueApart[]
  /** What could not be decided: places, and the reason. */
  readonly undecided: readonly { readonly place: Pointer; readonly reason: string }[]
  /** The pairs of schemas that have changed and that another operation has shown the values of. */
  readonly shared: readonly string[]
}

/** `origin`: the pair of schemas by which it was found. */
export type ValueApart = { readonly value: Json; readonly origin: string | null }

const samples = 12
const mostBoundaries = 60
const mostJoined = 8

/** Whether a value is one that those who go by a schema send. */
export const isSentBy = ({ document, schemas }: Direction, schema: Pointer, value: Json): boolean =>
  schemas.validator(schema)(value).length === 0 && hasDeclaredNames(document, [schema], value)

/**
 * Looks for the values that one schema allows and the other does not. What two schemas differ in is looked for once: other operations
 * that have them share what was found.
 */
export const valuesApart = (sides: Sides, schema: Pointer, other: Pointer): ValuesApart => {
  const { from, to } = sides
  const root = placesOf(from.document, schema)
  const target = placesOf(to.document, other)
  const pairs = [...changedPairs(sides, root, target)]
  const fresh = pairs.filter(({ key }) => !sides.done.has(key))
  const shared = pairs.flatMap(({ key }) => (sides.done.has(key) ? [key] : []))
  if (fresh.length === 0) return { values: [], undecided: [], shared }
  const found = new Map<string, ValueApart & { readonly size: number }>()
  let isAnyValid = false
  const take = (value: Json, origin: string | null): boolean => {
    if (!isSentBy(from, schema, value)) return false
    isAnyValid = true
    const violations = to.schemas.validator(other)(value)
    // A value that fits two alternatives is no other value than before: they have only come to overlap.
    const meant = sides.areTwoMeant ? violations : violations.filter(({ detail }) => detail !== 'two')
    for (const violation of meant) {
      const key = keyOf(target, violation)
      const size = violations.length * 1e6 + writeJson(value).length
      const known = found.get(key)
      if (known === undefined || known.size > size)
        found.set(key, { value, size, origin: known?.origin ?? origin })
    }
    return meant.length > 0
  }
  const whole = wholeValues(sides, root)
  const undecided: { place: Pointer; reason: string }[] = []
  for (const pair of fresh) {
    const { values, doubt } = makeValues(sides, pair)
    const bases = basesOf(pair, root, whole)
    let isTold = false
    let isReached = false
    for (const value of values)
      for (const base of bases) {
        const filled = setAt(base, pair.at, value)
        if (!isSentBy(from, schema, filled)) continue
        isReached = true
        isTold = take(filled, pair.key) || isTold
        break
      }
    // What is required has to be missing once.
    for (const name of pair.there.required)
      for (const base of bases) isTold = take(setAt(base, step(pair.at, name), undefined), pair.key) || isTold
    if (isReached || isTold) sides.done.add(pair.key)
    if (doubt !== null && !isTold) undecided.push({ place: pair.at, reason: doubt })
  }
  for (const value of whole) take(value, null)
  return {
    values: [
      ...new Map(
        [...found.values()].map(({ value, origin }) => [writeJson(value), { value, origin }]),
      ).values(),
    ],
    undecided: isAnyValid
      ? undecided
      : [{ place: '', reason: reasonOf(generatorOf(from, root)) ?? 'no value was found that is valid' }],
    shared,
  }
}

/** Whole values to put a value of a place into. */
const basesOf = ({ at, via }: Pair, root: SchemaPlace, whole: readonly Json[]): readonly Json[] => {
  if (via === null) return [plainValue(root, at), ...whole.slice(0, mostBases)]
  const inside = at.slice(via.at.length)
  const outer = [plainValue(root, via.at), ...whole.slice(0, mostBases)]
  return outer.map(base => setAt(base, via.at, plainValue(via.root, inside === '' ? null : inside)))
}

const mostBases = 6

const keyOf = (root: SchemaPlace, { at, keyword }: SchemaViolation): string =>
  `${placeOf(root, at)?.pattern ?? at} ${keyword}`

/** The plainest value, one with each optional property, those at the edges, and random ones. */
const wholeValues = ({ from, seed }: Sides, root: SchemaPlace): readonly Json[] => {
  const generator = generatorOf(from, root)
  return [
    plainValue(root),
    root.children.reduce<Json>(
      (value, child) => setAt(value, child.pattern, plainValue(child, child.children[0]?.pattern ?? null)),
      plainValue(root),
    ),
    ...generator.boundaries.slice(0, mostBoundaries),
    ...sampled(generator, seed, 'whole', samples),
  ]
}

const generatorOf = ({ document }: Direction, place: SchemaPlace): Generator => {
  const { schemas } = place
  const key = ownSchemas({ document }, place)
  const ofDocument = generators.get(document) ?? new Map<string, Generator>()
  generators.set(document, ofDocument)
  const known = ofDocument.get(key)
  if (known !== undefined) return known
  const made = compileGenerator(
    { allOf: schemas.map(schema => ({ $ref: `#${encodeURI(schema)}` })) },
    document,
  )
  ofDocument.set(key, made)
  return made
}

const generators = new WeakMap<object, Map<string, Generator>>()

const sampled = ({ valid }: Generator, seed: number, name: string, count: number): readonly Json[] => {
  if ('unsupported' in valid) return []
  const sample = createSampler(valid, seed, name)
  return Array.from({ length: count }, (_, index) => sample(index))
}

const reasonOf = ({ valid }: Generator): string | null => ('unsupported' in valid ? valid.unsupported : null)

/** A place of `from` with the one of `to` for the same values. */
type Pair = {
  readonly at: Pointer
  readonly here: SchemaPlace
  readonly there: SchemaPlace
  /** The alternative that both are in: where it begins, and its places. */
  readonly via: { readonly at: Pointer; readonly root: SchemaPlace } | null
  /** What tells it from other pairs: the schemas. */
  readonly key: string
}

/** The places below two that do not mean the same, from the top; each pair of schemas once. */
function* changedPairs(
  sides: Sides,
  here: SchemaPlace,
  there: SchemaPlace,
  at: Pointer = '',
  via: Pair['via'] = null,
  seen: Set<string> = new Set(),
): Iterable<Pair> {
  if (isSamePlace(sides, here, there)) return
  const key = `${ownSchemas(sides.from, here)} | ${ownSchemas(sides.to, there)}`
  if (seen.has(key)) return
  seen.add(key)
  if (changedUses(sides, here, there).length > 0) yield { at, here, there, via, key }
  for (const [branch, other] of changedBranches(sides, here, there)) {
    const root = placesOf(sides.from.document, branch)
    yield* changedPairs(sides, root, placesOf(sides.to.document, other), at, { at, root }, seen)
  }
  const names = new Set(
    [...here.children, ...(itemPlace(here) === null ? [] : there.children)].map(
      ({ pattern }) => steps(pattern).at(-1) ?? '',
    ),
  )
  for (const name of names) {
    const [child, other] = [childPlace(here, name), childPlace(there, name)]
    if (child === null || other === null) continue
    yield* changedPairs(sides, child, other, name === '*' ? `${at}/*` : step(at, name), via, seen)
  }
}

/** The schemas of a place other than those that only refer to the next. */
const ownSchemas = ({ document }: Pick<Direction, 'document'>, { schemas }: SchemaPlace): string =>
  schemas.filter(schema => Object.keys(asNode(valueAt(document, schema))).join() !== '$ref').join(' ')

const isSamePlace = ({ isSame }: Sides, here: SchemaPlace, there: SchemaPlace): boolean =>
  here.schemas.length === there.schemas.length &&
  here.schemas.every((schema, index) => isSame(schema, there.schemas[index] ?? ''))

/** The keywords of `to` that `from` does not have as well, other than those about what is below. */
const changedUses = (sides: Sides, here: SchemaPlace, there: SchemaPlace): readonly KeywordUse[] => {
  const branches = changedBranches(sides, here, there)
  return there.keywords.filter(
    ({ keyword, pointer }) =>
      !ofChildren.has(keyword) &&
      !here.keywords.some(use => use.keyword === keyword && sides.isSame(use.pointer, pointer)) &&
      !branches.some(([, other]) => other.startsWith(`${pointer}/`)),
  )
}

/** Keywords about what is below a place, which has places of its own; and those that say nothing. */
const ofChildren = new Set(['properties', 'items', ...annotations])

/** The alternatives that are not the same, where both documents have as many. */
const changedBranches = (
  { isSame }: Sides,
  here: SchemaPlace,
  there: SchemaPlace,
): readonly (readonly [Pointer, Pointer])[] =>
  there.keywords.flatMap(({ keyword, value, pointer }) => {
    const use = alternatives.has(keyword) ? here.keywords.find(each => each.keyword === keyword) : undefined
    if (!Array.isArray(value) || !Array.isArray(use?.value) || use.value.length !== value.length) return []
    return [...value.keys()]
      .map(index => [step(use.pointer, index), step(pointer, index)] as const)
      .filter(([one, other]) => !isSame(one, other))
  })

const alternatives = new Set(['anyOf', 'oneOf'])

const makeValues = (sides: Sides, { here, there }: Pair): PlaceValues => {
  const { from, to, seed } = sides
  const uses = changedUses(sides, here, there)
  const generator = generatorOf(from, here)
  // What is missing is tried in any case, and the search for it can be long.
  const joined = uses.every(({ keyword }) => keyword === 'required')
    ? null
    : sides.join(here.schemas, there.schemas)
  const reason = joined === null ? null : reasonOf(joined)
  return {
    values: [
      ...uses.flatMap(({ keyword }) => nearMisses({ requests: to }, there, keyword, 'a')),
      ...(joined?.boundaries.slice(0, mostJoined) ?? []),
      ...(joined === null ? [] : sampled(joined, seed, 'joined', mostJoined)),
      ...generator.boundaries.slice(0, mostBoundaries),
      ...sampled(generator, seed, 'place', samples),
    ],
    doubt: reason === null || reason === impossible ? null : reason,
  }
}

/** What the generator says if it has proved that there is no value. */
const impossible = 'no value is possible'
