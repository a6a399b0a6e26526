/** An obligation that is not there, or cannot be broken; the message says why and what to do. */
export class BreakError extends Error {
  override readonly name = 'BreakError'
  /** Why there is nothing to break; null where there is no such obligation. */
  readonly because: string | null

  constructor(message: string, because: string | null) {
    super(message)
    this.because = because
  }
}
