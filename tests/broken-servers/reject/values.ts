/** Whether a careless store accepts a value. */
export type Test = (value: unknown) => boolean

/** Matches the obligations of a property. */
export const ofProperty = (name: string, rest: string): RegExp =>
  new RegExp(`^createPlant/request/body/${name}/(${rest})`)

export const isNumber: Test = value => typeof value === 'bigint' || typeof value === 'number'
export const isBoolean: Test = value => typeof value === 'boolean'
export const isNull: Test = value => value === null
export const isAbsent: Test = value => value === undefined
