import type { Transport } from './transport/index.ts'

/** Which operations wait for a response, and for how long. */
export type Waiting = {
  /** The transport, for the requests of one operation. */
  readonly watched: (operation: string) => Transport
  /** Whether a request of the operation takes so long that others need not wait for it: the server answers, and faster than this. */
  readonly isStuck: (operation: string) => boolean
}

/** Milliseconds that a response may take in any case, and how many times as long as the slowest so far. */
const usual = { ms: 1500, factor: 3 } as const

/** Operations that have been answered before anybody knows how fast the server is. */
const fewest = 2

/** What is known of the requests of a run, whatever session sends them. */
export const waitingOf = (transport: Transport): Waiting => {
  const waiting = known.get(transport) ?? createWaiting(transport)
  known.set(transport, waiting)
  return waiting
}

const known = new WeakMap<Transport, Waiting>()

const createWaiting = (transport: Transport): Waiting => {
  /** When each request in flight was sent, by operation. */
  const since = new Map<string, Map<object, number>>()
  const answered = new Set<string>()
  let slowest = 0
  const watched = (operation: string): Transport => ({
    ...transport,
    send: async request => {
      const all = since.get(operation) ?? new Map<object, number>()
      since.set(operation, all)
      const key = {}
      try {
        const outcome = await transport.send(request, () => void all.set(key, performance.now()))
        if (outcome.kind === 'response') {
          slowest = Math.max(slowest, outcome.ms)
          answered.add(operation)
        }
        return outcome
      } finally {
        all.delete(key)
      }
    },
  })
  return {
    watched,
    isStuck: operation =>
      answered.size >= fewest &&
      Math.min(...(since.get(operation)?.values() ?? [])) <
        performance.now() - Math.max(usual.ms, usual.factor * slowest),
  }
}
