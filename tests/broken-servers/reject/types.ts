import { isObject, isText } from '../store/json.ts'
import type { BrokenServer, Parts } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { isAbsent, isBoolean, isNull, isNumber, ofProperty, type Test } from './values.ts'

const row = rowsOf('reject')

const name = (takes: Test): Partial<Parts> => ({ name: value => isText(value) || takes(value) })
const tag = (takes: Test): Partial<Parts> => ({
  tag: value => value === undefined || isText(value) || takes(value),
})

/** One store for each type that may be confused with a string. */
const textServers = (
  place: 'name' | 'tag',
  takes: (test: Test) => Partial<Parts>,
): readonly BrokenServer[] => [
  row(
    `takes-number-for-${place}`,
    `A number is accepted as the ${place}.`,
    ofProperty(place, 'type/(number|integer|fraction)'),
    takes(isNumber),
  ),
  row(
    `takes-integer-for-${place}`,
    `An integer is accepted as the ${place}.`,
    ofProperty(place, 'type/(number|integer)'),
    takes(value => typeof value === 'bigint'),
  ),
  row(
    `takes-zero-for-${place}`,
    `The number 0 is accepted as the ${place}.`,
    ofProperty(place, 'type/(number|integer|zero)'),
    takes(value => value === 0n),
  ),
  row(
    `takes-boolean-${place}`,
    `A boolean is accepted as the ${place}.`,
    ofProperty(place, 'type/boolean'),
    takes(isBoolean),
  ),
  row(
    `takes-false-for-${place}`,
    `false is accepted as the ${place}.`,
    ofProperty(place, 'type/boolean'),
    takes(value => value === false),
  ),
  row(
    `takes-null-${place}`,
    `null is accepted as the ${place}.`,
    ofProperty(place, 'type/null'),
    takes(isNull),
  ),
  row(
    `takes-array-${place}`,
    `An array is accepted as the ${place}.`,
    ofProperty(place, 'type/array'),
    takes(Array.isArray),
  ),
  row(
    `takes-empty-array-${place}`,
    `An empty array is accepted as the ${place}.`,
    ofProperty(place, 'type/array'),
    takes(value => Array.isArray(value) && value.length === 0),
  ),
  row(
    `takes-${place}-in-an-array`,
    `An array of one string is accepted as the ${place}.`,
    ofProperty(place, 'type/array'),
    takes(value => Array.isArray(value) && value.length === 1 && isText(value[0])),
  ),
  row(
    `takes-object-${place}`,
    `An object is accepted as the ${place}.`,
    ofProperty(place, 'type/object'),
    takes(isObject),
  ),
  row(
    `takes-scalar-${place}`,
    `Numbers and booleans are accepted as the ${place}.`,
    ofProperty(place, 'type/(number|integer|fraction|boolean)'),
    takes(value => isNumber(value) || isBoolean(value)),
  ),
  row(
    `checks-no-${place}`,
    `The type of the ${place} is not checked.`,
    ofProperty(place, '(type|required)'),
    takes(() => true),
  ),
]

/** Stores that accept names and tags that are not strings. */
export const typeServers: readonly BrokenServer[] = [
  ...textServers('name', name),
  row('takes-missing-name', 'A name may be missing.', ofProperty('name', 'required'), name(isAbsent)),
  ...textServers('tag', tag),
]
