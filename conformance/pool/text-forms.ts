/** Texts that may be accepted in place of one that a server calls wrong without saying what it takes. */
import { codesFor, formatSamples, type Json } from '../../spec/index.ts'
import type { KnownValue } from './pool.ts'

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
