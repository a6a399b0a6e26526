import { expect, test } from 'vitest'
import type { TestCase } from '../../../conformance/cases/case.ts'
import { inContractBreadth } from '../../../conformance/plan/breadth.ts'
import { createRow, hasCases, type Row } from '../../../conformance/plan/row.ts'
import { isObject, type Json, loadContract, obligationsOf, placesOf } from '../../../spec/index.ts'
import { documentWith, writeDocument } from '../../spec/contracts.ts'
import { planned } from './planned.ts'

const operations = 40

/** Operations that share a parameter, a body and credentials, as those of a large document do. */
const contract = await loadContract({
  from: writeDocument(
    'large.json',
    documentWith(
      Object.fromEntries(
        Array.from({ length: operations }, (_, index) => [
          `/things${index}/{name}`,
          {
            put: {
              operationId: `put${index}`,
              security: [{ key: [] }],
              parameters: [{ $ref: '#/components/parameters/name' }],
              requestBody: {
                required: true,
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
              },
              responses: {
                200: { description: 'ok' },
                400: { description: 'no' },
                401: { description: 'no' },
              },
            },
          },
        ]),
      ),
      {
        components: {
          securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
          parameters: { name: { name: 'name', in: 'path', required: true, schema: { type: 'string' } } },
          schemas: {
            Thing: {
              type: 'object',
              required: ['size'],
              properties: { size: { type: 'integer', minimum: 1 }, colour: { enum: ['red', 'green'] } },
            },
          },
        },
      },
    ),
  ),
})

test('a budget that is too small for a contract is spread over its operations', () => {
  const { cases, untested } = planned(contract, 8 * operations)
  expect(cases).toHaveLength(8 * operations)
  const isValid = ({ obligation }: TestCase): boolean => obligation.subject.kind === 'valid'
  const early = cases.slice(0, 5 * operations).filter(isValid)
  expect(new Set(early.map(({ obligation }) => obligation.operation)).size).toBe(operations)
  const byOperation = Map.groupBy(cases, ({ obligation }) => obligation.operation)
  expect(byOperation.size).toBe(operations)
  for (const [operation, ofOperation] of byOperation) {
    const ids = ofOperation.map(({ obligation }) => obligation.id)
    expect(ids).toContain(`${operation}/auth/absent`)
    expect(ids.some(id => id.includes('/drift'))).toBe(true)
    const families = new Set(ofOperation.map(({ obligation }) => obligation.family))
    // An integer beyond int64 is an open question that tells much.
    expect([...families].sort()).toEqual(['accept', 'auth', 'reject', 'stability', 'unspecified'])
    expect(Math.abs(ofOperation.length - 8)).toBeLessThanOrEqual(1)
  }
  expect([...untested.values()].every(({ cause }) => cause === 'budget')).toBe(true)
})

test('every requirement gets its turn', async () => {
  const integer = { type: 'integer' }
  const parameters = [
    { name: 'id', in: 'path', required: true, schema: integer },
    { name: 'skip', in: 'query', schema: integer },
  ]
  const get = { parameters, responses: { 200: { description: 'ok' } } }
  const of = await loadContract({
    from: writeDocument('numbers.json', documentWith({ '/jobs/{id}': { get }, '/tasks/{id}': { get } })),
  })
  const maker = { contextOf: () => expect.unreachable(), onUnsupported: () => {} }
  const rows = obligationsOf(of)
    .filter(hasCases)
    .map(obligation => createRow(obligation, maker))
  const idsOf = (some: Iterable<Row>) => new Set(Array.from(some, ({ obligation }) => obligation.id))
  expect(idsOf(inContractBreadth(rows, 0))).toEqual(idsOf(rows))
})

test('what operations share is spread over them', () => {
  const { cases } = planned(contract, 9 * operations)
  const rejected = cases.flatMap(({ obligation: { id, operation, family } }) =>
    family === 'reject' ? [id.slice(operation.length)] : [],
  )
  const kinds = new Set(
    obligationsOf({ ...contract, operations: contract.operations.slice(0, 1) })
      .filter(({ family }) => family === 'reject')
      .map(({ id, operation }) => id.slice(operation.length)),
  )
  // Some for each operation, of 48 in all.
  expect(new Set(rejected).size).toBeGreaterThan(0.7 * kinds.size)
})

test('the strategies of a large contract are made as they are needed', () => {
  const { compiled } = planned(contract, 8 * operations, 5)
  expect(compiled.size).toBe(5)
})

test('a contract with one operation, and one that fits into the budget, keep the order of weight', () => {
  const one = { ...contract, operations: contract.operations.slice(0, 1) }
  const families = planned(one, 50).cases.map(({ obligation }) => obligation.family)
  expect(new Set(families.slice(1, 30))).toEqual(new Set(['auth']))
  const few = { ...contract, operations: contract.operations.slice(0, 2) }
  const { cases } = planned(few, 1000)
  expect(new Set(cases.slice(2, 40).map(({ obligation }) => obligation.family))).toEqual(new Set(['auth']))
})

test('every operation is asked first what tells most of any', () => {
  const { cases } = planned(contract, 8 * operations)
  const early = Map.groupBy(cases.slice(0, 5 * operations), ({ obligation }) => obligation.operation)
  const withBody = [...early].filter(([, ofOperation]) =>
    ofOperation.some(({ obligation }) => obligation.subject.kind === 'malformed'),
  )
  const bodies = contract.operations.filter(({ body }) => body !== null).length
  expect(bodies).toBeGreaterThan(0)
  expect(withBody.length).toBe(bodies)
})

test('a budget for more than one case each has valid requests that combine conditions early, and leaves out no requirement', () => {
  const own = obligationsOf(contract).length
  const { cases, untested } = planned(contract, 2 * own)
  const early = Map.groupBy(cases.slice(0, 14 * operations), ({ obligation }) => obligation.operation)
  for (const ofOperation of early.values()) {
    const valid = ofOperation.filter(({ obligation }) => obligation.subject.kind === 'valid')
    expect(valid.length).toBeGreaterThanOrEqual(3)
    expect(new Set(valid.map(({ spec }) => JSON.stringify(spec.body))).size).toBeGreaterThan(1)
  }
  expect([...untested.values()].filter(({ cause }) => cause === 'budget')).toEqual([])
})

test('operations that got no request before come first, with a valid one', () => {
  const unasked = new Set(['put30', 'put7'])
  const { cases } = planned(contract, 10_000_000, 5 * operations, { unasked })
  const first = cases.slice(0, 2).map(({ obligation }) => obligation)
  expect(new Set(first.map(({ operation }) => operation))).toEqual(unasked)
  expect(first.every(({ subject }) => subject.kind === 'valid')).toBe(true)
  const later = Map.groupBy(cases.slice(2), ({ obligation }) => obligation.operation)
  const counts = [...later.values()].map(({ length }) => length)
  expect(later.size).toBe(operations)
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
})

test('operations that come late begin at once when most of the time is over, with a valid request', () => {
  const acting = new Set(['put30', 'put7'])
  const from = 2 * operations
  let drawn = 0
  const isLateDue = (): boolean => drawn++ >= 2
  const { cases } = planned(contract, 10_000_000, 5 * operations, { acting, isLateDue })
  const ofActing = cases.flatMap(({ obligation }, index) =>
    acting.has(obligation.operation) ? [{ obligation, index }] : [],
  )
  expect(ofActing[0]?.index).toBeGreaterThanOrEqual(from - 2 * acting.size)
  expect(ofActing[0]?.index).toBeLessThanOrEqual(from)
  expect(ofActing.slice(0, 2).every(({ obligation }) => obligation.subject.kind === 'valid')).toBe(true)
  expect(ofActing.length).toBeGreaterThanOrEqual(3 * acting.size)
})

test('the first valid request after the trial has as much in it as can be', () => {
  const { cases } = planned(contract, 10_000_000, 8 * operations)
  const sizeOf = (body: Json | undefined): number =>
    body !== undefined && isObject(body) ? Object.keys(body).length : 0
  const valid = Map.groupBy(
    cases.filter(({ obligation }) => obligation.subject.kind === 'valid'),
    ({ obligation }) => obligation.operation,
  )
  for (const { id, body } of contract.operations.filter(({ body: of }) => of !== null)) {
    const declared = body?.media[0]?.schema ?? null
    const names = declared === null ? [] : placesOf(contract.requests.document, declared).properties
    expect(sizeOf(valid.get(id)?.[0]?.spec.body)).toBe(names.length)
  }
})

test('every operation is asked what breaks the schema of its body before it is asked anything twice', () => {
  const { cases } = planned(contract, 8 * operations)
  const early = Map.groupBy(cases.slice(0, 4 * operations), ({ obligation }) => obligation.operation)
  for (const { id } of contract.operations.filter(({ body }) => body !== null))
    expect(early.get(id)?.some(({ obligation: { subject } }) => subject.kind === 'keyword')).toBe(true)
})
