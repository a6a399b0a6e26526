import { inTurn, plant, times, together } from './sent.ts'

const numbered = (count: number) =>
  times(count, index => plant({ name: `plant ${index}`, tag: `tag ${index}` }))
/** So many plants, one after the other. */
export const steady = (count: number) => ({ witness: inTurn(...numbered(count)) })
/** So many plants at once. */
export const crowd = (count: number) => ({ witness: together(count, numbered(count)) })
