import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TestCase } from '../../../conformance/cases/case.ts'
import { createLanes } from '../../../conformance/send/lanes.ts'

// Lanes read nothing but the operation of a case.
const caseOf = (operation: string, number: number) =>
  ({ number, obligation: { operation }, request: {} }) as TestCase

const endless = { isOver: () => false, onPutOff: () => {} }

test('an operation that takes long holds an eighth of the requests in flight, and the others go on', () => {
  const cases = [
    ...Array.from({ length: 40 }, (_, index) => caseOf(index % 2 === 0 ? 'slow' : 'quick', index)),
    ...Array.from({ length: 20 }, (_, index) => caseOf('other', 100 + index)),
  ]
  const lanes = createLanes(cases.values(), () => 16, endless)
  for (const ms of [5000, 10, 10]) {
    const first = lanes.next() as TestCase
    lanes.done(first, first.obligation.operation === 'slow' ? 5000 : ms)
  }
  const running = Array.from({ length: 16 }, () => lanes.next() as TestCase)
  const slow = running.filter(({ obligation }) => obligation.operation === 'slow')
  expect(slow.length).toBe(2)
  // Once one is there, the next of them goes on.
  lanes.done(slow[0] as TestCase, 5000)
  expect(lanes.next()?.obligation.operation).toBe('slow')
})

test('operations that take long have a quarter of the requests in flight together', () => {
  const slow = ['s0', 's1', 's2', 's3', 's4']
  const quick = ['q0', 'q1', 'q2', 'q3', 'q4', 'q5']
  const names = [...slow, ...quick]
  const cases = Array.from({ length: 400 }, (_, index) =>
    caseOf(names[index % names.length] as string, index),
  )
  const lanes = createLanes(cases.values(), () => 16, endless)
  const isSlow = (testCase: TestCase): boolean => slow.includes(testCase.obligation.operation)
  // Each is asked once, so that it is known what takes long.
  for (const _ of names) {
    const first = lanes.next() as TestCase
    lanes.done(first, isSlow(first) ? 600 : 10)
  }
  const running = Array.from({ length: 16 }, () => lanes.next() as TestCase)
  expect(running.filter(isSlow).length).toBe(4)
})

const orderOf = (lanes: ReturnType<typeof createLanes>, msOf: (operation: string) => number): string => {
  const given: string[] = []
  for (let next = lanes.next(); next !== undefined; next = lanes.next()) {
    if (next === null) continue
    given.push(next.obligation.operation)
    lanes.done(next, msOf(next.obligation.operation))
  }
  return given.join('')
}

test('an operation that takes long waits for all others while it would hold them up', () => {
  const cases = [...'slqqqlqqlq'].map(caseOf)
  const ms = (operation: string): number => (operation === 'l' ? 5000 : 10)
  expect(
    orderOf(
      createLanes(cases.values(), () => 1, endless),
      ms,
    ),
  ).toBe('slqqqqqqll')
  // A queue that goes on as long as there is time would leave it nothing.
  expect(
    orderOf(
      createLanes(cases.values(), () => 1, { ...endless, isLate: () => true }),
      ms,
    ),
  ).toBe('slqqqlqqlq')
  expect(
    orderOf(
      createLanes(cases.values(), () => 4, endless),
      ms,
    ),
  ).toBe('slqqqlqqlq')
})

test('if all operations take as long, none is held back', () => {
  const cases = Array.from({ length: 40 }, (_, index) => caseOf(`o${index % 2}`, index))
  const lanes = createLanes(cases.values(), () => 16, endless)
  for (let count = 0; count < 4; count++) lanes.done(lanes.next() as TestCase, 3000)
  expect(Array.from({ length: 16 }, () => lanes.next()?.number)).toEqual(
    Array.from({ length: 16 }, (_, index) => index + 4),
  )
})

test('each case is given out once, or is left over when the time is up', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 60 }),
      fc.record({ a: fc.nat(9000), b: fc.nat(9000), c: fc.nat(9000) }),
      fc.integer({ min: 1, max: 20 }),
      fc.nat(80),
      (operations, times, inFlight, steps) => {
        const all = operations.map(caseOf)
        let isOver = false
        const lanes = createLanes(all.values(), () => inFlight, { ...endless, isOver: () => isOver })
        const running: TestCase[] = []
        const given: number[] = []
        const take = (): boolean => {
          const next = lanes.next()
          if (next == null) return false
          running.push(next)
          given.push(next.number)
          return true
        }
        for (let step = 0; step < steps; step++) {
          while (running.length < inFlight && take());
          const done = running.shift()
          if (done === undefined) break
          lanes.done(done, times[done.obligation.operation as 'a'])
        }
        isOver = true
        while (take());
        const rest = lanes.rest().map(({ number }) => number)
        expect([...given, ...rest].toSorted((left, right) => left - right)).toEqual(
          all.map((_, index) => index),
        )
      },
    ),
  )
})

test('what takes long does not wait for others if the queue has none', () => {
  let number = 0
  const endlessly = function* (): Generator<TestCase> {
    for (;;) yield caseOf(number < 3 ? 'quick' : 'long', number++)
  }
  const lanes = createLanes(endlessly(), () => 2, { ...endless, hung: new Map([['long', 5000]]) })
  const given: string[] = []
  for (let turn = 0; turn < 10; turn++) {
    const next = lanes.next()
    if (next == null) continue
    given.push(next.obligation.operation)
    lanes.done(next, next.obligation.operation === 'long' ? 5000 : 10)
  }
  expect(given.slice(0, 3)).toEqual(['quick', 'quick', 'quick'])
  expect(given.slice(3).every(operation => operation === 'long')).toBe(true)
  expect(given.length).toBeGreaterThan(4)
})
