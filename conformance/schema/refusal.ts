/** What is said instead of values when none can honestly be given: the reason, in words. */
export type Refusal = { readonly refused: string }

export const isRefusal = (value: unknown): value is Refusal =>
  typeof value === 'object' && value !== null && 'refused' in value && typeof value.refused === 'string'

/** Leaves the work at hand with a reason; `attempt` turns it back into data. */
export const refuse = (reason: string): never => {
  throw Object.assign(new Error(reason), { name: 'Refusal' })
}

/** The result of `work`, or the reason for which it refused. Any other error goes on its way. */
export const attempt = <Result>(work: () => Result): Result | Refusal => {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && error.name === 'Refusal') return { refused: error.message }
    if (error instanceof RangeError) return { refused: 'the schema is nested too deeply' }
    throw error
  }
}
