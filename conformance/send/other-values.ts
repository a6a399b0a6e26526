/** Values that take the place of one that a server takes only once. */
import type { Json } from '../../spec/index.ts'

/** Values beside this one that are likely to be of its kind: with more at its end or its beginning, of its length, or generated. */
export function* otherValues(
  value: string | number,
  salt: number,
  counter: number,
  generated: (index: number) => Json | undefined,
): Generator<Json> {
  const number = salt * 4096 + counter
  if (typeof value === 'string') {
    const letters = lettersOf(number)
    if (/^\d+$/.test(value)) yield String(100_000_000 + (number % 100_000_007))
    // What comes after the dot of a domain is not free.
    if (/^[a-z0-9]+[.@][a-z0-9.]+$/i.test(value)) yield value.replace(/[.@]/, mark => `${letters}${mark}`)
    yield `${value}${letters}`
    yield `${letters}${value}`
    yield `${value}${number % 1_000_000_007}`
    const kept = Math.max(0, value.length - letters.length)
    yield `${value.slice(0, kept)}${letters.slice(-(value.length - kept))}`
    yield `${letters}-${value}`
  } else {
    // Generated numbers are often the small ones that come again and again.
    yield 1_000_000_000 + (number % 1_000_000_007)
    yield 10_000 + (number % 20_011)
  }
  for (let index = 0; index < 4; index++) {
    const other = generated(1_000_000 + ((number * 4 + index) % 1_000_000))
    if (other !== undefined && other !== value) yield other
  }
}

/** Texts of the kind of this one: of the same characters if they are all alike, JSON if it is, and else with more at its end. */
export function* alikeValues(
  value: string | number,
  salt: number,
  counter: number,
  hasLength: boolean,
): Generator<Json> {
  if (typeof value !== 'string') return
  const number = salt * 4096 + counter
  const letters = lettersOf(number)
  if (hasLength) {
    const kept = Math.max(0, value.length - letters.length)
    yield `${value.slice(0, kept)}${letters.slice(kept - value.length)}`
  } else if (/^\s*$/u.test(value)) {
    yield `${value}${[...number.toString(2).slice(-24)].map(bit => (bit === '1' ? '  ' : ' \u2003')).join('')}`
    yield ' '.repeat(2 + (number % 50))
  } else if (/^-?[\d.]+$/.test(value)) yield `${value}${number % 1_000_000_007}`
  else if (/^[[{]/.test(value)) yield JSON.stringify([value, letters])
  else {
    yield `${value}${letters}`
    yield `${letters}${value}`
  }
}

/** A number in plain letters, of which the last differ most. */
const lettersOf = (number: number): string => {
  let text = ''
  for (let rest = Math.abs(Math.floor(number)); rest > 0; rest = Math.floor(rest / 26))
    text = String.fromCharCode(97 + (rest % 26)) + text
  return text.slice(-9)
}
