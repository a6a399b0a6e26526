import type { Outcome } from '../spec/index.ts'
import type { RunOptions } from './run-options.ts'
import type { Transport } from './transport/index.ts'

/** Time between two looks at a server that does not answer yet. */
const pauseMs = 250

/** Waits until the server answers at all, whatever it answers. Null where it does, or nobody is to wait for it. */
export const awaitServer = async (
  transport: Transport,
  { waitMs, signal }: RunOptions,
): Promise<{ readonly kind: 'unreachable'; readonly detail: string } | null> => {
  if (waitMs === null) return null
  const end = performance.now() + waitMs
  for (;;) {
    const outcome = await inTime(transport.send(probe), end)
    if (outcome?.kind === 'answer') return null
    if (signal.aborted || performance.now() + pauseMs > end)
      return {
        kind: 'unreachable',
        detail: `no answer within ${waitMs / 1000} s (${outcome?.detail ?? 'silence'})`,
      }
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}

const probe = { method: 'GET', target: '/', headers: [], body: null, chunked: false } as const

const inTime = (outcome: Promise<Outcome>, end: number): Promise<Outcome | null> => {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(() => late.resolve(null), Math.max(0, end - performance.now()))
  return Promise.race([outcome, late.promise]).finally(() => clearTimeout(timer))
}
