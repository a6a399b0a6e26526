/** What the document says of a plant, checked by hand: the tests share no code with what they test. */

export type Fields = Record<string, unknown>

type Check = (value: unknown) => boolean

const isWhole: Check = value => typeof value === 'number' && Number.isInteger(value)
const between =
  (least: number, most: number): Check =>
  value =>
    isWhole(value) && (value as number) >= least && (value as number) <= most
const text =
  (least: number, most: number): Check =>
  value =>
    typeof value === 'string' && [...value].length >= least && [...value].length <= most

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const checks: Readonly<Record<string, Check>> = {
  name: text(1, 80),
  kind: value => value === 'fern' || value === 'moss' || value === 'palm',
  height: between(0, 1000),
  weight: value => typeof value === 'number' && value >= 0 && value <= 1000,
  isEdible: value => typeof value === 'boolean',
  tags: value => Array.isArray(value) && value.length <= 5 && value.every(text(0, 20)),
  place: value =>
    isRecord(value) && text(0, 40)(value.room) && (value.shelf === undefined || between(1, 9)(value.shelf)),
}

export const fieldNames: readonly string[] = Object.keys(checks)

/** The declared properties of a body; null if it is invalid. */
export const fieldsIn = (body: string, isWholePlant: boolean): Fields | null => {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return null
  }
  if (!isRecord(value) || (isWholePlant && !Object.hasOwn(value, 'name'))) return null
  const given = value
  const known = fieldNames.filter(name => Object.hasOwn(given, name))
  return known.every(name => checks[name]?.(given[name]))
    ? Object.fromEntries(known.map(name => [name, given[name]]))
    : null
}

/** The declared properties of any object, valid or not. */
export const looseFields = (body: string): Fields => {
  try {
    const value: unknown = JSON.parse(body)
    return isRecord(value) && body.length < 2000
      ? Object.fromEntries(Object.entries(value).filter(([name]) => fieldNames.includes(name)))
      : {}
  } catch {
    return {}
  }
}
