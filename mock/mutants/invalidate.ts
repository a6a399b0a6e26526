import {
  invalidValues,
  isArray,
  isNumber,
  isObject,
  type Json,
  listPlaces,
  type Pointer,
  parentOf,
  plainValue,
  type SchemaPlace,
  setAt,
  step,
  steps,
  valueAt,
} from '../../spec/index.ts'

/** Values that may break a keyword at a place of this one, and nothing else. */
export const spoilt = (
  root: SchemaPlace,
  value: Json,
  { place, keyword }: { readonly place: Pointer; readonly keyword: string },
): readonly Json[] => {
  if (keyword === 'required')
    return [value, withPlace(root, value, parentOf(place))].flatMap(whole =>
      placesIn(whole, place).map(at => setAt(whole, at, undefined)),
    )
  const constraint = listPlaces(root)
    .find(({ pattern }) => pattern === place)
    ?.keywords.find(use => use.keyword === keyword)?.value
  const inside = keyword === 'maxItems' || keyword === 'uniqueItems' ? `${place}/*` : place
  return [value, withPlace(root, value, inside)].flatMap(whole =>
    placesIn(whole, place).flatMap(at =>
      invalidValues(keyword, constraint, valueAt(whole, at) as Json).map(wrong => setAt(whole, at, wrong)),
    ),
  )
}

/** Other values of the same kind; of what is not there, and need not be, none. */
export const otherValues = (value: Json | undefined): readonly Json[] => {
  if (value === undefined) return []
  if (typeof value === 'string') return [`${value}x`, value.slice(1), 'other', 'low', 'high', '2001-02-03']
  if (isNumber(value)) return [2, 3].map(Number)
  if (typeof value === 'boolean') return [!value]
  if (isArray(value)) return [[], value.slice(1), [...value, ...value]]
  return isObject(value) ? [{}, { ...value, other: 1 }] : ['x', 1, true]
}

/** The value with something at the place: what the same schema has elsewhere, else what is plain. */
const withPlace = (root: SchemaPlace, value: Json, place: Pointer): Json => {
  const places = listPlaces(root)
  const path = steps(place).map((_, index, all) => all.slice(0, index + 1).reduce<Pointer>(step, ''))
  return path.reduce<Json>((whole, pattern) => {
    if (placesIn(whole, pattern).length > 0) return whole
    const location = places.find(other => other.pattern === pattern)
    if (location === undefined) return whole
    const twin = places.find(
      other => other !== location && isTwin(other, location) && placesIn(whole, other.pattern).length > 0,
    )
    const [at] = twin === undefined ? [] : placesIn(whole, twin.pattern)
    return setAt(whole, pattern, at === undefined ? plainValue(location) : (valueAt(whole, at) as Json))
  }, value)
}

const isTwin = (one: SchemaPlace, other: SchemaPlace): boolean => one.schemas.at(-1) === other.schemas.at(-1)

/** The places in a value that a pattern stands for. */
const placesIn = (value: Json, pattern: Pointer): readonly Pointer[] =>
  steps(pattern).reduce<readonly Pointer[]>(
    (places, key) =>
      places.flatMap(at => {
        const inside = valueAt(value, at)
        if (typeof inside !== 'object' || inside === null) return []
        const names = key === '*' ? Object.keys(inside) : Object.hasOwn(inside, key) ? [key] : []
        return names.map(name => step(at, name))
      }),
    [''],
  )
