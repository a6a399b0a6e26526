/** Options that cannot be used, or not together; the message says which and what to do. */
export class OptionError extends Error {
  override readonly name = 'OptionError'
}
