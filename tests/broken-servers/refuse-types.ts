import { isInt64, isObject, isText } from './json.ts'
import type { Broken, Parts } from './model.ts'
import { rowsOf } from './row.ts'

const row = rowsOf('refuse')

const body = (place: string, rest: string) => new RegExp(`^createPlant/request/body/${place}/(${rest})`)

type Test = (value: unknown) => boolean

const id = (takes: Test): Partial<Parts> => ({ id: value => isInt64(value) || takes(value) })
const name = (takes: Test): Partial<Parts> => ({ name: value => isText(value) || takes(value) })
const tag = (takes: Test): Partial<Parts> => ({
  tag: value => value === undefined || isText(value) || takes(value),
})

const isNumber: Test = value => typeof value === 'bigint' || typeof value === 'number'
const isBoolean: Test = value => typeof value === 'boolean'
const isNull: Test = value => value === null
const isAbsent: Test = value => value === undefined
const matches =
  (pattern: RegExp): Test =>
  value =>
    isText(value) && pattern.test(value)

const idServers: readonly Broken[] = [
  row(
    'takes-id-in-quotes',
    'Digits in quotes are taken for the number.',
    body('id', 'type/(string|numeral)'),
    id(matches(/^-?\d+$/)),
  ),
  row(
    'takes-id-that-converts',
    'A text that converts to a number is taken for it, blanks and hexadecimal included.',
    body('id', 'type/(string|numeral)'),
    id(value => isText(value) && value.trim() !== '' && Number.isInteger(Number(value))),
  ),
  row(
    'takes-empty-id',
    'An empty text is taken for the number 0.',
    body('id', 'type/string'),
    id(matches(/^\s*$/)),
  ),
  row(
    'takes-id-of-letters',
    'Any text is taken for an id.',
    body('id', 'type/(string|numeral|boolean)'),
    id(isText),
  ),
  row('takes-boolean-id', 'true is taken for 1 and false for 0.', body('id', 'type/boolean'), id(isBoolean)),
  row(
    'takes-true-in-quotes-for-id',
    'The text "true" is taken for an id.',
    body('id', 'type/(boolean|string)'),
    id(matches(/^true$/)),
  ),
  row('takes-null-id', 'An id of null is taken.', body('id', 'type/null'), id(isNull)),
  row('takes-array-id', 'An array is taken for an id.', body('id', 'type/array'), id(Array.isArray)),
  row(
    'takes-id-in-an-array',
    'An array of one number is taken for the number.',
    body('id', 'type/array'),
    id(value => Array.isArray(value) && value.length === 1 && isInt64(value[0])),
  ),
  row('takes-object-id', 'An object is taken for an id.', body('id', 'type/object'), id(isObject)),
  row(
    'takes-array-or-object-id',
    'Arrays and objects are taken for ids.',
    body('id', 'type/(array|object)'),
    id(value => typeof value === 'object' && value !== null),
  ),
  row(
    'cuts-fraction-of-id',
    'The fraction of an id is cut off.',
    body('id', 'type/(fraction|number)'),
    id(value => typeof value === 'number' && Math.abs(value) < 2 ** 53),
  ),
  row(
    'rounds-id',
    'Numbers are read as doubles, so fractions of large ones go unseen.',
    body('id', 'type/(fraction|number)'),
    id(value => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63),
  ),
  row(
    'takes-small-fraction-for-id',
    'Numbers between −1 and 1 are taken for 0.',
    body('id', 'type/(fraction|number)'),
    id(value => typeof value === 'number' && Math.abs(value) < 1),
  ),
  row(
    'takes-any-number-for-id',
    'Any number is taken for an id.',
    body('id', '(type/(fraction|number)|format)'),
    id(isNumber),
  ),
  row(
    'takes-any-integer-for-id',
    'Integers of any size are taken.',
    body('id', 'format'),
    id(value => typeof value === 'bigint'),
  ),
  row(
    'takes-id-one-above',
    'The first integer above int64 is taken.',
    body('id', 'format/above'),
    id(value => value === 2n ** 63n),
  ),
  row(
    'takes-id-one-below',
    'The first integer below int64 is taken.',
    body('id', 'format/below'),
    id(value => value === -(2n ** 63n) - 1n),
  ),
  row(
    'takes-id-above',
    'Integers above int64 are taken.',
    body('id', 'format/above'),
    id(value => typeof value === 'bigint' && value > 0n),
  ),
  row(
    'takes-id-below',
    'Integers below int64 are taken.',
    body('id', 'format/below'),
    id(value => typeof value === 'bigint' && value < 0n),
  ),
  row(
    'takes-unsigned-id',
    'Integers up to 2^64 are taken.',
    body('id', 'format/above'),
    id(value => typeof value === 'bigint' && value > 0n && value < 2n ** 64n),
  ),
  row(
    'compares-id-as-double',
    'The bounds are compared as doubles, where 2^63 − 1 and 2^63 are the same.',
    body('id', 'format'),
    id(value => typeof value === 'bigint' && Math.abs(Number(value)) <= 2 ** 63),
  ),
  row(
    'takes-infinite-id',
    'Numbers beyond all doubles are taken.',
    body('id', '(format|type)'),
    id(value => value === Infinity || (typeof value === 'bigint' && value > 10n ** 308n)),
  ),
  row('takes-missing-id', 'An id may be missing.', body('id', 'required'), id(isAbsent)),
  row(
    'takes-missing-or-null-id',
    'An id may be missing or null.',
    body('id', '(required|type/null)'),
    id(value => value === undefined || value === null),
  ),
  row(
    'takes-falsy-id',
    'An id is checked only if it is truthy.',
    body('id', '(required|type/(null|boolean|string))'),
    id(value => !value),
  ),
  row(
    'checks-no-id',
    'The id is not looked at.',
    body('id', '(required|type|format)'),
    id(() => true),
  ),
]

/** One store for each sort of value that the text at a place may be confused with. */
const textServers = (place: 'name' | 'tag', takes: (test: Test) => Partial<Parts>): readonly Broken[] => [
  row(
    `takes-number-for-${place}`,
    `A number is taken for the ${place}.`,
    body(place, 'type/(number|integer|fraction)'),
    takes(isNumber),
  ),
  row(
    `takes-integer-for-${place}`,
    `An integer is taken for the ${place}.`,
    body(place, 'type/(number|integer)'),
    takes(value => typeof value === 'bigint'),
  ),
  row(
    `takes-zero-for-${place}`,
    `The number 0 is taken for the ${place}.`,
    body(place, 'type/(number|integer|zero)'),
    takes(value => value === 0n),
  ),
  row(
    `takes-boolean-${place}`,
    `A boolean is taken for the ${place}.`,
    body(place, 'type/boolean'),
    takes(isBoolean),
  ),
  row(
    `takes-false-for-${place}`,
    `false is taken for the ${place}.`,
    body(place, 'type/boolean'),
    takes(value => value === false),
  ),
  row(`takes-null-${place}`, `null is taken for the ${place}.`, body(place, 'type/null'), takes(isNull)),
  row(
    `takes-array-${place}`,
    `An array is taken for the ${place}.`,
    body(place, 'type/array'),
    takes(Array.isArray),
  ),
  row(
    `takes-empty-array-${place}`,
    `An empty array is taken for the ${place}.`,
    body(place, 'type/array'),
    takes(value => Array.isArray(value) && value.length === 0),
  ),
  row(
    `takes-${place}-in-an-array`,
    `An array of one text is taken for the ${place}.`,
    body(place, 'type/array'),
    takes(value => Array.isArray(value) && value.length === 1 && isText(value[0])),
  ),
  row(
    `takes-object-${place}`,
    `An object is taken for the ${place}.`,
    body(place, 'type/object'),
    takes(isObject),
  ),
  row(
    `takes-scalar-${place}`,
    `Numbers and booleans are taken for the ${place}.`,
    body(place, 'type/(number|integer|fraction|boolean)'),
    takes(value => isNumber(value) || isBoolean(value)),
  ),
  row(
    `checks-no-${place}`,
    `The type of the ${place} is not looked at.`,
    body(place, '(type|required)'),
    takes(() => true),
  ),
]

export const typeServers: readonly Broken[] = [
  ...idServers,
  ...textServers('name', name),
  row('takes-missing-name', 'A name may be missing.', body('name', 'required'), name(isAbsent)),
  ...textServers('tag', tag),
]
