import { isArray, isObject, type Json, writeJson } from '../json/json.ts'
import { charactersIn } from './characters.ts'

/** Longer values are described instead of being cut, as half a secret is still half a secret. */
const longest = 40

/** A value as JSON; null if that is long. */
export const jsonIfShort = (value: Json): string | null => {
  if (typeof value === 'string' && value.length > longest) return null
  const text = writeJson(value)
  const shown = text.length <= longest ? visible(text) : text
  return shown.length <= longest ? shown : null
}

/** A value for the middle of a sentence: as JSON if that is short, else what it is: «a string of 300 characters». */
export const shortValue = (value: Json): string => jsonIfShort(value) ?? valueKind(value)

const valueKind = (value: Json): string => {
  if (typeof value === 'string') return `a string of ${charactersIn(value)} characters`
  if (isArray(value)) return `a list of ${plural(value.length, 'item')}`
  return isObject(value) ? 'an object' : 'a long number'
}

/** Text from outside for the middle of a sentence. */
export const shortText = (text: string): string => {
  const shown = text.length <= longest ? visible(text) : text
  return shown.length <= longest ? shown : `a text of ${charactersIn(text)} characters`
}

/** A place in a body may have many steps: each is shown if it is short. */
export const shortPlace = (place: string): string => place.split('.').map(shortText).join('.')

/** The beginning of a text as a copy: a part of a string keeps the whole of it in memory. */
export const beginning = (text: string, length: number): string => {
  const part = text.slice(0, length)
  return typeof Buffer === 'undefined' ? part : Buffer.from(part, 'utf16le').toString('utf16le')
}

/** The text with an escape for each character that cannot be seen or that changes the direction of text. */
export const visible = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, char =>
    Array.from(
      { length: char.length },
      (_, index) => `\\u${char.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )

/** 4310 → `4,310`, in every locale. */
export const thousands = (value: number): string => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')

/** `1 case`, `2,310 cases`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${thousands(value)} ${value === 1 ? one : many}`

/** `0.6 s`, `12 min 5 s`. */
export const duration = (ms: number): string => {
  const seconds = Math.round(ms / 1000)
  return seconds < 60 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
