import { sampleFile } from '../../bodies/sample-files.ts'
import { isXmlText } from '../../bodies/xml-write.ts'
import { writtenAs } from '../../contract/form-fields.ts'
import { type Json, parseJson } from '../../json/json.ts'
import { type Pointer, steps } from '../../json/pointer.ts'
import { matchOf } from '../../patterns/pattern.ts'
import type { SchemaPlace } from '../../schema/locations.ts'
import { plainValidity } from '../../schema/plain-validity.ts'
import { digitsAt } from '../../schema/simplest-value.ts'
import { isValidAt } from '../../schema/validator.ts'
import { fractionKinds, hugeKinds, integerKinds, isNegativeZero, spellingKinds } from '../inputs/numbers.ts'
import { textKinds } from '../inputs/strings.ts'
import type { Level, ObligationSpec } from '../obligation.ts'
import type { OperationContext } from '../operation-context.ts'
import type { Shows } from '../shows.ts'
import { isOfBody, locationText, type ValueLocation } from '../value-location.ts'
import { acceptRequirement, openRequirement } from './requirement.ts'

/** Values that a location has to accept. `input`: a noun phrase; `texts`: JSON. */
type ValueKind = {
  readonly name: string
  readonly input: string
  readonly texts: readonly string[]
  /** The index of the value in an `enum`. */
  readonly member?: number
  readonly level?: Level
  /** The keyword that allows them; not given: `type`. */
  readonly pointer?: Pointer
}

/** Notable values that the schema of a place allows are accepted there. */
export const valueObligations = (
  { contract, body }: Pick<OperationContext, 'contract' | 'body'>,
  place: SchemaPlace,
  location: ValueLocation,
  shows: Shows,
): readonly ObligationSpec[] => {
  const format = isOfBody(location) ? (body?.format ?? null) : null
  const isBinary = format !== null && writtenAs(format, place.pattern) === 'binary'
  // The bytes of a file are of its media type, so that only those of none can have any length.
  if (isBinary && body !== null && isFileOfType(body, place.pattern)) return []
  const isPlainlyValid = plainValidity(contract.requests.document, place)
  const digits = digitsAt(place)
  const isValid = (value: Json): boolean =>
    (digits === null || typeof value !== 'string' || digits.test(value)) &&
    (isPlainlyValid(value) ?? isValidAt(contract.requests.schemas, place, value)) &&
    shows.value(value)
  const typePointer =
    place.keywords.find(({ keyword }) => keyword === 'type')?.pointer ?? place.schemas[0] ?? ''
  const obligations = (
    isBinary
      ? lengthBounds(place).map(binaryKind)
      : (enumKinds(place) ?? valueKinds(place, location, contract.openapi.startsWith('3.0')))
  ).flatMap(kind => {
    const { name, member, pointer = typePointer } = kind
    const valid = validTexts(
      kind.texts,
      format?.kind === 'xml' ? value => isXmlValue(value) && isValid(value) : isValid,
    )
    // Many servers read a pattern as the whole text: what it matches only inside is asked for alone, and of nobody who must take it.
    const whole = member === undefined ? validTexts(valid, value => !isPartialMatch(place, value)) : valid
    const texts = whole.length > 0 ? whole : valid
    const usual = kind.level ?? 'MUST'
    const isStrict = usual === 'MUST' && whole.length > 0 && !texts.some(isNegativeZero)
    const level = usual === 'OBSERVE' || isStrict ? usual : 'SHOULD'
    const input = `${kind.input} as ${locationText(location)}`
    return texts.length === 0
      ? []
      : [
          {
            family: level === 'OBSERVE' ? 'unspecified' : 'accept',
            level,
            input,
            requirement: level === 'OBSERVE' ? openRequirement(input) : acceptRequirement(input, level),
            pointer,
            subject: { kind: 'value', location, name, texts, ...(member === undefined ? {} : { member }) },
          } as const satisfies ObligationSpec,
        ]
  })
  // The minimum may be 1 as well: equal values are one requirement, named after the bound.
  return [...new Map(obligations.map(spec => [spec.subject.texts.join(' '), spec])).values()]
}

const isPartialMatch = (place: SchemaPlace, value: Json): boolean =>
  typeof value === 'string' && matchOf(place, value) === 'part'

/** A length counts bytes. */
const binaryKind = (kind: ValueKind): ValueKind => ({
  ...kind,
  input: kind.input.replace('a string', 'a file').replace('character', 'byte'),
  texts: kind.texts.filter(text => /^"x*"$/.test(text)),
})

const isFileOfType = (
  { format, media }: NonNullable<OperationContext['body']>,
  pattern: Pointer,
): boolean => {
  const [name] = steps(pattern)
  const part = format.kind === 'multipart' ? format.parts.find(each => each.name === name) : undefined
  return sampleFile(part === undefined ? media.type : (part.contentType ?? '')) !== undefined
}

/** XML cannot carry every character. */
const isXmlValue = (value: Json): boolean => typeof value !== 'string' || isXmlText(value)

/** The same list if all are valid, as most are. */
const validTexts = (texts: readonly string[], isValid: (value: Json) => boolean): readonly string[] => {
  const values = valuesOf(texts)
  const valid = texts.filter((_text, index) => isValid(values[index] as Json))
  return valid.length === texts.length ? texts : valid
}

/** Lists are shared by many places, so they are parsed once. */
const valuesOf = (texts: readonly string[]): readonly Json[] => {
  const values = parsed.get(texts) ?? texts.map(parseJson)
  parsed.set(texts, values)
  return values
}

const parsed = new WeakMap<readonly string[], readonly Json[]>()

/** Members of an `enum` that are an obligation each; of longer lists the rest is left to random values. */
const mostMembers = 500

/** The first members of an `enum`; null if the place has none. */
const enumKinds = ({ keywords }: SchemaPlace): readonly ValueKind[] | null => {
  const found = keywords.find(({ keyword }) => keyword === 'enum')
  if (found === undefined) return null
  return (found.value as readonly Json[]).slice(0, mostMembers).map((member, index) => {
    const text = JSON.stringify(member)
    return { name: `enum/${index}`, member: index, input: text, texts: [text], pointer: found.pointer }
  })
}

const valueKinds = (
  place: SchemaPlace,
  location: ValueLocation,
  isVersion30: boolean,
): readonly ValueKind[] => {
  const types = place.types ?? []
  const isNumeric = types.includes('integer') || types.includes('number')
  const isText = types.includes('string') || isAnyText(place, location)
  return [
    // Where a format says that it is a date, any text is one.
    ...(isText
      ? stringKinds(location).filter(
          ({ name }) => name !== 'date' || place.keywords.every(({ keyword }) => keyword !== 'format'),
        )
      : []),
    ...(isText && location.in === 'path' ? oddKinds : []),
    ...(location.in === 'path' && isUuid(place) ? [uuidKind] : []),
    ...lengthBounds(place).map(kind => ({
      ...kind,
      texts: kind.texts.filter(text => canCarry(location, JSON.parse(text) as string)),
    })),
    ...(isNumeric ? [...integerKinds, ...hugeKinds] : []),
    // OpenAPI 3.1 calls a number without fraction and exponent an integer, JSON Schema 2020-12 any with a zero fraction; for 3.0 both
    // exclude these spellings.
    ...(isNumeric && location.in === 'body' && (types.includes('number') || !isVersion30)
      ? spellingKinds.map(kind => ({
          ...kind,
          level: types.includes('number') ? ('MUST' as const) : ('SHOULD' as const),
          texts: spellings[kind.name] ?? [],
        }))
      : []),
    ...(types.includes('number') ? fractionKinds : []),
    ...numberBounds(place),
    ...(types.includes('boolean')
      ? ['true', 'false'].map(text => ({ name: text, input: text, texts: [text] }))
      : []),
    ...(types.includes('null') && types.length > 1 ? [{ name: 'null', input: 'null', texts: ['null'] }] : []),
  ]
}

/** Outside a body, what has no type is a text. */
const isAnyText = ({ types, keywords }: SchemaPlace, location: ValueLocation): boolean =>
  types === null && !isOfBody(location) && keywords.every(({ keyword }) => !typing.has(keyword))

const typing = new Set(['enum', 'const', 'anyOf', 'oneOf', 'if', '$dynamicRef'])

/** What a path can only show by percent-escapes: a server may know no such name, and may refuse it. Each kind breaks other servers. */
const oddKinds: readonly ValueKind[] = (
  [
    ['odd', 'a string of letters of other scripts', ['naïve ñandú', '植物🌵']],
    ['control', 'a string with control characters', ['a\u0001\u0016b', 'a\r\nb', '\u0096 \u007f']],
    ['nul', 'a string with the NUL character', ['a\u0000b']],
  ] as const
).map(([name, input, texts]) => ({
  ...{ name, input, level: 'SHOULD' },
  texts: texts.map(text => JSON.stringify(text)),
}))

/** No usual text is one, so that nothing else would ask for what does not exist. */
const uuidKind: ValueKind = {
  name: 'uuid',
  input: 'a UUID',
  level: 'SHOULD',
  texts: ['"7d793037-a076-4be3-9b4f-8c1d0d2f6e5a"'],
}

const isUuid = ({ keywords }: SchemaPlace): boolean =>
  keywords.some(({ keyword, value }) => keyword === 'format' && value === 'uuid')

const stringKinds = (location: ValueLocation): readonly ValueKind[] => {
  // The same for all places of a body, of a query and so on; the longest texts have 64 kB.
  const known = stringKindsIn.get(location.in)
  if (known !== undefined) return known
  const kinds = textKinds.map(kind => ({
    ...kind,
    level: isOfBody(location) ? kind.level : ('SHOULD' as const),
    texts: kind.texts
      .filter(text => canCarry(location, text))
      .filter(text => isOfBody(location) || text.length < 2000)
      .map(text => JSON.stringify(text)),
  }))
  stringKindsIn.set(location.in, kinds)
  return kinds
}

const stringKindsIn = new Map<ValueLocation['in'], readonly ValueKind[]>()

// A path, a header or a cookie cannot carry everything that JSON can.
const canCarry = (location: ValueLocation, text: string): boolean =>
  isOfBody(location) || location.in === 'query' || /^[\x21-\x7e]+$/.test(text)

const spellings: Readonly<Record<string, readonly string[]>> = {
  'decimal-form': ['1.0', '20.0', '3.000'],
  'exponent-form': ['1e0', '30E-1', '2e18'],
}

const lengthBounds = ({ keywords }: SchemaPlace): readonly ValueKind[] =>
  keywords.flatMap(({ keyword, value, pointer }) => {
    if ((keyword !== 'minLength' && keyword !== 'maxLength') || typeof value !== 'number' || value > 100_000)
      return []
    const texts = ['x', '🌵'].map(char => JSON.stringify(char.repeat(value)))
    const input = `a string of ${value} character${value === 1 ? '' : 's'}`
    return [{ name: `at-${keyword}`, texts, input, pointer }]
  })

const numberBounds = ({ keywords }: SchemaPlace): readonly ValueKind[] =>
  keywords.flatMap(({ keyword, value, pointer }) =>
    (keyword === 'minimum' || keyword === 'maximum') && typeof value === 'number'
      ? [{ name: `at-${keyword}`, input: `the ${keyword} ${value}`, texts: [String(value)], pointer }]
      : [],
  )
