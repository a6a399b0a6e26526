import type { ExchangeSummary } from '../../messages.ts'
import { callMock } from './api.ts'

/** The requests to the mock that the page knows. */
export type Traffic = {
  /** Newest first; at most as many as the mock keeps. */
  readonly entries: readonly ExchangeSummary[]
  readonly connection: 'connecting' | 'live' | 'lost'
}

const maxEntries = 500

let traffic: Traffic = { entries: [], connection: 'connecting' }
let run = ''
const listeners = new Set<() => void>()

export const currentTraffic = (): Traffic => traffic

/** Calls `listener` after each change, until the function that it returns is called. */
export const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Listeners are called once per frame, however many events arrive in it. */
let isScheduled = false
const change = (next: Partial<Traffic>): void => {
  traffic = { ...traffic, ...next }
  if (isScheduled) return
  isScheduled = true
  requestAnimationFrame(() => {
    isScheduled = false
    for (const listener of listeners) listener()
  })
}

/** Follows the mock until the page is closed; the browser reconnects by itself. */
export const followTraffic = (): void => {
  const source = new EventSource('events')
  source.addEventListener('run', ({ data }) => {
    // A restarted mock numbers its requests from 1 again.
    const isRestarted = run !== '' && run !== data
    change(isRestarted ? { connection: 'live', entries: [] } : { connection: 'live' })
    run = data as string
  })
  source.addEventListener('entries', ({ data }) => {
    const received = JSON.parse(data as string) as readonly ExchangeSummary[]
    const newest = traffic.entries[0]?.number ?? 0
    const added = received.filter(({ number }) => number > newest).reverse()
    change({ entries: [...added, ...traffic.entries].slice(0, maxEntries) })
  })
  source.addEventListener('error', () => change({ connection: 'lost' }))
}

export const clearTraffic = async (): Promise<void> => {
  await callMock('requests', { method: 'DELETE' })
  change({ entries: [] })
}
