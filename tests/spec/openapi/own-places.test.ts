/** Schemas mean the same wherever their document keeps them, also at places that only its author knows, such as `x-stream-definitions`. */
import { expect, test } from 'vitest'
import { type Json, loadContract, obligationsOf } from '../../../spec/index.ts'
import { writeDocument } from '../contracts.ts'

const info = { title: 'A', version: '1' }
const usual = { openapi: 'components/schemas', swagger: 'definitions' }

/** The models of a document, which refer to each other, to themselves and to a usual place. */
const models = (place: string, home: string, nullable: object) => ({
  Node: {
    type: 'object',
    required: ['label', 'leaf'],
    properties: {
      label: { type: 'string', ...nullable },
      leaf: { $ref: `#/${place}/Leaf` },
      next: { $ref: `#/${place}/Node` },
      home: { $ref: `#/${home}/Home` },
    },
  },
  Leaf: { type: 'object', properties: { label: { $ref: `#/${place}/Node/properties/label` } } },
})

const put = (document: Record<string, unknown>, place: string, value: object): object => {
  const [name = '', ...others] = place.split('/')
  const inner = (document[name] ?? {}) as Record<string, unknown>
  return {
    ...document,
    [name]: others.length === 0 ? { ...inner, ...value } : put(inner, others.join('/'), value),
  }
}

const Home = { type: 'integer' }
const openapi = (place: string): object => {
  const schema = { $ref: `#/${place}/Node` }
  const response = { description: 'ok', content: { 'application/json': { schema } } }
  const get = { operationId: 'a', responses: { 200: response } }
  const others = { get: { operationId: 'b', responses: { 200: response } } }
  const document = { openapi: '3.0.3', info, paths: { '/a': { get }, '/b': others } }
  return put(
    put(document, usual.openapi, { Home }) as typeof document,
    place,
    models(place, usual.openapi, { nullable: true }),
  )
}
const swagger = (place: string): object => {
  const response = { description: 'ok', schema: { $ref: `#/${place}/Node` } }
  const paths = {
    '/a': { get: { operationId: 'a', responses: { 200: response } } },
    '/b': { get: { operationId: 'b', responses: { 200: response } } },
  }
  const document = { swagger: '2.0', info, paths, definitions: { Home } }
  return put(document, place, models(place, usual.swagger, { 'x-nullable': true }))
}

const places: readonly (readonly [place: string, document: object])[] = [
  ...[usual.openapi, 'x-models', 'x-all/of-them', 'definitions', 'components/x-models'].map(
    place => [`OpenAPI: ${place}`, openapi(place)] as const,
  ),
  ...[usual.swagger, 'x-stream-definitions', 'components/schemas'].map(
    place => [`Swagger: ${place}`, swagger(place)] as const,
  ),
]

const leaf = { label: 'a' }
const values: readonly (readonly [value: Json, isValid: boolean])[] = [
  [{ label: 'a', leaf }, true],
  [{ label: null, leaf: { label: null } }, true],
  [{ label: 'a', leaf, next: { label: 'b', leaf, next: { label: 'c', leaf: {}, home: 1 } } }, true],
  [{ label: 'a', leaf, next: { label: 'b', leaf, next: { leaf } } }, false],
  [{ label: 'a', leaf: { label: 1 } }, false],
  [{ label: 'a', leaf, home: 'x' }, false],
]

test.each(places)('%s', async (_, document) => {
  const text = JSON.stringify(document, null, 2)
  const contract = await loadContract({ from: writeDocument('models.json', text) })
  const warnings = contract.warnings.filter(
    ({ message }) => !/has no field "(?:definitions|components)"/.test(message),
  )
  expect(warnings).toEqual([])
  for (const { responses } of contract.operations) {
    const judge = contract.responses.schemas.validator(responses[0]?.media[0]?.schema ?? '')
    for (const [value, isValid] of values)
      expect(judge(value).length === 0, JSON.stringify(value)).toBe(isValid)
  }
  const label = obligationsOf(contract).find(({ id }) => id === 'a/response/200/body/label/type')
  const line = label?.clause.place.line ?? 0
  expect(
    text
      .split('\n')
      .slice(line - 2, line)
      .join(''),
    'the lines of the schema',
  ).toMatch(/"label": \{\s+"type"/)
})
