import { type Problem, problemLine } from './openapi/diagnostic.ts'

/** A pattern matches no obligation of the contract; the message is one line and names similar ids. */
export class SelectionError extends Error {
  override readonly name = 'SelectionError'
  readonly code = 'PLANTSTORE_SELECTION'
}

/** A waiver that cannot be used; the message is one line and names it. */
export class WaiverError extends Error {
  override readonly name = 'WaiverError'
  readonly code = 'PLANTSTORE_WAIVER'
}

/** A baseline that cannot be used; the message is one line and names the entry. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError'
  readonly code = 'PLANTSTORE_BASELINE'
}

/** A pin that cannot be used; the message is one line and names it. */
export class PinError extends Error {
  override readonly name = 'PinError'
  readonly code = 'PLANTSTORE_PIN'
}

/** The document is not a usable contract; the message has one line for each problem. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  readonly code = 'PLANTSTORE_DOCUMENT'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    super(problems.map(problemLine).join('\n'))
    this.problems = problems
  }
}
