import type { Transport } from './transport/index.ts'

/** Which operations were sent requests, which wait for a response, and for how long. */
export type Waiting = {
  /** The transport, for the requests of one operation. */
  readonly watched: (operation: string) => Transport
  /** Whether a request of the operation takes so long that others need not wait for it: the server answers most requests faster. */
  readonly isStuck: (operation: string) => boolean
  /** Whether the operation has been sent any request. */
  readonly isAsked: (operation: string) => boolean
}

/** Milliseconds that a response may take in any case, and how many times as long as most take: a slow server answers slowly as a rule. */
const usual = { ms: 1500, factor: 4 } as const

/** So many responses tell how long most take. */
const mostTimes = 101

/** Milliseconds between requests that were sent at about the same time. */
const together = 1000

/** Operations that have been answered before anybody knows how fast the server is. */
const fewest = 2

/** What is known of the requests of a run, whatever session sends them. */
export const waitingOf = (transport: Transport): Waiting => {
  const waiting = known.get(transport) ?? createWaiting(transport)
  known.set(transport, waiting)
  return waiting
}

/** Only a search that has to end in time needs to know what hangs. */
export const watchedFor = (transport: Transport, operation: string, isLimited: boolean): Transport =>
  isLimited ? waitingOf(transport).watched(operation) : transport

const known = new WeakMap<Transport, Waiting>()

const createWaiting = (transport: Transport): Waiting => {
  /** When each request in flight was sent, by operation. */
  const since = new Map<string, Map<object, number>>()
  const asked = new Set<string>()
  const answered = new Set<string>()
  /** When the last one of those was sent that got a response. */
  let lastAnswered = Number.NEGATIVE_INFINITY
  const times: number[] = []
  const middle = (): number => times.toSorted((left, right) => left - right)[times.length >> 1] ?? 0
  const othersThan = (operation: string): readonly number[] =>
    [...since].flatMap(([id, all]) => (id === operation ? [] : [...all.values()]))
  const watched = (operation: string): Transport => ({
    ...transport,
    send: async request => {
      const all = since.get(operation) ?? new Map<object, number>()
      since.set(operation, all)
      const key = {}
      try {
        const outcome = await transport.send(request, () => {
          asked.add(operation)
          all.set(key, performance.now())
        })
        if (outcome.kind === 'response') {
          lastAnswered = Math.max(lastAnswered, all.get(key) ?? 0)
          times.push(outcome.ms)
          if (times.length > mostTimes) times.shift()
          answered.add(operation)
        }
        return outcome
      } finally {
        all.delete(key)
      }
    },
    sendInRow: requests => {
      asked.add(operation)
      return transport.sendInRow(requests)
    },
  })
  return {
    watched,
    isAsked: operation => asked.has(operation),
    isStuck: operation => {
      const began = Math.min(...(since.get(operation)?.values() ?? []))
      const isLong = began < performance.now() - Math.max(usual.ms, usual.factor * middle())
      if (answered.size < fewest || !isLong) return false
      // Those that were sent at about the same time and wait as well may all wait for the same.
      return lastAnswered > began || othersThan(operation).every(sent => sent < began - together)
    },
  }
}
