/** What each location, style, type and union can show: `golden/shown.txt` is the table. */
import { expect, test } from 'vitest'
import { type Contract, isShown, isShownIn, type Json, placesOf } from '../../spec/index.ts'
import { type Combination, combinationsAt, contractOf, name, placeName, places } from './combinations.ts'

/** A column for each. */
const values: readonly (readonly [name: string, value: Json])[] = [
  ['null', null],
  ['empty text', ''],
  ['empty list', []],
  ['empty object', {}],
  ['list of an empty text', ['']],
  ['a number', 7],
  ['a text', 'ab'],
  ['a slash', 'a/b'],
  ['two dots', '..'],
  ['a list of one', [7]],
  ['a list of two', [7, 8]],
  ['two, one of them wrong', ['x', true]],
  ['a list with null', [7, null]],
  ['a list of lists', [[7]]],
  ['an object', { n: 7 }],
  ['an object with null', { n: null }],
  ['an object of lists', { n: [7] }],
]

const shows = (contract: Contract, { id }: Combination, value: Json): boolean => {
  const operation = contract.operations.find(each => each.id === id)
  const { document } = contract.requests
  const parameter = operation?.parameters[0]
  if (parameter?.schema != null) return isShown(parameter, placesOf(document, parameter.schema), value)
  const media = operation?.body?.media[0]
  if (media?.schema == null) throw new Error(`nothing has a schema in ${id}`)
  return isShownIn(media.format, placesOf(document, media.schema), { k: 'x', [name]: value })
}

test('the table of what requests can show', async () => {
  const lines = await Promise.all(
    places.map(async place => {
      const combinations = combinationsAt(place).filter(({ required }) => required)
      const contract = await contractOf(combinations)
      return combinations.map(combination => {
        const marks = values.map(([, value]) => (shows(contract, combination, value) ? 'x' : '.')).join(' ')
        return `${placeName(place).padEnd(30)} ${combination.type.name.padEnd(9)} ${combination.union.name.padEnd(17)} ${marks}`
      })
    }),
  )
  const head = values.map(([column], index) => `${' '.repeat(59 + 2 * index)}${column}`)
  await expect(`${[...head, ...lines.flat()].join('\n')}\n`).toMatchFileSnapshot('golden/shown.txt')
})
