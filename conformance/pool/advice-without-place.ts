/** What a rejection says without naming the place: the request has what it speaks of at one place only. */
import { isArray, type Json } from '../../spec/index.ts'
import type { Known } from './spoken-places.ts'

/** `must be in the initializing or running state`: other members of an `enum` that a text has as words. */
export const membersIn = (text: string, { schema, value, within }: Known): readonly string[] =>
  within !== null || value === undefined
    ? []
    : (schema?.keywords ?? [])
        .flatMap(({ keyword, value: members }) =>
          keyword === 'enum' && Array.isArray(members) ? (members as readonly unknown[]) : [],
        )
        .filter(
          (member): member is string => typeof member === 'string' && member !== value && isWord(member),
        )
        .filter(member =>
          new RegExp(`\\b${RegExp.escape(member).replaceAll('_', '[_ ]')}\\b`, 'i').test(text),
        )
        .slice(0, mostMembers)
const mostMembers = 3

/** Whether it is long enough not to be part of a text by chance. */
const isWord = (member: string): boolean => /^\w{4,40}$/.test(member)

const ofLengths =
  /\bdim(?:ension)?s?\b|dimension|\blen(?:gth)?s?\b|\bsizes?\b|\bitems?\b|\belements?\b|\bentries\b|\bvectors?\b|\bvalues\b|\bcolumns?\b|\bshapes?\b|\bcount\b/i

/** Numbers that a text may compare, and the longest list that is sent for it. */
const [mostNumbers, longest] = [4, 4096] as const

/**
 * `expecting embedding with dimension of 4, got 3`: the value of a place with its lists as long as a text wants them that names two lengths, of which
 * they have one. Which of the two is wanted follows from the request, whatever the words are.
 */
export const ofOtherLength = (text: string, { value, within, key }: Known): readonly Json[] => {
  if (within !== null || value === undefined || !isArray(value) || key.endsWith('/*')) return []
  const words = text.split(/[^\w.-]+/).map(word => word.replace(/\.$/, ''))
  const named = new Set(words.filter(word => /^\d{1,4}$/.test(word)).map(Number))
  if (!ofLengths.test(text) || named.size < 2 || named.size > mostNumbers) return []
  const lists = innermost(value)
  const lengths = new Set(lists.map(({ length }) => length))
  if (named.isDisjointFrom(lengths)) return []
  const item = lists.flat()[0] ?? 1
  return [...named]
    .filter(wanted => wanted > 0 && wanted <= longest && lists.some(({ length }) => length !== wanted))
    .map(wanted => resized(value, wanted, item))
}

/** A list of so many items; null if it has as many, or there is nothing to repeat. */
export const listOf = (list: readonly Json[], length: number): readonly Json[] | null => {
  const last = list.at(-1)
  if (last === undefined || length < 1 || length > longest || length === list.length) return null
  return Array.from({ length }, (_, index) => list[index] ?? last)
}

/** The lists that have no lists in them, such as vectors. */
const innermost = (list: readonly Json[]): readonly (readonly Json[])[] =>
  list.some(isArray) ? list.flatMap(item => (isArray(item) ? innermost(item) : [])) : [list]

const resized = (list: readonly Json[], length: number, item: Json): readonly Json[] => {
  if (list.some(isArray)) return list.map(each => (isArray(each) ? resized(each, length, item) : each))
  const filled = list.length === 0 ? [item] : list
  return listOf(filled, length) ?? filled
}
