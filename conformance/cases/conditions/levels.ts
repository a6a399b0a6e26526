/** Classes of values, such as a negative number or a long text with a quotation mark: what servers treat alike. */
import {
  digitsAt,
  isArray,
  isNumber,
  type Json,
  numberText,
  parseJson,
  type SchemaPlace,
  writeJson,
} from '../../../spec/index.ts'

/** From this many characters on a text is long. */
const long = 64

const lists = { empty: 'no item', one: 'one item', several: 'several items' } as const

/** The class of a value. Values that a schema lists are classes by themselves. */
export const levelOf = (value: Json, isListed: boolean): string => {
  if (isListed || value === null || typeof value === 'boolean') return writeJson(value)
  if (typeof value === 'string') return levelOfText(value)
  if (isNumber(value)) return levelOfNumber(numberText(value))
  if (isArray(value)) return value.length === 0 ? lists.empty : value.length === 1 ? lists.one : lists.several
  return 'object'
}

const lengths = ['short', 'long'] as const
const alphabets = ['plain', 'escaped', 'beyond ASCII', 'astral'] as const

export const textLevels: readonly string[] = [
  'empty',
  ...lengths.flatMap(length => alphabets.map(alphabet => `${length}, ${alphabet}`)),
]

/** A server may have limits that its document does not show: see `textKinds`. */
export const extremeTexts: readonly string[] = ['empty', 'short, astral', 'long, astral']

const levelOfText = (text: string): string => {
  if (text === '') return 'empty'
  const characters = /[\ud800-\udfff]/.test(text)
    ? 'astral'
    : /[^\x00-\x7f]/.test(text)
      ? 'beyond ASCII'
      : /["\\\x00-\x1f]/.test(text)
        ? 'escaped'
        : 'plain'
  return `${text.length < long ? 'short' : 'long'}, ${characters}`
}

const levelOfNumber = (text: string): string => {
  const value = Number(text)
  if (value === 0) return 'zero'
  if (!Number.isInteger(value)) return 'fraction'
  if (value < 0) return 'negative'
  if (value < 2 ** 31) return 'small'
  return value < 2 ** 53 ? 'beyond int32' : 'beyond 2^53'
}

/** Values of a place, at least one of each class that its schema may have. Some may be invalid. */
export const candidates = (place: SchemaPlace, plain: Json, label: string): readonly Json[] => {
  const { types, keywords } = place
  const listed = keywords.find(({ keyword }) => keyword === 'enum')?.value
  if (Array.isArray(listed)) return listed.slice(0, mostListed) as readonly Json[]
  const digits = digitsAt(place)
  const all = [plain, ...(types ?? []).flatMap(type => candidatesOf[type]?.(plain, label) ?? [])]
  return digits === null ? all : all.filter(value => typeof value !== 'string' || digits.test(value))
}

const mostListed = 8

type Candidates = (plain: Json, label: string) => readonly Json[]

const candidatesOf: Readonly<Record<string, Candidates | undefined>> = {
  string: (_plain, label) => {
    const filler = label.padEnd(long + 6, label)
    return [
      '',
      label,
      `${label}"\\`,
      `${label}é`,
      `${label}🌱`,
      filler,
      `${filler}"\\`,
      `${filler}é`,
      `${filler}🌱`,
    ]
  },
  integer: () => integers,
  number: () => [...integers, 0.5],
  boolean: () => [true, false],
  null: () => [null],
  array: plain => (isArray(plain) ? [[], plain.slice(0, 1), [...plain, ...plain]] : []),
}

const integers: readonly Json[] = [0, 7, -7, 3_000_000_000, parseJson('9007199254740993')]

/** The texts of other integers that are made from a fresh identity, one for each class; none if it is no integer. */
export const derivedTexts = (text: string): readonly string[] =>
  /^\d+$/.test(text) ? [`-${text}`, `9${text.padStart(10, '0')}`, `9${text.padStart(17, '0')}`] : []
