import {
  isArray,
  isNumber,
  isObject,
  type Json,
  listPlaces,
  type Pointer,
  parseJson,
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
  const asked = listPlaces(root)
    .find(({ pattern }) => pattern === place)
    ?.keywords.find(use => use.keyword === keyword)?.value
  const inside = keyword === 'maxItems' || keyword === 'uniqueItems' ? `${place}/*` : place
  return [value, withPlace(root, value, inside)].flatMap(whole =>
    placesIn(whole, place).flatMap(at =>
      wrongValues(keyword, asked, valueAt(whole, at) as Json).map(wrong => setAt(whole, at, wrong)),
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

const parentOf = (at: Pointer): Pointer => at.slice(0, at.lastIndexOf('/'))

/** The value with something at the place: what the same schema has elsewhere, else what is plain. */
const withPlace = (root: SchemaPlace, value: Json, place: Pointer): Json => {
  const places = listPlaces(root)
  const path = steps(place).map((_, index, all) =>
    all
      .slice(0, index + 1)
      .reduce<Pointer>((at, key) => `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, ''),
  )
  return path.reduce<Json>((whole, pattern) => {
    if (placesIn(whole, pattern).length > 0) return whole
    const own = places.find(other => other.pattern === pattern)
    if (own === undefined) return whole
    const twin = places.find(
      other => other !== own && isTwin(other, own) && placesIn(whole, other.pattern).length > 0,
    )
    const [at] = twin === undefined ? [] : placesIn(whole, twin.pattern)
    return setAt(whole, pattern, at === undefined ? plainValue(own) : (valueAt(whole, at) as Json))
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

const wrongValues = (keyword: string, asked: unknown, value: Json): readonly Json[] => {
  const bound = Number(asked)
  switch (keyword) {
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return [bound - 1, bound + 1, bound, bound / 2]
    case 'minLength':
      return ['x'.repeat(Math.max(0, bound - 1))]
    case 'maxLength':
      return ['x'.repeat(bound + 1), `${value}${'0'.repeat(bound)}`, '1'.repeat(bound + 1)]
    case 'minItems':
      return isArray(value) ? [value.slice(0, Math.max(0, bound - 1))] : []
    case 'maxItems':
      return isArray(value)
        ? value.slice(0, 1).map(item => Array.from({ length: bound + 1 }, () => item))
        : []
    case 'uniqueItems':
      return isArray(value) ? [[...value, ...value]] : []
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'propertyNames':
      return isObject(value) ? [{ ...value, undeclared: 'x' }] : []
    case 'format':
      return ['2147483648', '9223372036854775808', '1e30', '"x"', '""'].map(parseJson)
    default:
      return ['x', '', 1, true, null, [], {}, 1.5, -1, ['x'], 'x y z', '0'].map(other => other as Json)
  }
}
