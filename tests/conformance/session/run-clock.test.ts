import { expect, onTestFinished, test, vi } from 'vitest'
import { startClock } from '../../../conformance/session/run-clock.ts'

const atTimes = () => {
  let now = 1000
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => spy.mockRestore())
  return (ms: number): void => {
    now = 1000 + ms
  }
}

test('trials and cases share the time that is left when the plan is ready', () => {
  const at = atTimes()
  const clock = startClock({ maxSeconds: 60, msBefore: 0 })
  expect(clock.preflight()).toBe(1000 + 0.3 * 60_000)
  at(40_000)
  clock.startSending()
  expect(clock.preflight()).toBe(41_000 + 0.3 * 20_000)
  expect(clock.deadline()).toBe(41_000 + 0.8 * 20_000)
  expect(clock.last()).toBeLessThan(63_000)
  at(42_000)
  expect(clock.sendingMs()).toBe(2000)
})

test('a long run keeps less of its time for what comes after the plan', () => {
  atTimes()
  const clock = startClock({ maxSeconds: 3600, msBefore: 0 })
  expect(clock.preflight()).toBe(1000 + 0.3 * 3_600_000)
  // A fifth of five minutes, and a twentieth of the other 55.
  expect(clock.deadline()).toBeCloseTo(1000 + 3_600_000 - 0.2 * (300_000 + 825_000))
  const ends = [clock.deadline(), clock.lastCases(), clock.end(), clock.last()].map(Number)
  expect(ends).toEqual(ends.toSorted((left, right) => left - right))
  // Removing may take three seconds more.
  expect(clock.last()).toBeCloseTo(1000 + 3_600_000 + 0.05 * 60_000)
})

test('if planning took all of the time, nothing is sent', () => {
  const at = atTimes()
  const clock = startClock({ maxSeconds: 10, msBefore: 0 })
  at(11_000)
  clock.startSending()
  expect([clock.preflight(), clock.deadline(), clock.last()]).toEqual([12_000, 12_000, 12_000])
})
