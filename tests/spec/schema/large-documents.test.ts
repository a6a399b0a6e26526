/** Schemas of large documents are compiled once for all who refer to them, and judge as those of small ones do. */

import { expect, test } from 'vitest'
import { parseJson, schemasIn } from '../../../spec/index.ts'

/** A document with these schemas, and so many others that it is a large one. */
const large = (schemas: Readonly<Record<string, unknown>>, others = 200) => ({
  components: {
    schemas: {
      ...Object.fromEntries(Array.from({ length: others }, (_, index) => [`Other${index}`, {}])),
      ...schemas,
    },
  },
})

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const judge = (document: object, name: string, text: string) =>
  schemasIn(document).validator(`/components/schemas/${name}`)(parseJson(text))

const schemas = {
  Order: {
    type: 'object',
    required: ['buyer'],
    properties: { buyer: ref('Person'), lines: { type: 'array', minItems: 1, items: ref('Line') } },
  },
  Person: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, friend: ref('Person') },
  },
  Line: { oneOf: [{ type: 'string' }, { allOf: [ref('Person'), { required: ['sku'] }] }] },
}

test.each([
  '{"buyer":{"name":"a"}}',
  '{"buyer":{"name":7,"friend":{}}}',
  '{"buyer":{"name":"a","friend":{"name":"b","friend":null}},"lines":[]}',
  '{"lines":[{"name":"a"},"b",7]}',
])('%s breaks the same requirements in a large document as in a small one', text => {
  expect(judge(large(schemas), 'Order', text)).toEqual(judge(large(schemas, 0), 'Order', text))
})

test('what depends on the schemas behind a reference is judged with them', () => {
  const closed = {
    Named: { properties: { name: {} } },
    Closed: { allOf: [ref('Named')], unevaluatedProperties: false },
  }
  expect(judge(large(closed), 'Closed', '{"name":1}')).toEqual([])
  expect(judge(large(closed), 'Closed', '{"other":1}').map(({ at }) => at)).toEqual(['/other'])
})

test.each([['small', 0] as const, ['large', 200] as const])(
  'what a %s document had compiled is compiled again after it was freed',
  (_size, others) => {
    const person = { type: 'object', required: ['name'] }
    const document = large({ Order: { properties: { buyer: ref('Person') } }, Person: person }, others)
    const set = schemasIn(document)
    const validate = set.validator('/components/schemas/Order')
    const broken = (): readonly string[] => validate(parseJson('{"buyer":{}}')).map(({ at }) => at)
    expect(broken()).toEqual(['/buyer/name'])
    person.required = ['email']
    expect(broken()).toEqual(['/buyer/name'])
    set.free()
    expect(broken()).toEqual(['/buyer/email'])
  },
)
