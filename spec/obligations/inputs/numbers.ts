import type { SchemaPlace } from '../../schema/locations.ts'

/** A kind of number that a numeric type allows, as JSON texts. `input`: a noun phrase. */
export type NumberKind = { readonly name: string; readonly texts: readonly string[]; readonly input: string }

export const integerKinds: readonly NumberKind[] = [
  { name: 'zero', texts: ['0'], input: '0' },
  { name: 'negative-zero', texts: ['-0'], input: '-0' },
  { name: 'one', texts: ['1'], input: '1' },
  { name: 'minus-one', texts: ['-1'], input: '-1' },
  { name: 'int32-max', texts: ['2147483647'], input: 'the largest int32' },
  { name: 'int32-min', texts: ['-2147483648'], input: 'the smallest int32' },
  {
    name: 'past-int32',
    texts: ['2147483648', '-2147483649', '4294967295', '4294967296'],
    input: 'an integer just beyond int32',
  },
  {
    name: 'safe-max',
    texts: ['9007199254740991', '-9007199254740991'],
    input: 'an integer at the limit of double precision',
  },
  {
    name: 'past-safe',
    texts: ['9007199254740993', '-9007199254740993', '9007199254740992'],
    input: 'an integer beyond double precision',
  },
  { name: 'int64-max', texts: ['9223372036854775807'], input: 'the largest int64' },
  { name: 'int64-min', texts: ['-9223372036854775808'], input: 'the smallest int64' },
]

/** Integers that few servers can keep. JSON allows them, and a server may do with them what it likes, but must not fail (5xx). */
export const hugeKinds: readonly (NumberKind & { readonly level: 'OBSERVE' })[] = [
  {
    name: 'past-int64',
    level: 'OBSERVE',
    texts: ['10000000000000000000', '-10000000000000000000', '1000000000000000000000000000000'],
    input: 'an integer beyond int64',
  },
]

/** Other spellings of an integer (JSON Schema 2020-12 validation, 6.1.1: any number with a zero fraction is one). */
export const spellingKinds: readonly NumberKind[] = [
  { name: 'decimal-form', texts: ['.0'], input: 'an integer with a zero fraction' },
  { name: 'exponent-form', texts: ['e0'], input: 'an integer with an exponent' },
]

/** Zero with a sign: JSON does not say whether it is an integer, and readers differ (RFC 8259, 6). */
export const isNegativeZero = (text: string): boolean => /^-0(?:\.0+)?(?:e[+-]?\d+)?$/i.test(text)

/** Whether a kind varies the spelling of an integer instead of its value. */
export const isIntegerSpelling = (name: string): boolean => spellingKinds.some(kind => kind.name === name)

export const fractionKinds: readonly NumberKind[] = [
  { name: 'fraction', texts: ['0.5', '-1.25', '3.141592653589793'], input: 'a fraction' },
  { name: 'small', texts: ['1e-7', '5e-324'], input: 'a tiny number' },
  { name: 'large', texts: ['1e21', '-1.7976931348623157e308'], input: 'a huge number' },
]

/** Whether a place has an upper or lower bound, which is tighter than the range of its format. */
export const isBounded = ({ keywords }: SchemaPlace, side: 'above' | 'below'): boolean => {
  const bounds = side === 'above' ? ['maximum', 'exclusiveMaximum'] : ['minimum', 'exclusiveMinimum']
  return keywords.some(({ keyword }) => bounds.includes(keyword))
}
