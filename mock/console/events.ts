import type { Journal } from '../middleware/journal.ts'
import type { Entry } from '../middleware/journal-entry.ts'

/** Milliseconds between two batches for one client, and between two heartbeats while nothing happens. */
const batchMs = 100
const heartbeatMs = 15_000

const utf8 = new TextEncoder()

/**
 * Streams the entries of a journal as server-sent events, in batches. `run`: an id of this run of the mock; event ids are
 * `run.number`, and the stream resumes after `lastEventId`. The only state held for a client is the number that it has
 * reached: a slow client misses the entries that the journal has dropped in the meantime.
 */
export const eventStream = (
  journal: Journal,
  run: string,
  lastEventId: string | null,
  messageOf: (entry: Entry) => unknown,
): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    let [sent, isFirst, ended] = [numberIn(run, lastEventId), true, false]
    let [wake, stop] = [() => {}, () => {}]
    const unsubscribe = journal.listen(() => wake())
    /** Sleeps for this long, or until the stream ends; if `wakeable`, until an entry is recorded. */
    const sleep = (ms: number, wakeable: boolean): Promise<void> =>
      new Promise(resolve => {
        const timer = setTimeout(resolve, ms)
        timer.unref()
        stop = () => {
          clearTimeout(timer)
          resolve()
        }
        wake = wakeable ? stop : () => {}
      })
    const done = { done: true, value: undefined } as const
    return {
      next: async () => {
        if (isFirst) {
          isFirst = false
          return { done: false, value: utf8.encode(`retry: 1000\nevent: run\ndata: ${run}\n\n`) }
        }
        if (ended) return done
        let unsent = entriesAfter(journal, sent)
        if (unsent.length === 0) {
          await sleep(heartbeatMs, true)
          unsent = entriesAfter(journal, sent)
        } else if (sent > 0) {
          await sleep(batchMs, false)
          unsent = entriesAfter(journal, sent)
        }
        if (ended) return done
        const last = unsent.at(-1)
        if (last === undefined) return { done: false, value: utf8.encode(': heartbeat\n\n') }
        sent = last.number
        const data = JSON.stringify(unsent.map(messageOf))
        return { done: false, value: utf8.encode(`id: ${run}.${sent}\nevent: entries\ndata: ${data}\n\n`) }
      },
      return: () => {
        ended = true
        unsubscribe()
        stop()
        return Promise.resolve(done)
      },
    }
  },
})

const entriesAfter = (journal: Journal, sent: number): readonly Entry[] =>
  journal.entries().filter(({ number }) => number > sent)

const numberIn = (run: string, event: string | null): number =>
  event?.startsWith(`${run}.`) === true ? Number(event.slice(run.length + 1)) || 0 : 0
