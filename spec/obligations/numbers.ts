import type { SchemaPlace } from '../places.ts'

/** A kind of number that a declared numeric type takes in: JSON texts, as they are written. */
export type NumberKind = { readonly name: string; readonly texts: readonly string[]; readonly about: string }

export const integerKinds: readonly NumberKind[] = [
  { name: 'zero', texts: ['0'], about: '0' },
  { name: 'negative-zero', texts: ['-0'], about: '−0, which is 0' },
  { name: 'one', texts: ['1'], about: '1' },
  { name: 'minus-one', texts: ['-1'], about: '−1' },
  { name: 'int32-max', texts: ['2147483647'], about: 'the largest int32' },
  { name: 'int32-min', texts: ['-2147483648'], about: 'the smallest int32' },
  {
    name: 'past-int32',
    texts: ['2147483648', '-2147483649', '4294967295', '4294967296'],
    about: 'just past int32',
  },
  {
    name: 'safe-max',
    texts: ['9007199254740991', '-9007199254740991'],
    about: '2^53 − 1, the largest safe integer of a double',
  },
  {
    name: 'past-safe',
    texts: ['9007199254740993', '-9007199254740993', '9007199254740992'],
    about: 'just past 2^53, which a double rounds',
  },
  { name: 'int64-max', texts: ['9223372036854775807'], about: 'the largest int64' },
  { name: 'int64-min', texts: ['-9223372036854775808'], about: 'the smallest int64' },
]

/** Other spellings of an integer (JSON Schema 2020-12 validation, 6.1.1: a number without fraction is an integer). */
export const spellingKinds: readonly NumberKind[] = [
  { name: 'decimal-form', texts: ['.0'], about: 'an integer written with a fraction of zero (`1.0`)' },
  { name: 'exponent-form', texts: ['e0'], about: 'an integer written with an exponent (`1e3`)' },
]

/** Whether a kind is about the spelling of an integer, not its value. */
export const isIntegerSpelling = (name: string): boolean => spellingKinds.some(kind => kind.name === name)

export const fractionKinds: readonly NumberKind[] = [
  { name: 'fraction', texts: ['0.5', '-1.25', '3.141592653589793'], about: 'fractions' },
  { name: 'small', texts: ['1e-7', '5e-324'], about: 'very small numbers' },
  { name: 'large', texts: ['1e21', '-1.7976931348623157e308'], about: 'very large numbers' },
]

/** Whether a place has a bound of its own above or below: it is nearer than the edge of the number's format. */
export const isBounded = ({ keywords }: SchemaPlace, side: 'above' | 'below'): boolean => {
  const bounds = side === 'above' ? ['maximum', 'exclusiveMaximum'] : ['minimum', 'exclusiveMinimum']
  return keywords.some(({ keyword }) => bounds.includes(keyword))
}
