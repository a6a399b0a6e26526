import type { Entry, Journal } from '../journal.ts'

/** Milliseconds between two writes to one reader, and of silence after which it is told that we are still there. */
const restMs = 100
const heartbeatMs = 15_000

const utf8 = new TextEncoder()

/**
 * The entries of a journal as server-sent events, from after the number `from` on, in batches. Nothing is held for a
 * reader but a number: what a slow one has not taken when the journal forgets it, it does not get. `run` tells one
 * life of a mock from another; ids of events are `run.number`.
 */
export const eventStream = (
  journal: Journal,
  run: string,
  lastEventId: string | null,
  tell: (entry: Entry) => unknown,
): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    let [sent, hello, ended] = [numberIn(run, lastEventId), true, false]
    let [wake, stop] = [() => {}, () => {}]
    const deaf = journal.listen(() => wake())
    /** Until something is recorded, or for this long, or until the end. */
    const sleep = (ms: number, early: boolean): Promise<void> =>
      new Promise(resolve => {
        const timer = setTimeout(resolve, ms)
        timer.unref()
        stop = () => {
          clearTimeout(timer)
          resolve()
        }
        wake = early ? stop : () => {}
      })
    const over = { done: true, value: undefined } as const
    return {
      next: async () => {
        if (hello) {
          hello = false
          return { done: false, value: utf8.encode(`retry: 1000\nevent: run\ndata: ${run}\n\n`) }
        }
        if (ended) return over
        let fresh = freshOf(journal, sent)
        if (fresh.length === 0) {
          await sleep(heartbeatMs, true)
          fresh = freshOf(journal, sent)
        } else if (sent > 0) {
          await sleep(restMs, false)
          fresh = freshOf(journal, sent)
        }
        if (ended) return over
        const last = fresh.at(-1)
        if (last === undefined) return { done: false, value: utf8.encode(': still here\n\n') }
        sent = last.number
        const data = JSON.stringify(fresh.map(tell))
        return { done: false, value: utf8.encode(`id: ${run}.${sent}\nevent: entries\ndata: ${data}\n\n`) }
      },
      return: () => {
        ended = true
        deaf()
        stop()
        return Promise.resolve(over)
      },
    }
  },
})

const freshOf = (journal: Journal, sent: number): readonly Entry[] =>
  journal.entries().filter(({ number }) => number > sent)

const numberIn = (run: string, id: string | null): number =>
  id?.startsWith(`${run}.`) === true ? Number(id.slice(run.length + 1)) || 0 : 0
