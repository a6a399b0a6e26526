/** Returned in place of values if none can honestly be given: the reason, in words. */
export type Unsupported = { readonly unsupported: string }

export const isUnsupported = (value: unknown): value is Unsupported =>
  typeof value === 'object' &&
  value !== null &&
  'unsupported' in value &&
  typeof value.unsupported === 'string'

/** Abandons the work at hand for this reason; `attempt` turns the throw back into data. */
export const throwUnsupported = (reason: string): never => {
  throw Object.assign(new Error(reason), { name: 'Unsupported' })
}

/** The result of `work`, or the reason why it gave up. Any other error is thrown on. */
export const attempt = <Result>(work: () => Result): Result | Unsupported => {
  try {
    return work()
  } catch (error) {
    if (error instanceof Error && error.name === 'Unsupported') return { unsupported: error.message }
    if (error instanceof RangeError) return { unsupported: 'the schema is nested too deeply' }
    throw error
  }
}
