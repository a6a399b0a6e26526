import { codesFor, formatSamples, isArray, type Json } from '../../spec/index.ts'
import type { KnownValue } from './pool.ts'
import type { Known } from './spoken-places.ts'

/** What a rejection says without naming the place: the request has what it speaks of at one place only. */

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

/** Texts that may be accepted in place of one that a server calls wrong without saying what it takes. */

/** Well-known codes that a property of this name may have: `sha256` as an `algorithm`. */
export const codesCalled = (name: string): readonly Json[] =>
  codesFor(name).flatMap(codes => codes.slice(0, mostCodes))
const mostCodes = 4

/**
 * Texts of the kinds that servers ask for without a pattern, and words that speak of them, the likeliest first. Each text takes the place of
 * `{}`, so that no two are the same.
 */
const forms: readonly (readonly [form: string, words: RegExp])[] = [
  [formatSamples.uuid, /uuid|guid/i],
  ['{}@example.org', /e-?mail/i],
  [formatSamples['date-time'], /date-?time|timestamp|iso.?8601|rfc.?3339/i],
  [formatSamples.date, /\bdate\b/i],
  ['200', /status code/i],
  ['{}.example.org.', /\bdns\b|canonical|trailing dot|\bzone\b/i],
  ['{}.example.org', /\bhost ?name\b|\bdomain\b|\bfqdn\b/i],
  ['https://{}.example.org/', /\bur[il]\b/i],
  ['192.0.2.7', /\bip\b|ipv4|ip address/i],
  [formatSamples.byte, /base64/i],
  ['0 12 * * *', /\bcron\b/i],
  ['Europe/Paris', /time ?zone/i],
  ['{"a":1}', /\bjson\b/i],
  ['7', /integer|number|numeric|digits/i],
  ['true', /boolean/i],
  ['/{}', /\b(?:path|directory)\b|start with (?:a )?(?:slash|['"`]?\/)/i],
  ['{}:7', /\bport\b|\bcolon\b/i],
  ['7d', /duration|interval/i],
  ['1.0.7', /version/i],
  ['#{}', /colou?r/i],
]

/** Those that a text speaks of, then all others. */
export const formsFor = (text: string): readonly Pick<KnownValue, 'value' | 'isForm'>[] =>
  [...forms]
    .sort(([, one], [, other]) => Number(other.test(text)) - Number(one.test(text)))
    .map(([form]) => (form.includes('{}') ? { value: form, isForm: true } : { value: form }))

const between = '(?: (?:an?|the|string|text|prefix|suffix|letters|characters?)){0,3}:? '
const quotedOrNot = '(?:\'([^\']{1,20})\'|"([^"]{1,20})"|`([^`]{1,20})`|([\\w/#@:$.-]{1,20}))'
const beginning = new RegExp(
  `\\b(?:start(?:s|ing)? with|begin(?:s|ning)? with|prefix(?:ed with)?)${between}${quotedOrNot}`,
  'i',
)
const ending = new RegExp(`\\b(?:end(?:s|ing)? (?:with|in)|suffix(?:ed with)?)${between}${quotedOrNot}`, 'i')

/** What a text has to begin or end with, as a form: `must start with 'tag:'`; undefined if nothing is said of that. */
export const edgesIn = (text: string): string | undefined => {
  const [before, after] = [beginning, ending].map(words => edgeBy(words, text))
  return before === undefined && after === undefined ? undefined : `${before ?? ''}{}${after ?? ''}`
}

/** `start with a letter` has a word there, and not what a text may begin with. */
const edgeBy = (words: RegExp, text: string): string | undefined => {
  const [, ...groups] = words.exec(text) ?? []
  const quoted = groups.slice(0, 3).find(each => each !== undefined)
  const bare = groups[3]?.replace(/[.]$/, '')
  return quoted ?? (bare !== undefined && /[^\p{L}\p{N}]/u.test(bare) ? bare : undefined)
}
