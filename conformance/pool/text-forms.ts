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
