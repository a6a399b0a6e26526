import type { Budget } from '../confirm/resend-options.ts'
import { isPast, partOfTime } from './run-clock.ts'

/** `left`: requests that may be sent; `end`: when their time is up, in milliseconds on the clock of `performance.now`; null: never. */
export const createBudget = (left: number, end: number | null): Budget => {
  const requests = { left }
  const until = (time: number | null): Budget => ({
    get left() {
      return requests.left
    },
    set left(number) {
      requests.left = number
    },
    isOver: () => isPast(time),
    share: share => until(partOfTime(time, share)),
  })
  return until(end)
}
