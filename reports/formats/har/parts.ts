import { type DocumentNode, isNode } from '../../../spec/index.ts'
import { TrafficError } from '../../errors.ts'

/** The parts of a file of somebody else: each throws TrafficError with the place of what is something else. */

export const objectAt = (value: unknown, place: string): DocumentNode => {
  if (isNode(value)) return value
  throw new TrafficError(`\`${place}\` is no object`)
}

export const textAt = (value: unknown, place: string): string => {
  if (typeof value === 'string') return value
  throw new TrafficError(`\`${place}\` is no text`)
}

export const listAt = (value: unknown, place: string): readonly unknown[] => {
  if (Array.isArray(value)) return value
  throw new TrafficError(`\`${place}\` is no list`)
}
