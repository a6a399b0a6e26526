/** What Swagger 2.0 says of the values of a parameter or header, and OpenAPI 3.0 in its schema, holds after the conversion. */
import { expect, test } from 'vitest'
import { loadContract } from '../../../../spec/index.ts'
import { formFieldsOf, operationOf, writeDocument } from '../../contracts.ts'

/** A keyword with its type, a value that it allows, and one that it does not. */
const keywords = [
  ['type', { type: 'integer' }, 7, 'a'],
  ['enum', { type: 'string', enum: ['a', 'b'] }, 'b', 'c'],
  ['format', { type: 'string', format: 'date' }, '2026-11-27', 'today'],
  ['minimum', { type: 'integer', minimum: 3 }, 3, 2],
  ['exclusiveMinimum', { type: 'integer', minimum: 3, exclusiveMinimum: true }, 4, 3],
  ['maximum', { type: 'integer', maximum: 3 }, 3, 4],
  ['exclusiveMaximum', { type: 'integer', maximum: 3, exclusiveMaximum: true }, 2, 3],
  ['multipleOf', { type: 'integer', multipleOf: 5 }, 10, 11],
  ['minLength', { type: 'string', minLength: 2 }, 'ab', 'a'],
  ['maxLength', { type: 'string', maxLength: 2 }, 'ab', 'abc'],
  ['pattern', { type: 'string', pattern: '^[A-Z]+$' }, 'AB', 'ab'],
  ['items', { type: 'array', items: { type: 'integer' } }, [1], ['a']],
  ['minItems', { type: 'array', items: { type: 'integer' }, minItems: 2 }, [1, 1], [1]],
  ['maxItems', { type: 'array', items: { type: 'integer' }, maxItems: 1 }, [1], [1, 1]],
  ['uniqueItems', { type: 'array', items: { type: 'integer' }, uniqueItems: true }, [1, 2], [1, 1]],
  ['x-nullable', { type: 'string', 'x-nullable': true }, null, 1],
] as const

const contract = await loadContract({
  from: writeDocument(
    'old.json',
    JSON.stringify({
      swagger: '2.0',
      info: { title: 'Old', version: '1' },
      paths: Object.fromEntries(
        keywords.map(([name, schema]) => [
          `/${name}`,
          {
            get: {
              operationId: name,
              parameters: [{ in: 'query', name: 'q', ...schema }],
              responses: { 200: { description: 'ok', headers: { 'X-Q': schema } } },
            },
            post: {
              operationId: `send-${name}`,
              consumes: ['application/x-www-form-urlencoded'],
              parameters: [{ in: 'formData', name: 'q', ...schema }],
              responses: { 200: { description: 'ok' } },
            },
          },
        ]),
      ),
    }),
  ),
})

test.each(keywords)('%s', (name, _schema, allowed, forbidden) => {
  const { parameters, responses } = operationOf(contract, name)
  const schemas = {
    parameter: [contract.requests, parameters[0]?.schema],
    header: [contract.responses, responses[0]?.headers[0]?.schema],
    field: [contract.requests, formFieldsOf(operationOf(contract, `send-${name}`).body)[0]?.schema],
  } as const
  for (const [place, [{ schemas: compiled }, schema]] of Object.entries(schemas)) {
    const validate = compiled.validator(schema ?? '')
    expect([place, validate(allowed)]).toEqual([place, []])
    expect([place, validate(forbidden).length]).toEqual([place, 1])
  }
})
