import { isObject, isText, parseJson } from '../store/json.ts'
import type { BrokenServer, Parts } from '../store/model.ts'
import { rowsOf } from '../store/row.ts'
import { inTurn, plant } from '../store/sent.ts'

const row = rowsOf('reject')

const top = (types: string) => new RegExp(`^createPlant/request/body/type/(${types})`)

const body = (takes: (value: unknown) => boolean): Partial<Parts> => ({
  body: value => isObject(value) || takes(value),
})

export const topServers: readonly BrokenServer[] = [
  row('takes-array-body', 'An array is accepted as a plant.', top('array'), body(Array.isArray)),
  row(
    'takes-empty-array-body',
    'An empty array is accepted as a plant.',
    top('array'),
    body(value => Array.isArray(value) && value.length === 0),
  ),
  row(
    'takes-list-of-plants',
    'A list of plants is accepted.',
    top('array'),
    body(value => Array.isArray(value) && value.length > 0 && value.every(isObject)),
    { witness: inTurn({ ...plant(), body: '[{"id":1,"name":"Monstera"}]' }) },
  ),
  row('takes-string-body', 'A JSON string is accepted as a plant.', top('string'), body(isText)),
  row(
    'takes-number-body',
    'A number is accepted as a plant.',
    top('number|integer'),
    body(value => typeof value === 'bigint' || typeof value === 'number'),
  ),
  row(
    'takes-boolean-body',
    'A boolean is accepted as a plant.',
    top('boolean'),
    body(value => typeof value === 'boolean'),
  ),
  row(
    'takes-null-body',
    'null is accepted as a plant.',
    top('null'),
    body(value => value === null),
  ),
  row(
    'takes-scalar-body',
    'Anything that is not an array or null is accepted as a plant.',
    top('string|number|integer|boolean'),
    body(value => value !== null && !Array.isArray(value)),
  ),
  row(
    'takes-plant-in-a-string',
    'A plant inside a JSON string is accepted.',
    /request\/body\/(type\/string|json)/,
    {
      parse: text => {
        const value = parseJson(text)
        return isText(value) ? parseJson(value) : value
      },
    },
    { witness: inTurn({ ...plant(), body: JSON.stringify('{"id":1,"name":"Monstera"}') }) },
  ),
]
