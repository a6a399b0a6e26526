/** Places for what is done at the same time; how many there are may change. */
export type Slots = {
  /** Settles when there is a place. */
  readonly enter: () => Promise<void>
  /** Gives the place back. */
  readonly leave: () => void
  readonly taken: () => number
}

export const createSlots = (limit: () => number): Slots => {
  let taken = 0
  const waiting: (() => void)[] = []
  return {
    enter: async () => {
      if (taken < limit()) taken += 1
      else await new Promise<void>(resolve => waiting.push(resolve))
    },
    leave: () => {
      taken -= 1
      while (taken < limit() && waiting.length > 0) {
        taken += 1
        waiting.shift()?.()
      }
    },
    taken: () => taken,
  }
}

/** A response that waits for its turn: `pause` stops reading it, `resume` goes on. */
export type Pausable = { readonly pause: () => void; readonly resume: () => void }

/** Of large responses only a few are read at a time: many of them at once would fill the memory. */
export type LargeSlots = {
  /** Takes a slot, or pauses the response until one is free. Gives a function that releases it; call it once. */
  readonly take: (response: Pausable) => () => void
}

/** Responses with more bytes than this need a slot. */
export const largeBytes = 2 ** 18
const mostLarge = 2

export const createLargeSlots = (): LargeSlots => {
  const reading = new Set<Pausable>()
  const waiting = new Set<Pausable>()
  return {
    take: response => {
      if (reading.size < mostLarge) reading.add(response)
      else {
        waiting.add(response)
        response.pause()
      }
      return () => {
        waiting.delete(response)
        if (!reading.delete(response)) return
        const [next] = waiting
        if (next === undefined) return
        waiting.delete(next)
        reading.add(next)
        // Not at once: undici cannot read one response while it is inside another.
        setImmediate(next.resume)
      }
    },
  }
}
