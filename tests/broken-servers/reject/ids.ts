import { isInt64, isObject, isText } from '../store/json.ts'
import type { BrokenServer, Parts } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { isAbsent, isBoolean, isNull, isNumber, ofProperty, type Test } from './values.ts'

const row = rowsOf('reject')

const id = (takes: Test): Partial<Parts> => ({ id: value => isInt64(value) || takes(value) })

const matches =
  (pattern: RegExp): Test =>
  value =>
    isText(value) && pattern.test(value)

/** Stores that accept ids that are not an int64. */
export const idServers: readonly BrokenServer[] = [
  row(
    'takes-id-in-quotes',
    'A quoted number is accepted as the id.',
    ofProperty('id', 'type/(string|numeral)'),
    id(matches(/^-?\d+$/)),
  ),
  row(
    'takes-id-that-converts',
    'A string that converts to a number is accepted as the id, also with white space or in hexadecimal.',
    ofProperty('id', 'type/(string|numeral)'),
    id(value => isText(value) && value.trim() !== '' && Number.isInteger(Number(value))),
  ),
  row(
    'takes-empty-id',
    'An empty string is accepted as the id 0.',
    ofProperty('id', 'type/string'),
    id(matches(/^\s*$/)),
  ),
  row(
    'takes-id-of-letters',
    'Any string is accepted as an id.',
    ofProperty('id', 'type/(string|numeral|boolean)'),
    id(isText),
  ),
  row(
    'takes-boolean-id',
    'true is accepted as the id 1, and false as 0.',
    ofProperty('id', 'type/boolean'),
    id(isBoolean),
  ),
  row(
    'takes-true-in-quotes-for-id',
    'The string "true" is accepted as an id.',
    ofProperty('id', 'type/(boolean|string)'),
    id(matches(/^true$/)),
  ),
  row('takes-null-id', 'null is accepted as an id.', ofProperty('id', 'type/null'), id(isNull)),
  row('takes-array-id', 'An array is accepted as an id.', ofProperty('id', 'type/array'), id(Array.isArray)),
  row(
    'takes-id-in-an-array',
    'An array of one number is accepted as an id.',
    ofProperty('id', 'type/array'),
    id(value => Array.isArray(value) && value.length === 1 && isInt64(value[0])),
  ),
  row('takes-object-id', 'An object is accepted as an id.', ofProperty('id', 'type/object'), id(isObject)),
  row(
    'takes-array-or-object-id',
    'Arrays and objects are accepted as ids.',
    ofProperty('id', 'type/(array|object)'),
    id(value => typeof value === 'object' && value !== null),
  ),
  row(
    'cuts-fraction-of-id',
    'The fraction of an id is cut off.',
    ofProperty('id', 'type/(fraction|number)'),
    id(value => typeof value === 'number' && Math.abs(value) < 2 ** 53),
  ),
  row(
    'rounds-id',
    'Ids are read as doubles, so the fractions of large ones go unnoticed.',
    ofProperty('id', 'type/(fraction|number)'),
    id(value => typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63),
  ),
  row(
    'takes-small-fraction-for-id',
    'Numbers between −1 and 1 are accepted as the id 0.',
    ofProperty('id', 'type/(fraction|number)'),
    id(value => typeof value === 'number' && Math.abs(value) < 1),
  ),
  row(
    'takes-any-number-for-id',
    'Any number is accepted as an id.',
    ofProperty('id', '(type/(fraction|number)|format)'),
    id(isNumber),
  ),
  row(
    'takes-any-integer-for-id',
    'Integers of any size are accepted as ids.',
    ofProperty('id', 'format'),
    id(value => typeof value === 'bigint'),
  ),
  row(
    'takes-id-one-above',
    'The first integer above int64 is accepted.',
    ofProperty('id', 'format/above'),
    id(value => value === 2n ** 63n),
  ),
  row(
    'takes-id-one-below',
    'The first integer below int64 is accepted.',
    ofProperty('id', 'format/below'),
    id(value => value === -(2n ** 63n) - 1n),
  ),
  row(
    'takes-id-above',
    'Integers above int64 are accepted.',
    ofProperty('id', 'format/above'),
    id(value => typeof value === 'bigint' && value > 0n),
  ),
  row(
    'takes-id-below',
    'Integers below int64 are accepted.',
    ofProperty('id', 'format/below'),
    id(value => typeof value === 'bigint' && value < 0n),
  ),
  row(
    'takes-unsigned-id',
    'Integers up to 2^64 are accepted.',
    ofProperty('id', 'format/above'),
    id(value => typeof value === 'bigint' && value > 0n && value < 2n ** 64n),
  ),
  row(
    'compares-id-as-double',
    'Ids are compared as doubles, for which 2^63 − 1 equals 2^63.',
    ofProperty('id', 'format'),
    id(value => typeof value === 'bigint' && Math.abs(Number(value)) <= 2 ** 63),
  ),
  row(
    'takes-infinite-id',
    'Numbers that overflow a double are accepted as ids.',
    ofProperty('id', '(format|type)'),
    id(value => value === Infinity || (typeof value === 'bigint' && value > 10n ** 308n)),
  ),
  row('takes-missing-id', 'An id may be missing.', ofProperty('id', 'required'), id(isAbsent)),
  row(
    'takes-missing-or-null-id',
    'An id may be missing or null.',
    ofProperty('id', '(required|type/null)'),
    id(value => value === undefined || value === null),
  ),
  row(
    'takes-falsy-id',
    'An id is checked only if it is truthy.',
    ofProperty('id', '(required|type/(null|boolean|string))'),
    id(value => !value),
  ),
  row(
    'checks-no-id',
    'The id is not checked.',
    ofProperty('id', '(required|type|format)'),
    id(() => true),
  ),
]
