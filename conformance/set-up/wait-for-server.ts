import type { Outcome } from '../../spec/index.ts'
import type { RunOptions } from '../options/run-options.ts'
import type { Transport } from '../send/transport/index.ts'

/** Between two attempts to reach a server that is not up yet. */
const pauseMs = 250

/** What a gateway says of a server that is not up yet. */
const notYet = [502, 503, 504]

/** Waits until the server responds with anything but 502, 503 or 504. Gives what is wrong if it does not; null if all is well. */
export const waitForServer = async (
  transport: Transport,
  { waitSeconds, signal }: RunOptions,
): Promise<string | null> => {
  if (waitSeconds === null) return null
  const end = performance.now() + waitSeconds * 1000
  for (;;) {
    const outcome = await before(end, transport.send(request))
    const status = outcome?.kind === 'response' ? outcome.response.status : null
    if (status !== null && !notYet.includes(status)) return null
    if (signal.aborted || performance.now() + pauseMs > end) {
      const detail = outcome?.kind === 'failure' ? outcome.detail : 'the server stays silent'
      return `no response within ${waitSeconds} s (${status === null ? detail : `the last one was ${status}`})`
    }
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}

const request = { method: 'GET', target: '/', headers: [], body: null, chunked: false } as const

const before = (end: number, outcome: Promise<Outcome>): Promise<Outcome | null> => {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), Math.max(0, end - performance.now()))
  return Promise.race([outcome, late.promise]).finally(() => clearTimeout(timer))
}
