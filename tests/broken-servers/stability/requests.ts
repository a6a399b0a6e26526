import { inTurn, plant, times, together } from '../store/sent.ts'

const numbered = (count: number) =>
  times(count, index => plant({ name: `plant ${index}`, tag: `tag ${index}` }))
/** `count` plants, one after the other. */
export const steady = (count: number) => ({ witness: inTurn(...numbered(count)) })
/** `count` plants at once. */
export const crowd = (count: number) => ({ witness: together(count, numbered(count)) })
