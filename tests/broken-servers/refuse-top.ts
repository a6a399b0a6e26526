import { isObject, isText, parseJson } from './json.ts'
import type { Broken, Parts } from './model.ts'
import { rowsOf } from './row.ts'
import { inTurn, plant } from './sent.ts'

const row = rowsOf('refuse')

const top = (types: string) => new RegExp(`^createPlant/request/body/type/(${types})`)

const body = (takes: (value: unknown) => boolean): Partial<Parts> => ({
  body: value => isObject(value) || takes(value),
})

export const topServers: readonly Broken[] = [
  row('takes-array-body', 'An array is taken for a plant.', top('array'), body(Array.isArray)),
  row(
    'takes-empty-array-body',
    'An empty array is taken for a plant.',
    top('array'),
    body(value => Array.isArray(value) && value.length === 0),
  ),
  row(
    'takes-list-of-plants',
    'A list of plants is taken.',
    top('array'),
    body(value => Array.isArray(value) && value.length > 0 && value.every(isObject)),
    { witness: inTurn({ ...plant(), body: '[{"id":1,"name":"Monstera"}]' }) },
  ),
  row('takes-string-body', 'A JSON text is taken for a plant.', top('string'), body(isText)),
  row(
    'takes-number-body',
    'A number is taken for a plant.',
    top('number|integer'),
    body(value => typeof value === 'bigint' || typeof value === 'number'),
  ),
  row(
    'takes-boolean-body',
    'A boolean is taken for a plant.',
    top('boolean'),
    body(value => typeof value === 'boolean'),
  ),
  row(
    'takes-null-body',
    'null is taken for a plant.',
    top('null'),
    body(value => value === null),
  ),
  row(
    'takes-scalar-body',
    'Whatever is neither an array nor null is taken.',
    top('string|number|integer|boolean'),
    body(value => value !== null && !Array.isArray(value)),
  ),
  row(
    'takes-plant-in-a-string',
    'A plant inside a JSON text is taken.',
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
