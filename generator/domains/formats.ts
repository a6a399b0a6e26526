import { pick, type RandomSource } from './language.ts'

/** A string format: how to draw a plain member, how to recognise one, and strings that just miss it. */
type Format = {
  readonly draw: (source: RandomSource) => string
  readonly matches: (text: string) => boolean
  readonly nearMisses: readonly string[]
}

const letters = 'abcdefghijklmnopqrstuvwxyz'
const hex = '0123456789abcdef'

const letter = (source: RandomSource): string => letters[source.nextInt(0, 25)] as string
const word = (source: RandomSource): string =>
  Array.from({ length: source.nextInt(1, 8) }, () => letter(source)).join('')
const digits = (source: RandomSource, count: number): string =>
  Array.from({ length: count }, () => source.nextInt(0, 9)).join('')
const hexDigits = (source: RandomSource, count: number): string =>
  Array.from({ length: count }, () => hex[source.nextInt(0, 15)]).join('')
const twoDigits = (value: number): string => String(value).padStart(2, '0')

const date = (source: RandomSource): string =>
  `${source.nextInt(1970, 2099)}-${twoDigits(source.nextInt(1, 12))}-${twoDigits(source.nextInt(1, 28))}`
const time = (source: RandomSource): string => {
  const clock = [source.nextInt(0, 23), source.nextInt(0, 59), source.nextInt(0, 59)].map(twoDigits).join(':')
  return `${clock}${pick(source, ['', '', `.${digits(source, 3)}`])}${pick(source, ['Z', 'Z', '+00:00', '+05:30', '-08:00'])}`
}
const host = (source: RandomSource): string => `${word(source)}.example`
const email = (source: RandomSource): string => `${word(source)}@${host(source)}`
const path = (source: RandomSource): string =>
  Array.from({ length: source.nextInt(0, 3) }, () => `/${word(source)}`).join('')
const uri = (source: RandomSource): string => `https://${host(source)}${path(source) || '/'}`
const ipv4 = (source: RandomSource): string =>
  Array.from({ length: 4 }, () => source.nextInt(0, 255)).join('.')
const ipv6 = (source: RandomSource): string =>
  Array.from({ length: 8 }, () => source.nextInt(0x1000, 0xffff).toString(16)).join(':')
const uuid = (source: RandomSource): string =>
  `${hexDigits(source, 8)}-${hexDigits(source, 4)}-4${hexDigits(source, 3)}-a${hexDigits(source, 3)}-${hexDigits(source, 12)}`
const base64 = (source: RandomSource): string =>
  Buffer.from(hexDigits(source, 2 * source.nextInt(0, 8)), 'hex').toString('base64')

const isDate = (text: string): boolean => {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (match === null) return false
  const [, year, month, day] = match.map(Number) as [number, number, number, number]
  return (
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
  )
}
const isTime = (text: string): boolean =>
  /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.test(text)
const isDateTime = (text: string): boolean => {
  const [day = '', clock = '', ...rest] = text.split(/t/i)
  return rest.length === 0 && isDate(day) && isTime(clock)
}
const isHost = (text: string): boolean =>
  text.length <= 253 &&
  /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(text)
const isEmail = (text: string): boolean =>
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text)
const isIpv4 = (text: string): boolean => /^((25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(?!$)|$)){4}$/.test(text)
const isIpv6 = (text: string): boolean => /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`)
const isUri = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:[\w.~:/?#[\]@!$&'()*+,;=%-]*$/i.test(text) && !/%(?![0-9a-f]{2})/i.test(text)
const isUriReference = (text: string): boolean =>
  /^[\w.~:/?#[\]@!$&'()*+,;=%-]*$/.test(text) && !/%(?![0-9a-f]{2})/i.test(text)
const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
const isDuration = (text: string): boolean =>
  /^P(?!$)((\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+S)?)?|(\d+W)?)$/.test(text)
const isPointer = (text: string): boolean => /^(\/([^~/]|~[01])*)*$/u.test(text)
const isRelativePointer = (text: string): boolean => /^(0|[1-9]\d*)(#|(\/([^~/]|~[01])*)*)$/u.test(text)
const isTemplate = (text: string): boolean => /^([^\s{}"<>\\^`|]|\{[+#./;?&]?\w+(:\d+)?\*?\})*$/.test(text)
const isBase64 = (text: string): boolean => /^([a-z0-9+/]{4})*([a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?$/i.test(text)
const isRegex = (text: string): boolean => {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}

const format = (draw: Format['draw'], matches: Format['matches'], nearMisses: readonly string[]): Format => ({
  draw,
  matches,
  nearMisses,
})

const dateTime = format(source => `${date(source)}T${time(source)}`, isDateTime, [
  '2024-13-01T00:00:00Z',
  '2023-02-29T00:00:00Z',
  '2024-01-01T25:00:00Z',
  '2024-01-01 noon',
  '2024-01-01',
  '',
])
const emails = format(email, isEmail, ['plain', 'a@', '@b.example', 'a b@c.example', 'a@b@c.example', ''])
const hosts = format(host, isHost, ['-a.example', 'a..b', 'a b', `${'a'.repeat(64)}.example`, 'a_b.example!'])
const uris = format(uri, isUri, ['//no.scheme', 'no scheme', 'https://a.example/ b', '\\\\share', ''])
const references = format(
  source => pick(source, [uri(source), path(source), `#${word(source)}`]),
  isUriReference,
  ['\\\\share', 'a b', 'http://a.example/<>'],
)

/** The known string formats by name. `draw` is conservative: every validator accepts what it gives. */
export const stringFormats: ReadonlyMap<string, Format> = new Map([
  ['date-time', dateTime],
  ['date', format(date, isDate, ['2024-13-01', '2023-02-29', '2024-1-1', '01.02.2024', ''])],
  ['time', format(time, isTime, ['25:00:00Z', '12:60:00Z', '12:00', 'noon', ''])],
  [
    'duration',
    format(
      source => `P${source.nextInt(1, 9)}${pick(source, ['Y', 'M', 'D', 'W', `DT${source.nextInt(1, 9)}H`])}`,
      isDuration,
      ['P', '1D', 'P1', 'PT', 'one day', ''],
    ),
  ],
  ['email', emails],
  ['idn-email', emails],
  ['hostname', hosts],
  ['idn-hostname', hosts],
  ['ipv4', format(ipv4, isIpv4, ['256.0.0.1', '1.2.3', '1.2.3.4.5', '1.2.3.x', ''])],
  ['ipv6', format(ipv6, isIpv6, ['12345::', '1::2::3', '1:2:3', ':', 'gggg::1', ''])],
  ['uri', uris],
  ['iri', uris],
  ['uri-reference', references],
  ['iri-reference', references],
  [
    'uri-template',
    format(source => `https://${host(source)}/{${word(source)}}`, isTemplate, [
      'https://a.example/{b',
      '{b c}',
      'a b',
    ]),
  ],
  ['uuid', format(uuid, isUuid, ['g0000000-0000-4000-a000-000000000000', '0-0-0-0', '0123456789abcdef', ''])],
  ['json-pointer', format(path, isPointer, ['a', '/~2', '/a~'])],
  [
    'relative-json-pointer',
    format(source => `${source.nextInt(0, 9)}${path(source)}`, isRelativePointer, ['', '/a', '-1/a', '01/a']),
  ],
  ['regex', format(source => `^${word(source)}$`, isRegex, ['(', '[a', 'a{2,1}', '\\'])],
  ['byte', format(base64, isBase64, ['a', '?', 'ab=c', 'a==='])],
])

const integerText = (most: number): Format =>
  format(
    source => String(source.nextInt(0, most)),
    () => true,
    [],
  )

/** The same, and the formats of integers that a text carries: no text is invalid for them, but servers take digits alone. */
export const drawnFormats: ReadonlyMap<string, Format> = new Map([
  ...stringFormats,
  ...(['', 'u'] as const).flatMap(sign => [
    [`${sign}int8`, integerText(99)] as const,
    [`${sign}int16`, integerText(9999)] as const,
    [`${sign}int32`, integerText(999_999_999)] as const,
    [`${sign}int64`, integerText(999_999_999)] as const,
  ]),
])
