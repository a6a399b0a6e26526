import { chance, codeFrom, digest, uuidFrom } from '../chance/digest.ts'
import { type Constraints, fitsText } from './likely/constraints.ts'
import type { PlaceNames } from './likely/place-names.ts'
import type { FakeText } from './value-providers.ts'

/** Whether only a code fits: `country` without limits is a name of a country. */
const isShort = ({ keywords, pattern }: Constraints): boolean =>
  pattern !== null || Number(keywords.maxLength ?? 99) <= 10

/** A text that is likely for a property of these names; undefined: none is known that the schema allows. */
export const likelyText = (
  { name, method, codes, isCode }: PlaceNames,
  constraints: Constraints,
  seed: string,
  fake: FakeText,
): string | undefined => {
  const { format } = constraints.keywords
  if (typeof format === 'string' && keptFormats.has(format)) return undefined
  const make = typeof format === 'string' ? formats[format] : undefined
  if (make !== undefined) return fits(constraints, make(name, seed, fake))
  if (isCode || isShort(constraints))
    for (const values of codes) {
      const text = fits(constraints, values[chance(seed) % values.length])
      if (text !== undefined) return text
    }
  if (constraints.pattern !== null) return undefined
  if (method === 'string.alphanumeric') return fits(constraints, codeFrom(seed, 10))
  const text = fake(method, chance(seed))
  if (text === null) return undefined
  if (method.startsWith('lorem.')) return fits(constraints, shortened(text, constraints))
  return fits(constraints, text)
}

const fits = (constraints: Constraints, text: string | null | undefined): string | undefined =>
  text != null && fitsText(constraints, text) ? text : undefined

/** As many words as there is room for. */
const shortened = (text: string, { keywords }: Constraints): string => {
  const room = Number(keywords.maxLength ?? 200)
  return text.length <= room ? text : text.slice(0, text.lastIndexOf(' ', room)).slice(0, room)
}

type Make = (name: string, seed: string, fake: FakeText) => string | null

const formats: Readonly<Record<string, Make>> = {
  uuid: (_name, seed) => uuidFrom(digest(seed)),
  email: (_name, seed, fake) => fake('internet.exampleEmail', chance(seed)),
  uri: (_name, seed, fake) => fake('internet.url', chance(seed)),
  url: (_name, seed, fake) => fake('internet.url', chance(seed)),
  'uri-reference': (_name, seed, fake) => fake('internet.url', chance(seed)),
  hostname: (_name, seed, fake) => fake('internet.domainName', chance(seed)),
  date: (name, seed) => dateFrom(name, seed),
  'date-time': (name, seed) => `${dateFrom(name, seed)}T${timeFrom(seed)}Z`,
  // Many of Prism's own are none: `P`.
  duration: (_name, seed) => durations[chance(seed) % durations.length] ?? null,
}

const durations = ['PT5M', 'PT15M', 'PT30M', 'PT1H', 'PT2H', 'P1D', 'P3D', 'P1W', 'P2W', 'P1M', 'P1Y']

/** Formats of which Prism's own values will do. A format that nobody knows says nothing. */
const keptFormats = new Set(
  'time ipv4 ipv6 uri-template iri iri-reference idn-email idn-hostname json-pointer relative-json-pointer regex int64 password byte binary'.split(
    ' ',
  ),
)

const dateFrom = (name: string, seed: string): string => {
  const [from, to] = /birth|dob|born/i.test(name)
    ? [1950, 2004]
    : /expir|valid_?(until|to)|renew/i.test(name)
      ? [2027, 2030]
      : [2022, 2025]
  const at = chance(`${seed} date`)
  const month = 1 + (Math.floor(at / 100) % 12)
  const day = 1 + (Math.floor(at / 10_000) % 28)
  return `${from + (at % (to - from + 1))}-${two(month)}-${two(day)}`
}

const timeFrom = (seed: string): string => {
  const at = chance(`${seed} time`)
  return `${two(at % 24)}:${two(Math.floor(at / 100) % 60)}:${two(Math.floor(at / 10_000) % 60)}`
}

const two = (number: number): string => String(number).padStart(2, '0')
