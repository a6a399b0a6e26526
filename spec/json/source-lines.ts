import { type Pointer, steps } from './pointer.ts'
import { endOfString } from './scan.ts'

type Member = { readonly from: number; readonly value: number }

export type JsonText = {
  /** The line of a place, from 1; if there is no such place, that of the nearest one around it. */
  readonly line: (pointer: Pointer) => number
  /** Where it begins in the text, in UTF-16 units. */
  readonly offset: (pointer: Pointer) => number
  /** The text of a value as it is written; null if there is none. */
  readonly source: (pointer: Pointer) => string | null
}

/**
 * Finds places in a JSON text. A parser that keeps every place takes seconds and hundreds of megabytes for a large
 * document; this reads only the objects and arrays on the way to a place.
 */
export const createJsonText = (text: string): JsonText => {
  const known = new Map<number, ReadonlyMap<string, Member>>()
  const membersAt = (at: number): ReadonlyMap<string, Member> => {
    const members = known.get(at) ?? readMembers(text, at)
    known.set(at, members)
    return members
  }
  const find = (pointer: Pointer): Member & { readonly exists: boolean } => {
    const start = skipSpace(text, 0)
    let found: Member = { from: start, value: start }
    for (const name of steps(pointer)) {
      const member = membersAt(found.value).get(name)
      if (member === undefined) return { ...found, exists: false }
      found = member
    }
    return { ...found, exists: true }
  }
  let ends: readonly number[] | null = null
  return {
    line: pointer => {
      ends ??= [...text.matchAll(/\n/g)].map(({ index }) => index)
      return countBelow(ends, find(pointer).from) + 1
    },
    offset: pointer => find(pointer).from,
    source: pointer => {
      const { value, exists } = find(pointer)
      return exists ? text.slice(value, endOfValue(text, value)) : null
    },
  }
}

const skipSpace = (text: string, at: number): number => {
  let next = at
  while (/\s/.test(text[next] ?? '')) next += 1
  return next
}

/** The members of the object or array at `start`. `from` is where the name (of an item: its value) begins. */
const readMembers = (text: string, start: number): ReadonlyMap<string, Member> => {
  const members = new Map<string, Member>()
  const isArray = text[start] === '['
  if (!isArray && text[start] !== '{') return members
  for (let at = skipSpace(text, start + 1); at < text.length && !/[}\]]/.test(text[at] ?? ''); ) {
    const from = at
    let name = String(members.size)
    if (!isArray) {
      const end = endOfString(text, at)
      name = JSON.parse(text.slice(at, end)) as string
      at = skipSpace(text, skipSpace(text, end) + 1)
    }
    members.set(name, { from, value: at })
    at = skipSpace(text, endOfValue(text, at))
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return members
}

const token = /[{}[\]"]/g

const endOfValue = (text: string, start: number): number => {
  if (text[start] === '"') return endOfString(text, start)
  if (text[start] !== '{' && text[start] !== '[') {
    const rest = /[\s,\]}]/g
    rest.lastIndex = start
    return rest.exec(text)?.index ?? text.length
  }
  let depth = 0
  token.lastIndex = start
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [mark] = match
    if (mark === '"') token.lastIndex = endOfString(text, match.index)
    else depth += mark === '{' || mark === '[' ? 1 : -1
    if (depth === 0) return match.index + 1
  }
  return text.length
}

/** How many of these ascending numbers are below a limit. */
const countBelow = (numbers: readonly number[], limit: number): number => {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}
