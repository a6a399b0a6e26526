import type { MockRequest } from '../engine.ts'
import { hashOf } from './hash.ts'
import type { Scenario } from './scenario.ts'

// Enough to tell requests apart, and no work for large ones.
const mostHashed = 64 * 1024

/** The milliseconds that a request waits: the same for equal requests, whatever came before. */
export const delayOf = (
  delay: NonNullable<Scenario['delay']>,
  { method, target, body }: MockRequest,
  seed: number,
): number => {
  if (typeof delay === 'number') return delay
  const [from, to] = delay
  const drawn = hashOf(`${method} ${target}`, hashOf(body?.subarray(0, mostHashed) ?? '', seed))
  return from + (drawn % (to - from + 1))
}

/** Waits; false as soon as the client goes, or the mock closes: nobody is there to be answered. */
export const wait = (milliseconds: number, { whenGone }: MockRequest): Promise<boolean> =>
  new Promise(resolve => {
    const timer = setTimeout(() => {
      stop?.()
      resolve(true)
    }, milliseconds)
    const stop = whenGone?.(() => {
      clearTimeout(timer)
      resolve(false)
    })
  })
