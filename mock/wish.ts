import type { Wish } from './compose.ts'
import { type Preferences, preferencesOf } from './prefer.ts'
import type { MockRequest } from './request.ts'

/** What is made up follows from what a request asks for, however that is delivered, or from the seed that it prefers. */
export const wishOf = (request: MockRequest, preferences: Preferences | null): Wish => ({
  seed: preferences?.seed ?? null,
  request,
  random: preferences?.dynamic ?? false,
  whole: true,
  example: preferences?.example ?? null,
})

/** A failure keeps to its reason, unless an example of this very status is asked for (as Prism has it). */
export const refusedWish = (request: MockRequest, status: number, names: () => readonly string[]): Wish => {
  const preferences = preferencesOf(request.headers)
  const wish = wishOf(request, preferences)
  if (wish.example === null) return wish
  const isNamed = preferences?.code === status && names().includes(wish.example)
  return isNamed ? wish : { ...wish, example: null }
}
