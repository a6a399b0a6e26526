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
