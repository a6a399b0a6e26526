import { isArray, isObject, type Json, writeJson } from '../json/json.ts'

/** Longer values are described instead of being cut, as half a secret is still half a secret. */
const longest = 40

/** A value as JSON; null if that is long. */
export const jsonIfShort = (value: Json): string | null => {
  const text = visible(writeJson(value))
  return text.length <= longest ? text : null
}

/** A value for the middle of a sentence: as JSON if that is short, else what it is: «a string of 300 characters». */
export const shortValue = (value: Json): string => jsonIfShort(value) ?? valueKind(value)

const valueKind = (value: Json): string => {
  if (typeof value === 'string') return `a string of ${[...value].length} characters`
  if (isArray(value)) return `a list of ${value.length} items`
  return isObject(value) ? 'an object' : 'a long number'
}

/** Text from outside for the middle of a sentence. */
export const shortText = (text: string): string => {
  const shown = visible(text)
  return shown.length <= longest ? shown : `a text of ${[...text].length} characters`
}

/** The text with an escape for each character that cannot be seen or that changes the direction of text. */
export const visible = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, char =>
    Array.from(
      { length: char.length },
      (_, index) => `\\u${char.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
