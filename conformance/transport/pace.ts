/** Time that lost turns may be made up for: timers are late by a millisecond or two, and the rate is to be kept all the same. */
const arrearsMs = 10

/** Gives out turns, so many a second, evenly; the promise settles when the turn has come. */
export const createPace = (rate: number | null): (() => Promise<void>) => {
  if (rate === null) return () => Promise.resolve()
  const interval = 1000 / rate
  let next = Number.NEGATIVE_INFINITY
  return async () => {
    const now = performance.now()
    next = Math.max(next + interval, now - arrearsMs)
    // Timers know whole milliseconds: what is nearer than half of one goes at once.
    if (next - now > 0.5) await new Promise(resolve => setTimeout(resolve, next - now))
  }
}
