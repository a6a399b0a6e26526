import { hashOf } from '../chance/hash.ts'
import type { MockRequest } from '../engine/request.ts'
import type { Scenario } from './scenario.ts'

// Enough to tell requests apart, and quick for large bodies.
const maxHashedBytes = 64 * 1024

/** The delay of a request in milliseconds: the same for equal requests, in whatever order they come. */
export const delayOf = (
  delay: NonNullable<Scenario['delay']>,
  { method, target, body }: MockRequest,
  seed: number,
): number => {
  if (typeof delay === 'number') return delay
  const [from, to] = delay
  const chance = hashOf(`${method} ${target}`, hashOf(body?.subarray(0, maxHashedBytes) ?? '', seed))
  return from + (chance % (to - from + 1))
}

/** Waits; false as soon as the client disconnects or the mock closes. */
export const wait = (milliseconds: number, { onDisconnect }: MockRequest): Promise<boolean> =>
  new Promise(resolve => {
    const timer = setTimeout(() => {
      stop?.()
      resolve(true)
    }, milliseconds)
    const stop = onDisconnect?.(() => {
      clearTimeout(timer)
      resolve(false)
    })
  })
