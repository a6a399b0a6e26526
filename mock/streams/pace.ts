/** How a stream comes, if a scenario says so. */
export type Pace = {
  /** How many items it has; null: as many as without a scenario. */
  readonly events: number | null
  /** Milliseconds between two items; 0: all come at once. */
  readonly interval: number
  /** Whether it stays open after its last item, until the client disconnects. */
  readonly open: boolean
}

/** How the items come by the `stream` of a scenario; null: it does not say. */
export const paceOf = (
  stream: { readonly events?: number; readonly interval?: number; readonly open?: boolean } | undefined,
): Pace | null =>
  stream === undefined
    ? null
    : { events: stream.events ?? null, interval: stream.interval ?? 0, open: stream.open ?? false }

/** The same for the journal. */
export const paceText = ({ events, interval, open }: Pace): string =>
  [
    events === null ? 'events' : `${events} event${events === 1 ? '' : 's'}`,
    ...(interval === 0 ? [] : [`every ${interval} ms`]),
    ...(open ? ['kept open'] : []),
  ].join(' ')

const heartbeatMs = 15_000

/** Items one after another, each when it is due. `heartbeat`: what is sent now and then while nothing else is; null: nothing. */
export const paced = (
  itemAt: (index: number) => Promise<Uint8Array | undefined>,
  count: number,
  { interval, open }: Pace,
  heartbeat: Uint8Array | null,
): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    let [index, ended] = [0, false]
    let wake = (): void => {}
    const sleep = (ms: number): Promise<void> =>
      new Promise(resolve => {
        const timer = setTimeout(resolve, ms)
        wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    const done = { done: true, value: undefined } as const
    return {
      next: async () => {
        while (!ended && index < count) {
          if (index > 0 && interval > 0) await sleep(interval)
          if (ended) return done
          const value = await itemAt(index)
          index += 1
          if (value !== undefined) return { done: false, value }
        }
        while (!ended && open) {
          await sleep(heartbeatMs)
          if (!ended && heartbeat !== null) return { done: false, value: heartbeat }
        }
        return done
      },
      return: () => {
        ended = true
        wake()
        return Promise.resolve(done)
      },
    }
  },
})
