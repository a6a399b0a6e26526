/** Which table of names decides, if several know a name: a format, then a code, then the schema around it, then the name alone. */
import { expect, test } from 'vitest'
import { likelyText } from '../../../mock/values/fresh-values.ts'
import { constraintsOf } from '../../../mock/values/likely/likely-number.ts'
import { namesAt } from '../../../mock/values/likely/place-names.ts'
import { childPlace, placesOf } from '../../../spec/index.ts'

/** What a property of a schema with this name gets: what faker is asked for, or the text itself. */
const textFor = (owner: string, name: string, schema: object): string | undefined => {
  const document = { components: { schemas: { [owner]: { properties: { [name]: schema } } } } }
  const place = childPlace(placesOf(document, `/components/schemas/${owner}`), name)
  if (place === null) throw new Error(`there is no ${name}`)
  return likelyText(namesAt(place), constraintsOf(place), 'seed', method => method)
}

test.each([
  ['a format comes before the name', 'Bed', 'city', { format: 'email' }, 'internet.exampleEmail'],
  ['a short text is a code', 'Bed', 'country', { minLength: 2, maxLength: 2 }, /^[A-Z]{2}$/],
  ['so is a name that says so', 'Bed', 'currency', {}, /^[A-Z]{3}$/],
  ['a long text is none', 'Bed', 'country', {}, 'location.country'],
  ['the schema around a name comes before it', 'User', 'name', {}, 'person.fullName'],
  ['a schema that says nothing leaves it to the name', 'Bed', 'name', {}, 'commerce.productName'],
  ['the first row that fits counts', 'Bed', 'email_address', {}, 'internet.exampleEmail'],
  ['a name that no row knows gets words', 'Bed', 'soil', {}, 'lorem.words'],
] as const)('%s', (_law, owner, name, limits, expected) => {
  expect(textFor(owner, name, { type: 'string', ...limits })).toMatch(expected)
})
