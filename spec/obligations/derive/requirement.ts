import type { Level } from '../obligation.ts'

export const byDeclaredSuccess = ' with a declared success'
export const byDeclaredFailure = ' with a declared failure'

/** «a body without `tag` is accepted» */
export const acceptRequirement = (input: string, level: Level = 'MUST'): string =>
  `${input} ${level === 'MUST' ? 'is' : 'should be'} accepted`

/** «a body without `id` is rejected with a declared failure» */
export const rejectRequirement = (input: string, level: Level = 'MUST'): string =>
  `${input} ${level === 'MUST' ? 'is' : 'should be'} rejected${byDeclaredFailure}`

/** What a contract leaves open. */
export const openRequirement = (input: string): string =>
  `the contract does not specify the response to ${input}`
