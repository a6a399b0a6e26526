import { type Json, nounOfPath, plainName } from '../../spec/index.ts'
import type { RequestSpec } from '../cases/case.ts'
import { nameText } from './is-named.ts'
import { leastLetters, scalarsIn } from './shown.ts'

/** Which names the server has shown, and who showed each first: what another operation showed was there before. */
export type NameHistory = {
  readonly noteSent: (spec: RequestSpec) => void
  readonly noteShown: (name: Json, holder: string, operation: string) => void
  /**
   * Whether another operation has shown this as a name before this one gave it; `noun`: what a short name would be of, null for whatever it is
   * of.
   */
  readonly wasThereBefore: (name: Json, noun: string | null, operation: string) => boolean
  /** Whether the run sent this name before any response had it, so that what has it is the run's. */
  readonly isChosen: (name: Json) => boolean
}

/** Names that are remembered. */
const most = 100_000

export const createNameHistory = (): NameHistory => {
  const firstBy = new Map<string, string>()
  /** What a request sent before any response had it was chosen by the run, for whatever it makes. */
  const chosen = new Set<string>()
  const noteFirst = (key: string, operation: string): void => {
    if (firstBy.size < most && !firstBy.has(key) && !chosen.has(key)) firstBy.set(key, operation)
  }
  return {
    noteSent: ({ parameters, body }) => {
      for (const given of [...Object.values(parameters), body ?? null])
        for (const { value } of scalarsIn(given, '')) {
          if (isTelling(value) && chosen.size < most && !firstBy.has(keyOf(value, ofAny)))
            chosen.add(keyOf(value, ofAny))
        }
    },
    noteShown: (shown, holder, operation) => {
      for (const name of [shown, ...inPathOf(shown, holder)]) {
        noteFirst(keyOf(name, holder), operation)
        if (!isTelling(name)) noteFirst(keyOf(name, ofAny), operation)
      }
    },
    wasThereBefore: (name, noun, operation) => {
      const first = firstBy.get(keyOf(name, noun === null ? ofAny : plainName(noun)))
      return first !== undefined && first !== operation
    },
    isChosen: name => isTelling(name) && chosen.has(keyOf(name, ofAny)),
  }
}

/** `1` of a user that is shown as `users/1`. */
const inPathOf = (name: Json, noun: string): readonly Json[] => {
  const [before, last] = typeof name === 'string' ? name.split('/', mostSegments).slice(-2) : []
  return before !== undefined && last !== undefined && nounOfPath(`/${before}`) === noun ? [last] : []
}
const mostSegments = 12

/** In the place of a noun. */
const ofAny = '*'

/** Whether only one resource has such a name: a short one may be that of several kinds. */
const isTelling = (name: Json): name is string => typeof name === 'string' && name.length >= leastLetters

/** The text `order 1` is not the order of number 1. */
const keyOf = (name: Json, noun: string): string =>
  isTelling(name) ? `"${name}` : `${noun} ${nameText(name)}`
