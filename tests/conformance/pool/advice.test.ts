/** What a rejection advises is found, whatever else its words are. */
import { expect, test } from 'vitest'
import { createOperationModel } from '../../../conformance/cases/operation-model.ts'
import { adviceIn } from '../../../conformance/pool/advice.ts'
import { type Json, loadContract, type Operation } from '../../../spec/index.ts'
import { cpuTime } from '../../cpu-time.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { requestSpec } from '../request-spec.ts'

const state = { type: 'string', enum: ['initializing', 'running', 'in_progress', 'completed', 'new'] }
const schema = {
  type: 'object',
  properties: {
    size: { type: 'string' },
    algorithm: { type: 'string' },
    mapped_path: { type: 'string' },
    rights: {
      type: 'object',
      minProperties: 1,
      additionalProperties: { type: 'array', items: { enum: ['*', 'list'] }, minItems: 1 },
      example: { '/': ['*'] },
    },
    parts: { type: 'array', items: { type: 'object', properties: { size: { type: 'string' } } } },
    state,
    vectors: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
    weights: { type: 'array', items: { type: 'number' } },
  },
}
const contract = await loadContract({
  from: writeDocument(
    'things.json',
    documentWith({
      '/things': {
        post: {
          operationId: 'createThing',
          requestBody: { content: { 'application/json': { schema } } },
          responses: { 201: { description: 'created' } },
        },
      },
    }),
  ),
})
const model = createOperationModel(contract, contract.operations[0] as Operation)

const advised = (text: string, body: Readonly<Record<string, Json>> = { size: 'x' }) =>
  adviceIn(model, { ...requestSpec, body }, new TextEncoder().encode(text)).map(({ value }) => value)

test.each<[string, ReturnType<typeof advised>, Readonly<Record<string, string>>?]>([
  ['size must be one of small, large or huge.', ['small', 'large', 'huge']],
  ["size can be written as 'small',  'large' and 'huge'", ['small', 'large', 'huge']],
  ['size must match the pattern "^ab$"', ['ab']],
  ['size matches no regexp \'x" nor the regexes /^ab$/', ['ab']],
  ['size has a maximum length of 12', ['x']],
  ['size: it must be in the format <tenant name>:<database>:<id> with non-empty parts', ['{}:{}:{}']],
  ['size has the form {group}/{name}', ['{}/{}']],
  ["size must start with the string 'tag:'", ['tag:{}']],
  ["size doesn't have expected type prefix mkey:", ['mkey:{}']],
  ['size has to begin with sk- and end with `.key`.', ['sk-{}.key']],
  ['size should be prefixed with "urn:plant:"', ['urn:plant:{}']],
  ['size is too short: min 12', ['x'.padEnd(13, 'a')]],
  ["A thing of size 'main' already exists", ['{}'], { size: 'main', algorithm: 'sha1' }],
  ['duplicate key: main', ['{}'], { size: 'main', algorithm: 'sha1' }],
  ['the domain is already there', [], { size: 'main' }],
  ['nothing is said of it', []],
  ['it starts initializing or running', ['initializing', 'running'], { state: 'completed' }],
  ['work in progress', ['in_progress'], { state: 'completed' }],
  ['it is completed', [], { state: 'completed' }],
  ['a new one', [], { state: 'completed' }],
])('%s', (text, values, body) => {
  expect(advised(text, body)).toEqual(values)
})

test('a letter is nothing that a text begins with', () => {
  expect(advised('size must start with a letter.')).not.toContain('a{}')
  expect(advised('size: invalid prefix')).not.toContain('{}')
})

test.each([
  'size is required',
  'size: field required',
  'size must be specified',
  'size or name must be specified',
  'size should be provided',
  'size has to be set',
  'size needs to be given',
  'Please provide a size',
  'Please specify the size.',
  'You have to supply a size',
  'No size specified',
  'No name or size specified',
  'no size was given',
  'neither name nor size is given',
  'either name or size has to be given',
  'at least one of name, size is needed',
  "Missing key: 'size'",
  'size may not be blank',
  'size cannot be empty',
  'size must not be null',
  'A size is mandatory',
  'Must specify at least one size',
  'please grant some sizes',
  'invalid size: 0',
  'invalid thing size ""',
])('a value is tried for what is missing: %s', text => {
  expect(advised(text, { algorithm: 'x' })).toEqual(['{}'])
})

test.each([
  ['Collection expecting embedding with dimension of 4, got 2', 4],
  ['Wrong input: Vector dimension error: expected dim: 3, got 2', 3],
  ['expected 3 dimensions, not 2', 3],
  ['vector lengths do not match: 2 vs 5', 5],
  ['the length (2) of the vector must be 128.', 128],
])('lists get the length that is wanted: %s', (text, length) => {
  const [vectors] = advised(text, {
    weights: [1, 2, 3, 4, 5, 6],
    vectors: [
      [7, 8],
      [9, 1],
    ],
  }) as [number[][]]
  expect(vectors.map(vector => [vector.length, vector[0]])).toEqual([
    [length, 7],
    [length, 9],
  ])
})

test.each([
  ['weights must have at least 3 elements', [1, 2, 2]],
  ['invalid weights: value must contain exactly 1 item(s)', [1]],
  ['weights: List should have at least 2 items after validation, not 1', [1, 1]],
  ['weights: no more than 3 items are allowed', [1, 1, 1]],
])('a list gets as many items as are allowed: %s', (text, list) => {
  const weights = text.includes('no more') ? [1, 1, 1, 1] : text.includes('not 1') ? [1] : [1, 2]
  expect(advised(text, { weights })).toContainEqual(list)
})

test.each([
  ['at least one weight is required', {}, [[], [7]]],
  ['at least one weight is required', { weights: [] }, [[7]]],
  ['invalid mapped path ""', {}, ['{}']],
])('%s, of %j', (text, body, values) => {
  expect(advised(text, body)).toEqual(values)
})

test('an example of the document is tried first', () => {
  expect(advised('please grant some rights', {})[0]).toEqual({ '/': ['*'] })
})

test('of two places of one name, the one without a value is filled first', () => {
  expect(advised('invalid part at position 0, size not specified', { size: 'x', parts: [{}] })[0]).toBe('{}')
})

test('a path is tried for what should be one', () => {
  expect(advised('invalid mapped path "x"', { mapped_path: 'x' })[0]).toBe('/{}')
})

test.each(['there are 2 things of 3', 'HTTP 2, length 2', 'dimension 2.5 of 3.5', 'length 4000000 of 2'])(
  'lists stay as they are: %s',
  text => expect(advised(text, { weights: [1, 2] })).toEqual([]),
)

test.each(['size is fine', 'the size of a thing', 'size was changed'])('nothing is missing: %s', text => {
  expect(advised(text, { algorithm: 'x' })).toEqual([])
})

test.each(['Unknown TSIG algorithm: x', 'invalid value for "algorithm"'])(
  'well-known codes are tried for a property whose text the server does not know: %s',
  text => {
    expect(advised(text, { algorithm: 'x' })).toEqual(
      expect.arrayContaining(['sha256', 'hmac-sha256', 'HS256']),
    )
    expect(advised(text, { size: 'x' })).not.toContain('sha256')
  },
)

test.each([
  ['separators', `size 'a'${', '.repeat(50_000)}`],
  ['words that announce an expression', `size ${'match'.repeat(20_000)}`],
  ['words that announce limits', `size ${'between 1'.repeat(11_000)}`],
  ['words that announce a list', `size ${'one of '.repeat(14_000)}`],
  ['quotation marks', `size ${`'"`.repeat(50_000)}`],
])('a hundred thousand letters of %s are read at once', (_of, text) => {
  const began = cpuTime()
  advised(text)
  advised(JSON.stringify(Array.from({ length: 200 }, (_, at) => text.slice(at * 500, (at + 1) * 500))))
  expect(cpuTime() - began).toBeLessThan(500)
})

test('the place that a path leads to is meant, and not another of its name', async () => {
  const text = { type: 'string' }
  const task = { type: 'object', properties: { name: text, reference: text } }
  const flow = { type: 'object', properties: { name: text, tasks: { type: 'array', items: task } } }
  const document = documentWith({
    '/flows': {
      post: {
        operationId: 'createFlow',
        requestBody: { content: { 'application/json': { schema: flow } } },
        responses: { 201: { description: 'created' } },
      },
    },
  })
  const flows = await loadContract({ from: writeDocument('flows.json', document) })
  const modelOfFlows = createOperationModel(flows, flows.operations[0] as Operation)
  const placesIn = (path: unknown) => {
    const failure = { errors: [{ path, message: 'name cannot be empty or null' }] }
    const body = { name: 'a', tasks: [{}] }
    const advice = adviceIn(modelOfFlows, { ...requestSpec, body }, Buffer.from(JSON.stringify(failure)))
    return [...new Set(advice.map(({ place }) => place))]
  }
  for (const path of [
    'createFlow.arg0.tasks[0].reference',
    '/tasks/0/reference',
    ['body', 'tasks', 0, 'reference'],
    '$.tasks[0].reference',
  ])
    expect(placesIn(path)).toEqual(['/tasks/*/reference'])
  expect(placesIn('createFlow.arg0.tasks[0].name')).toEqual(['/tasks/*/name'])
})
