import {
  asNode,
  childPlace,
  type Direction,
  itemPlace,
  type KeywordUse,
  type Pointer,
  placesOf,
  type SchemaPlace,
  step,
  steps,
  valueAt,
} from '../../spec/index.ts'
import { annotations, type Comparison, type JoinedSchemas } from './same-schema.ts'

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

/** A place of `from` with the one of `to` for the same values. */
export type PlacePair = {
  readonly at: Pointer
  readonly here: SchemaPlace
  readonly there: SchemaPlace
  /** The alternative that both are in: where it begins, and its places. */
  readonly via: { readonly at: Pointer; readonly root: SchemaPlace } | null
  /** What tells it from other pairs: the schemas. */
  readonly key: string
}

/** The places below two that do not mean the same, from the top; each pair of schemas once. */
export function* changedPairs(
  sides: Sides,
  here: SchemaPlace,
  there: SchemaPlace,
  at: Pointer = '',
  via: PlacePair['via'] = null,
  seen: Set<string> = new Set(),
): Iterable<PlacePair> {
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
export const ownSchemas = ({ document }: Pick<Direction, 'document'>, { schemas }: SchemaPlace): string =>
  schemas.filter(schema => Object.keys(asNode(valueAt(document, schema))).join() !== '$ref').join(' ')

const isSamePlace = ({ isSame }: Sides, here: SchemaPlace, there: SchemaPlace): boolean =>
  here.schemas.length === there.schemas.length &&
  here.schemas.every((schema, index) => isSame(schema, there.schemas[index] ?? ''))

/** The keywords of `to` that `from` does not have as well, other than those about what is below. */
export const changedUses = (sides: Sides, here: SchemaPlace, there: SchemaPlace): readonly KeywordUse[] => {
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

export const alternatives: ReadonlySet<string> = new Set(['anyOf', 'oneOf'])
