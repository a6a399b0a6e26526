/** Values that a run has learned come to their places in a body. */
import { expect, test } from 'vitest'
import { withValuesAt } from '../../../conformance/pool/places-in-body.ts'
import type { KnownValue } from '../../../conformance/pool/pool.ts'
import type { Json } from '../../../spec/index.ts'

const added = (value: Json): KnownValue => ({ value, isName: false, isAdded: true, source: 'the test' })
const filled = (values: Readonly<Record<string, Json>>, body: Json): Json =>
  withValuesAt(
    new Map(Object.entries(values).map(([place, value]) => [place, added(value)])),
    body,
    (_pointer, { value }) => value,
  )

test.each([[['/actions', '/actions/*/name']], [['/actions/*/name', '/actions']]])(
  'a value is put into one that is added as well, whichever was learned first: %j',
  order => {
    const values: Readonly<Record<string, Json>> = { '/actions': [{}], '/actions/*/name': 'fern' }
    expect(filled(Object.fromEntries(order.map(place => [place, values[place] as Json])), { id: 1 })).toEqual(
      {
        id: 1,
        actions: [{ name: 'fern' }],
      },
    )
  },
)

test('what has no object to be in stays away', () => {
  expect(filled({ '/owner/name': 'fern' }, { id: 1 })).toEqual({ id: 1 })
})
