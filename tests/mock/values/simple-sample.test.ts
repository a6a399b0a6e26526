/** Values where Prism cannot run, as in a browser. */
import { expect, test } from 'vitest'
import { createExamples } from '../../../mock/values/examples.ts'
import { textOfPattern } from '../../../mock/values/pattern-text.ts'
import { simpleResponse } from '../../../mock/values/simple-response.ts'
import { loadContract } from '../../../spec/index.ts'
import { contracts, documentWith, writeDocument } from '../../spec/contracts.ts'

const text = { type: 'string' }
const paths = {
  '/a': {
    get: {
      operationId: 'getA',
      responses: {
        200: {
          description: 'ok',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
        },
      },
    },
  },
}
const schemas = {
  A: {
    allOf: [
      { $ref: '#/components/schemas/Base' },
      {
        type: 'object',
        required: ['kind', 'code', 'self', 'map'],
        properties: {
          kind: { oneOf: [{ const: 'x' }, { type: 'integer' }] },
          code: { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' },
          big: { type: 'integer', minimum: 1001, multipleOf: 7 },
          short: { type: 'string', maxLength: 2 },
          rate: { type: 'number', exclusiveMinimum: 0, maximum: 1, multipleOf: 0.25 },
          tags: { type: 'array', items: { type: ['string', 'null'], enum: ['a', 'b', null] }, minItems: 3 },
          maybe: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/Base' }] },
          exact: { type: 'integer', example: 7 },
          self: { type: ['object', 'null'], properties: { next: { $ref: '#/components/schemas/A' } } },
          map: { type: 'object', additionalProperties: text },
        },
      },
    ],
  },
  Base: {
    type: 'object',
    required: ['id', 'at'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      at: { type: 'string', format: 'date-time' },
      mail: { type: 'string', format: 'email' },
    },
  },
}

const all = {
  ...contracts,
  combined: await loadContract({
    from: writeDocument('a.json', documentWith(paths, { components: { schemas } })),
  }),
}

test.each(Object.keys(all) as (keyof typeof all)[])('%s: the values conform to their schemas', name => {
  const contract = all[name]
  const examples = createExamples(contract, () => {})
  let made = 0
  for (const operation of contract.operations)
    for (const declared of operation.responses)
      for (const media of declared.media) {
        if (media.schema === null) continue
        const narrow = { ...declared, media: [media] }
        const validate = contract.responses.schemas.validator(media.schema)
        for (let seed = 0; seed < 20; seed++) {
          const { body } = simpleResponse(contract, narrow, examples, seed % 2 === 0, `seed ${seed}`)
          expect({ at: media.pointer, broken: validate(body ?? null) }).toEqual({
            at: media.pointer,
            broken: [],
          })
          expect(simpleResponse(contract, narrow, examples, seed % 2 === 0, `seed ${seed}`).body).toEqual(
            body,
          )
          made += 1
        }
      }
  expect(made).toBeGreaterThan(0)
})

test.each([
  '^[0-9]{12,19}$',
  '^[A-Z]{3}$',
  '^(?:red|green|blue)-\\d+$',
  '^#[0-9a-fA-F]{6}$',
  '^\\w+@\\w+\\.(com|org)$',
  '^[^/]+/[^/]+$',
  '^v\\d+\\.\\d+(?:\\.\\d+)?$',
  'a.c',
  '^\\+?[1-9]\\d{1,14}$',
  '^(ab|cd){2,}$',
  '^[\\w.-]{3,}$',
])('a text matches %s', pattern => {
  for (let chance = 1; chance < 30; chance++)
    expect(textOfPattern(pattern, chance)).toMatch(new RegExp(pattern, 'u'))
})

test.each(['(?=a)b', '^\\p{L}+$', '(a', '[a'])('%s is more than it reads', pattern => {
  expect(textOfPattern(pattern, 1)).toBeNull()
})
