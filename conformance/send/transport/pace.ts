/** Turns that are late are made up for within this time: timers are late by a millisecond or two, and the rate has to hold. */
const arrearsMs = 10

/** Gives out this many turns per second, evenly spread. The promise settles when the turn has come. */
export const createPace = (rate: number | null): (() => Promise<void>) => {
  if (rate === null) return () => Promise.resolve()
  const interval = 1000 / rate
  let next = Number.NEGATIVE_INFINITY
  return async () => {
    const now = performance.now()
    next = Math.max(next + interval, now - arrearsMs)
    // Timers count whole milliseconds: a turn within half of one comes at once.
    if (next - now > 0.5) await new Promise(resolve => setTimeout(resolve, next - now))
  }
}
