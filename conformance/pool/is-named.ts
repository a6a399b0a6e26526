import { type Json, writeJson } from '../../spec/index.ts'

/** Whether two names are the same: a path and a Location have text where JSON may have a number. */
export const isNamed = (left: Json | undefined, right: Json | undefined): boolean =>
  left !== undefined && right !== undefined && textOf(left) === textOf(right)

const textOf = (value: Json): string => (typeof value === 'string' ? value : writeJson(value))
