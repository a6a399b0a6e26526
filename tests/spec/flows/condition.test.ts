import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCondition } from '../../../spec/flows/condition.ts'
import type { Known } from '../../../spec/index.ts'

const known: Known = {
  exchange: {
    url: 'http://shop.test/plants?limit=5',
    method: 'POST',
    status: 201,
    path: { plantId: 'a%20b' },
    request: { headers: [['X-Trace', 't-1']], body: Buffer.from('{"name":"Fern"}') },
    response: {
      headers: [['Location', '/plants/7']],
      body: Buffer.from('{"id":7,"tags":["a","b"],"place":{"room":"Hall"},"none":null}'),
    },
  },
  values: {
    inputs: { name: 'Fern', limit: 5 },
    steps: { create: { outputs: { id: 7, all: [1, 2] } } },
    workflows: {},
  },
}

describe('conditions that hold', () => {
  test.each([
    '$statusCode == 201',
    "$statusCode != 200 && $method == 'post'",
    '$statusCode >= 200 && $statusCode < 300',
    '$response.body#/id == 7',
    "$response.body#/id == '7'",
    "$response.body#/tags[1] == 'B'",
    '$steps.create.outputs.all.length == 2 || $steps.create.outputs.all[1] == 2',
    "$response.body#/place/room == 'hall'",
    '$response.body#/none == null',
    '$response.body#/absent == null',
    '!$response.body#/absent',
    "$response.header.location == '/plants/7'",
    "$request.header.x-trace == 't-1' || $statusCode == 500",
    "$request.path.plantId == 'a b'",
    '$request.query.limit == $inputs.limit',
    '$request.body#/name == $inputs.name',
    '$steps.create.outputs.id == $response.body#/id',
    '$steps.create.outputs.all[0] == 1',
    "!($statusCode == 200 || $statusCode == 204) && ($method == 'POST')",
    "$inputs.name == 'it''s' || $inputs.name == \"fern\"",
    '$inputs.limit > 4.5',
    'true',
  ])('%s', condition => {
    expect(parseCondition(condition)(known)).toBe(true)
  })
})

describe('conditions that do not hold', () => {
  test.each([
    '$statusCode == 200',
    '$response.body#/id > 7',
    "$response.body#/id < 'x'",
    '$response.body#/absent == 0',
    '$steps.other.outputs.id == 7',
    '$statusCode == 201 && false',
    '!true',
  ])('%s', condition => {
    expect(parseCondition(condition)(known)).toBe(false)
  })
})

test.each([
  ['', 'expected a value, and it ends there'],
  ['$statusCode ==', 'expected a value, and it ends there'],
  ['$statusCode = 200', 'nothing can be read at "= 200"'],
  ['($statusCode == 200', 'expected ")", and it ends there'],
  ['$statusCode 200', 'expected &&, || or the end, and found 200'],
  ["$method == 'POST", `nothing can be read at "'POST"`],
  ['== 200', "expected a value, such as $statusCode, 200 or 'text', and found =="],
])('%j cannot be read: %s', (condition, problem) => {
  expect(() => parseCondition(condition)).toThrow(problem)
})

test('a comparison of two values says what JavaScript says of them, without regard to case', () => {
  const scalar = fc.oneof(
    fc.integer(),
    fc.boolean(),
    fc.stringMatching(/^[A-Za-z ]{0,6}$/),
    fc.constant(null),
  )
  const written = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))
  const folded = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)
  fc.assert(
    fc.property(scalar, scalar, (left, right) => {
      const holds = (operator: string): boolean =>
        parseCondition(`${written(left)} ${operator} ${written(right)}`)(known)
      expect(holds('==')).toBe(folded(left) === folded(right))
      expect(holds('!=')).toBe(!holds('=='))
      if (typeof left === 'number' && typeof right === 'number') expect(holds('<')).toBe(left < right)
    }),
  )
})

test('any text is a condition or is refused with an Error, soon', () => {
  const part = fc.constantFrom(
    '$statusCode',
    '==',
    '&&',
    '||',
    '!',
    '(',
    ')',
    '[',
    ']',
    '1',
    "'a'",
    '.b',
    '#/',
    ' ',
    '$x',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part).map(parts => parts.join('')),
      ),
      text => {
        try {
          expect(typeof parseCondition(text)(known)).toBe('boolean')
        } catch (error) {
          expect((error as Error).message).toMatch(/^(?:expected|nothing can be read)/)
        }
      },
    ),
  )
})
