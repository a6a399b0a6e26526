import type { Outcome } from '../../spec/index.ts'
import type { RunOptions } from '../options/run-options.ts'
import type { Transport } from '../send/transport/index.ts'

/** Between two attempts to reach a server that is not up yet. */
const pauseMs = 250

/** Waits until the server responds at all, whatever it says. Gives what is wrong if it does not; null if all is well. */
export const waitForServer = async (
  transport: Transport,
  { waitSeconds, signal }: RunOptions,
): Promise<string | null> => {
  if (waitSeconds === null) return null
  const end = performance.now() + waitSeconds * 1000
  for (;;) {
    const outcome = await before(end, transport.send(request))
    if (outcome?.kind === 'response') return null
    if (signal.aborted || performance.now() + pauseMs > end)
      return `no response within ${waitSeconds} s (${outcome?.detail ?? 'the server stays silent'})`
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}

const request = { method: 'GET', target: '/', headers: [], body: null, chunked: false } as const

const before = (end: number, outcome: Promise<Outcome>): Promise<Outcome | null> => {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), Math.max(0, end - performance.now()))
  return Promise.race([outcome, late.promise]).finally(() => clearTimeout(timer))
}
