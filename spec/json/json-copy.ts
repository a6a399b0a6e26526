import { type Json, parseJson } from './json.ts'

/** A copy as JSON has it: the caller's value may change. Throws TypeError if it is none. */
export const jsonCopy = (value: unknown): Json | undefined => {
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : parseJson(text)
}
