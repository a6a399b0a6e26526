import { isArray, isObject, type Json, type JsonObject, sameJson } from '../json/json.ts'
import { childPlace, type SchemaPlace } from '../schema/locations.ts'
import { variantsOf } from '../schema/variants.ts'

/**
 * Whether a value is the one that was sent, perhaps written in another way, but for what a server may do to the objects in it: fill in what the schema requires or has a
 * default for, fill in null, which says that there is none, leave out what is empty, and drop what the schema does not declare. `place`: the value's; null if the
 * schema does not describe it.
 */
export const repeats = (sent: Json, actual: Json | undefined, place: SchemaPlace | null): boolean => {
  if (actual === undefined) return sent === null || isEmpty(sent)
  if (isArray(sent) && isArray(actual))
    return (
      sent.length === actual.length &&
      sent.every((item, index) => repeats(item, actual[index], place && childPlace(place, String(index))))
    )
  if (!isObject(sent) || !isObject(actual)) return sameValue(sent, actual, place)
  const fitting = place === null ? [] : variantsOf(place).filter(variant => isMeant(variant, sent))
  const isKept = (name: string, value: Json): boolean => {
    const places = fitting.flatMap(variant => childPlace(variant, name) ?? [])
    const got = actual[name]
    if (got === undefined && fitting.some(variant => isUndeclared(variant, name))) return true
    return places.length === 0 ? repeats(value, got, null) : places.some(each => repeats(value, got, each))
  }
  return (
    Object.entries(sent).every(([name, value]) => isKept(name, value)) &&
    Object.entries(actual).every(
      ([name, value]) =>
        Object.hasOwn(sent, name) || value === null || fitting.some(variant => isFilledIn(variant, name)),
    )
  )
}

/** Many servers leave out what is null or empty. */
const isEmpty = (value: Json): boolean =>
  isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0

/** Whether an object may be meant for an alternative: it has the values that tell alternatives apart. */
const isMeant = (variant: SchemaPlace, sent: JsonObject): boolean =>
  Object.entries(sent).every(([name, value]) =>
    (childPlace(variant, name)?.keywords ?? []).every(({ keyword, value: allowed }) => {
      if (keyword === 'const') return sameJson(value, allowed as Json)
      return keyword !== 'enum' || (allowed as readonly Json[]).some(each => sameJson(value, each))
    }),
  )

/** What has no properties at all describes none of its members, so all of them count. */
const isUndeclared = (variant: SchemaPlace, name: string): boolean =>
  variant.properties.length > 0 && childPlace(variant, name) === null

const isFilledIn = (variant: SchemaPlace, name: string): boolean =>
  variant.required.includes(name) ||
  childPlace(variant, name)?.keywords.some(({ keyword }) => keyword === 'default') === true

/** Whether two values are the same, as JSON or as texts of the format that the schema names: `12:00Z` and `12:00+00:00` are one time. */
const sameValue = (one: Json, other: Json, place: SchemaPlace | null): boolean => {
  if (sameJson(one, other)) return true
  if (typeof one !== 'string' || typeof other !== 'string' || place === null) return false
  return variantsOf(place)
    .flatMap(({ keywords }) => keywords)
    .some(({ keyword, value }) => {
      const canonical = keyword === 'format' ? canonicalForms.get(String(value)) : undefined
      const form = canonical?.(one)
      return form != null && form === canonical?.(other)
    })
}

/** A text as all texts of the same meaning are; null if it is not of the format. */
const canonicalForms: ReadonlyMap<string, (text: string) => string | null> = new Map([
  ['date-time', (text: string) => instant(text)],
  // A time is compared on any day: the offset may lead to another one, which is not told.
  ['time', (text: string) => instant(`2000-01-02T${text}`)?.slice('2000-01-02T'.length) ?? null],
  ['uuid', (text: string) => text.toLowerCase()],
  ['uri', (text: string) => (URL.canParse(text) ? new URL(text).href : null)],
  ['decimal', (text: string) => decimal(text)],
])

/** In UTC, without zeros at the end of the fraction, which may be longer than a Date can tell. */
const instant = (text: string): string | null => {
  const [, seconds, fraction = '', offset] =
    /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text.toUpperCase()) ?? []
  const date = new Date(`${seconds?.replace(' ', 'T')}${offset}`)
  return Number.isNaN(date.getTime())
    ? null
    : `${date.toISOString().replace(/\.\d+Z$/, '')}.${fraction.replace(/(?<!0)0+$/, '')}`
}

const decimal = (text: string): string | null => {
  const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text) ?? []
  if (sign === undefined || whole + fraction === '') return null
  const digits = `${whole.replace(/^0+/, '')}.${fraction.replace(/(?<!0)0+$/, '')}`
  return sign === '-' && digits !== '.' ? `-${digits}` : digits
}
