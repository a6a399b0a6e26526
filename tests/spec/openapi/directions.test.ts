import { expect, test } from 'vitest'
import { forRequests, forResponses } from '../../../spec/openapi/directions.ts'

const documentOf = (schemas: object): Readonly<Record<string, unknown>> => ({ components: { schemas } })

const schemasOf = (document: object): unknown =>
  (document as { components: { schemas: unknown } }).components.schemas

test('a request has no readOnly property, and none is required', () => {
  const user = {
    required: ['id', 'name'],
    properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
  }
  expect(schemasOf(forRequests(documentOf({ user })))).toEqual({
    user: { required: ['name'], properties: { name: { type: 'string' } } },
  })
})

test('a response need not have a writeOnly property; if no others are allowed, it may', () => {
  const secret = { required: ['password'], properties: { password: { type: 'string', writeOnly: true } } }
  const closed = { ...secret, additionalProperties: false }
  expect(schemasOf(forResponses(documentOf({ secret, closed })))).toEqual({
    secret: { properties: {} },
    // As a pattern, so that whoever makes values by the declared properties leaves it out.
    closed: {
      properties: {},
      patternProperties: { '^password$': secret.properties.password },
      additionalProperties: false,
    },
  })
})

test('what is required of a part counts as well: by reference, in allOf, and where the property is a reference', () => {
  const schemas = {
    Id: { type: 'integer', readOnly: true },
    Base: { properties: { id: { $ref: '#/components/schemas/Id' } } },
    Book: {
      allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['id', 'title'] }],
      required: ['id'],
    },
  }
  expect(schemasOf(forRequests(documentOf(schemas)))).toEqual({
    Id: schemas.Id,
    Base: { properties: {} },
    Book: { allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['title'] }] },
  })
})

test('properties that are called `properties`, `required` or `schema` are no keywords', () => {
  const schemas = {
    Instance: {
      required: ['properties', 'id'],
      properties: {
        id: { readOnly: true },
        properties: { properties: { schema: { type: 'string' }, readOnly: { type: 'boolean' } } },
      },
    },
  }
  expect(schemasOf(forRequests(documentOf(schemas)))).toEqual({
    Instance: {
      required: ['properties'],
      properties: { properties: schemas.Instance.properties.properties },
    },
  })
})

test('a document without such properties is the same in both directions', () => {
  const document = documentOf({ Plain: { properties: { a: { enum: ['readOnly'] } } } })
  expect(forRequests(document)).toBe(document)
  expect(forResponses(document)).toBe(document)
})

test('schemas that refer to each other in a circle', () => {
  const node = {
    required: ['id', 'next'],
    properties: { id: { readOnly: true }, next: { $ref: '#/components/schemas/node' } },
    allOf: [{ $ref: '#/components/schemas/node' }],
  }
  expect(schemasOf(forRequests(documentOf({ node })))).toEqual({
    node: { required: ['next'], properties: { next: node.properties.next }, allOf: node.allOf },
  })
})
