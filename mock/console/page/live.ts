import type { Summary } from '../shape.ts'
import { ask } from './api.ts'

/** What the page knows of the mock's requests. */
export type Live = {
  /** Newest first, at most as many as the mock keeps. */
  readonly entries: readonly Summary[]
  readonly state: 'connecting' | 'live' | 'lost'
}

const mostEntries = 500

let live: Live = { entries: [], state: 'connecting' }
let run = ''
const listeners = new Set<() => void>()

export const current = (): Live => live

export const listen = (heard: () => void): (() => void) => {
  listeners.add(heard)
  return () => void listeners.delete(heard)
}

/** Many events in one frame are one change. */
let waiting = false
const change = (next: Partial<Live>): void => {
  live = { ...live, ...next }
  if (waiting) return
  waiting = true
  requestAnimationFrame(() => {
    waiting = false
    for (const heard of listeners) heard()
  })
}

/** Follows the mock until the page is left; the browser connects again by itself. */
export const follow = (): void => {
  const source = new EventSource('events')
  source.addEventListener('run', ({ data }) => {
    // Another life of the mock counts from 1 again.
    change(run !== '' && run !== data ? { state: 'live', entries: [] } : { state: 'live' })
    run = data as string
  })
  source.addEventListener('entries', ({ data }) => {
    const fresh = JSON.parse(data as string) as readonly Summary[]
    const newest = live.entries[0]?.number ?? 0
    const unknown = fresh.filter(({ number }) => number > newest).reverse()
    change({ entries: [...unknown, ...live.entries].slice(0, mostEntries) })
  })
  source.addEventListener('error', () => change({ state: 'lost' }))
}

export const clear = async (): Promise<void> => {
  await ask('requests', { method: 'DELETE' })
  change({ entries: [] })
}
