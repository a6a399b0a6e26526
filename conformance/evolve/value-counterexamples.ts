import { compileGenerator, createSampler, type Generator } from '../../generator/index.ts'
import {
  type Direction,
  type Json,
  type KeywordUse,
  type Media,
  type Pointer,
  placeOf,
  placesOf,
  plainValue,
  type SchemaPlace,
  type SchemaViolation,
  setAt,
  step,
  writeJson,
} from '../../spec/index.ts'
import { nearMisses } from '../cases/near-misses.ts'
import {
  alternatives,
  changedPairs,
  changedUses,
  ownSchemas,
  type PlacePair,
  type Sides,
} from './changed-pairs.ts'
import { hasDeclaredNames } from './declared-names.ts'

type PlaceValues = {
  readonly values: readonly Json[]
  /** Why there may be others; null if there are none. */
  readonly doubt: string | null
}

export type ValueCounterexamples = {
  /** Values that are valid under `from` and not under `to`: the smallest for each keyword at each place. */
  readonly values: readonly ValueCounterexample[]
  /** What could not be decided: places, and the reason. */
  readonly undecided: readonly { readonly place: Pointer; readonly reason: string }[]
  /** The pairs of schemas that have changed and that another operation has shown the values of. */
  readonly shared: readonly string[]
}

/** `origin`: the pair of schemas by which it was found. */
export type ValueCounterexample = { readonly value: Json; readonly origin: string | null }

const samples = 12
const mostBoundaries = 60
const mostJoined = 8

/** Whether a value is one that those who go by a schema send. */
export const isSentBy = ({ document, schemas }: Direction, schema: Pointer, value: Json): boolean =>
  schemas.validator(schema)(value).length === 0 && hasDeclaredNames(document, [schema], value)

/** Whether the bodies of two media types have one schema. */
export const hasSameSchema = ({ document }: Direction, one: Media, other: Media): boolean =>
  one.schema !== null &&
  other.schema !== null &&
  placesOf(document, one.schema) === placesOf(document, other.schema)

/**
 * Looks for the values that one schema allows and the other does not. What two schemas differ in is looked for once: other operations
 * that have them share what was found.
 */
export const valueCounterexamples = (sides: Sides, schema: Pointer, other: Pointer): ValueCounterexamples => {
  const { from, to } = sides
  const root = placesOf(from.document, schema)
  const target = placesOf(to.document, other)
  const pairs = [...changedPairs(sides, root, target)]
  const fresh = pairs.filter(({ key }) => !sides.done.has(key))
  const shared = pairs.flatMap(({ key }) => (sides.done.has(key) ? [key] : []))
  if (fresh.length === 0) return { values: [], undecided: [], shared }
  const found = new Map<string, ValueCounterexample & { readonly size: number }>()
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
const basesOf = ({ at, via }: PlacePair, root: SchemaPlace, whole: readonly Json[]): readonly Json[] => {
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

const makeValues = (sides: Sides, { here, there }: PlacePair): PlaceValues => {
  const { from, to, seed } = sides
  const uses = changedUses(sides, here, there)
  const generator = generatorOf(from, here)
  const joined = joinedGenerators(sides, here, there, uses)
  const reasons = joined.map(reasonOf).filter(reason => reason !== null && reason !== impossible)
  return {
    values: [
      ...uses.flatMap(({ keyword }) => nearMisses({ requests: to }, there, keyword, 'a')),
      ...joined.flatMap(each => [
        ...each.boundaries.slice(0, mostJoined),
        ...sampled(each, seed, 'joined', mostJoined),
      ]),
      ...generator.boundaries.slice(0, mostBoundaries),
      ...sampled(generator, seed, 'place', samples),
    ],
    doubt: reasons[0] ?? null,
  }
}

/** Generators of the values that fit `here` and do not fit `there`. */
const joinedGenerators = (
  { isSame, join }: Sides,
  here: SchemaPlace,
  there: SchemaPlace,
  uses: readonly KeywordUse[],
): readonly Generator[] => {
  // What is missing is tried in any case, and the search for it can be long.
  if (uses.every(({ keyword }) => keyword === 'required')) return []
  const [use] = uses
  const before = here.keywords.find(({ keyword }) => keyword === use?.keyword)
  const [all, some] = [use, before].map(each =>
    Array.isArray(each?.value) ? [...each.value.keys()].map(index => step(each.pointer, index)) : [],
  )
  const isGrown =
    uses.length === 1 &&
    use !== undefined &&
    alternatives.has(use.keyword) &&
    before !== undefined &&
    some?.every(one => all?.some(other => isSame(one, other))) === true
  if (!isGrown) return [join({ from: here.schemas, breaking: there.schemas })]
  // With more alternatives than before, only a value that fits one of these as well can fit no longer.
  return use.keyword === 'anyOf'
    ? []
    : (all ?? [])
        .filter(other => some?.some(one => isSame(one, other)) === false)
        .map(other => join({ from: here.schemas, to: [other] }))
}

/** What the generator says if it has proved that there is no value. */
const impossible = 'no value is possible'
